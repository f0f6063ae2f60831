"""Words of a question that only say which document is meant: its kind and its period."""

from __future__ import annotations

import re
from collections.abc import Sequence

from contracts.dates import MONTHS
from serve.compute.words import Word

_PAY = frozenset(
    {"salary", "pay", "wage", "wages", "payroll", "salarios", "sueldos", "nomina", "tax", "bank", "salario"}
)
"""Words that with a kind of document are its name, not a column."""


def document_words(words: Sequence[Word], kinds: frozenset[str]) -> set[int]:
    """Words that name a document by its kind: `salary register`, `registro de salarios`."""
    found: set[int] = set()
    for i, word in enumerate(words):
        if word.stem not in kinds:
            continue
        if i > 0 and (words[i - 1].norm in _PAY or words[i - 1].stem in kinds):
            found.update((i - 1, i))
        if i + 2 < len(words) and words[i + 1].norm == "de" and words[i + 2].norm in _PAY:
            found.update((i, i + 1, i + 2))
    return found


def period_words(text: str, words: Sequence[Word], context: frozenset[str]) -> set[int]:
    """Months and years that chose the table: every row is of them, so they choose none. The 2025 of a code is none."""
    dated = (i for i, w in enumerate(words) if w.norm in MONTHS or (w.norm.isdigit() and len(w.norm) == 4))
    inside = re.compile(r"[\w/-]")
    return {
        i
        for i in dated
        if words[i].stem in context
        and not inside.match(text[words[i].end : words[i].end + 1])
        and not inside.match(text[max(0, words[i].start - 1) : words[i].start])
    }
