"""What each row of a table is: header, body, group, subtotal or total."""

from __future__ import annotations

import re
from collections.abc import Sequence

from contracts.documents import RowRole

_TOTAL = r"totals?|gesamt|summe|insgesamt|suma|totales|sum"
_SUB = re.compile(
    r"\b(?:sub[\s-]?totals?|zwischensumme|total parcial|carried forward|brought forward|c/f|b/f)\b", re.IGNORECASE
)
_GRAND = re.compile(rf"\b(?:grand|overall|all|net|gross)?\s*(?:{_TOTAL})\b", re.IGNORECASE)


def role_of(texts: Sequence[str], header: bool) -> RowRole:
    """The role of a row by its words. `texts` has one entry per column."""
    if header:
        return RowRole.HEADER
    filled = [t for t in texts if t]
    label = next((t for t in filled if any(c.isalpha() for c in t)), "")
    if len(filled) > 1 and _SUB.search(label):
        return RowRole.SUBTOTAL
    if len(filled) > 1 and re.match(rf"^(?:grand\s+|overall\s+)?(?:{_TOTAL})\b", label, re.IGNORECASE):
        return RowRole.TOTAL
    if len(filled) == 1 and len(texts) > 1:
        return RowRole.GROUP
    return RowRole.BODY
