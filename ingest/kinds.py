"""What kind of document a title says it is: `Tax Invoice`, `Salary Register for June 2025`, `Employment Agreement`.

Only where a heading ends in the name of a kind, and only when all headings agree: a note on invoices is no invoice.
The kinds are those of the product's lexicon, so questions that name one find its documents.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from contracts.dates import ANY_MONTH

KINDS = {
    "payroll": (
        "(?:salary|pay|wages?|payroll) (?:register|sheet|slip|statement|summary)s?|payslips?|pay advice|payroll"
        "|n[oó]minas?|recibos? de n[oó]mina|registro de n[oó]mina"
    ),
    "invoice": "invoices?|facturas?",
    "contract": "contracts?|agreements?|amendment|addendum|contratos?|convenio|adenda",
    "policy": "polic(?:y|ies)|handbook|pol[ií]ticas?|reglamento",
    "statement": "(?:bank|account) statements?|statements? of accounts?|extractos? bancarios?|estados? de cuenta",
    "report": "(?:annual|quarterly|monthly|management|expense) reports?|informe (?:anual|trimestral|mensual)",
}
_MOST_WORDS = 12
"""Of a heading; longer lines are sentences."""
_ENDS = (
    rf"(?=\W*$|\s*[|(–—,-]|\s*\d|\s+(?:for|of|with|between|dated|from|period|{ANY_MONTH}|q[1-4]|fy"
    r"|para|de|del|entre|correspondiente)\b)"
)
"""What follows the name of a kind at the end of a heading's noun: nothing, a date, or a preposition."""
_NUMBERED = {"invoice": "invoices?|facturas?", "contract": "amendment|addendum|adenda"}
"""These are headed by their number; `Contract No. 7` or `Policy No. 12` on another document refers to one."""
_NUMBER = r"(?=\s*[:#]|\s+(?:no|nr|number|n[º°])(?![^\W_]))"
_INSIDE = re.compile(
    r"\b(?:on|about|of|for|to|in|with|or|from|by|per|this|that|these|our|your|see|is|are|sobre|de|del|para|este|esta)\b"
)
"""Words before it that make it part of something else."""
_PATTERNS = [
    *((kind, re.compile(rf"(?<![^\W_])(?:{names}){_ENDS}")) for kind, names in KINDS.items()),
    *((kind, re.compile(rf"(?<![^\W_])(?:{names}){_NUMBER}")) for kind, names in _NUMBERED.items()),
]


def kind_of(headings: Iterable[str]) -> str | None:
    """The one kind that the headings name; None when they name none, or several."""
    named = {kind for heading in headings for kind in _named(heading)}
    return named.pop() if len(named) == 1 else None


def _named(heading: str) -> set[str]:
    text = " ".join(re.sub(r"[_\s]+", " ", heading).lower().split())
    if len(text.split()) > _MOST_WORDS:
        return set()
    return {
        kind
        for kind, pattern in _PATTERNS
        if (found := pattern.search(text)) is not None and not _INSIDE.search(text[: found.start()])
    }
