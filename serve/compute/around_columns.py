"""Words beside a column's name that belong to it: what is done with it before, what kind of amount it is behind."""

from __future__ import annotations

from collections.abc import Container, Sequence

from compression.terms import STOPWORDS, stem
from serve.compute.words import Word

ADDING = frozenset({"total", "average", "mean", "sum", "median", "highest", "lowest", "maximum", "minimum", "suma"})
"""Words before a column's name that say what is done with it."""

JOINING = frozenset({"and", "or", "y", "o", "e", "u"})
"""Between two columns: a phrase with one of them inside names both, not one."""

DEDUCTED = frozenset(map(stem, ("deduction", "deducted", "withheld", "withholding", "descontado", "retenido")))
_WAS = frozenset({"was", "were", "is", "are", "has", "have", "been", "being"})


def adds_up(words: Sequence[Word], at: int, starts: Container[int]) -> bool:
    """Whether the word says what is done with the column behind it: `total net pay` names no Total Deductions.

    `starts`: where the phrases of columns begin.
    """
    behind = next((i for i in range(at + 1, len(words)) if words[i].norm not in STOPWORDS), -1)
    return words[at].norm in ADDING and behind in starts


def end_of_deduction(words: Sequence[Word], end: int, taken: Container[int]) -> int:
    """Behind `provident fund` in `provident fund deduction` or `income tax was deducted`: `end`, or past that word."""
    at = end
    while at < len(words) and words[at].norm in _WAS:
        at += 1
    return at + 1 if at < len(words) and at not in taken and words[at].stem in DEDUCTED else end
