"""What each row of a table is: header, body, group, subtotal or total."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from contracts.documents import RowRole
from contracts.numbers import parse_number

_TOTAL = re.compile(
    r"^(?:(?:grand|overall|sum|all|net|gross|final)\s+)?(?:totals?|gesamt\w*|summe|insgesamt|suma|totales|σύνολο)\b"
    r"|\b(?:grand|overall)\s+totals?\b|\btotals?\s*:?$",
    re.I,
)
_SUB = re.compile(
    r"\b(?:sub[\s-]?totals?|zwischensumme|subtotales|total parcial|page total|carried (?:forward|over)|brought forward)\b"
    r"|^[cb]/[fd]\b",
    re.I,
)
_GRAND = re.compile(r"\bgrand\b|\boverall\b|\bgesamt", re.I)
_ROWS = 2
"""Rows that must stand above a row for its numbers to be believed as their sums."""


def find_roles(rows: Sequence[Sequence[str]], headers: Sequence[bool]) -> list[RowRole]:
    """The role of each row. `rows` holds one text per column, `headers` which rows are known as header."""
    roles = [_by_words(texts, header) for texts, header in zip(rows, headers, strict=True)]
    _mark_unnamed_total(rows, roles)
    last = max((i for i, role in enumerate(roles) if role is RowRole.BODY), default=-1)
    return [
        RowRole.SUBTOTAL if role is RowRole.TOTAL and i < last and not _GRAND.search(_label(rows[i])) else role
        for i, role in enumerate(roles)
    ]


def _by_words(texts: Sequence[str], header: bool) -> RowRole:
    if header:
        return RowRole.HEADER
    filled = [t for t in texts if t]
    if len(filled) == 1 and len(texts) > 1 and any(c.isalpha() for c in filled[0]):
        return RowRole.GROUP
    label = _label(texts)
    if _SUB.search(label):
        return RowRole.SUBTOTAL
    return RowRole.TOTAL if _TOTAL.search(label) else RowRole.BODY


def is_total(texts: Sequence[str]) -> bool:
    """Whether the row's own words name it a total or subtotal."""
    return bool(_SUB.search(_label(texts)) or _TOTAL.search(_label(texts)))


def _label(texts: Sequence[str]) -> str:
    """The first text with a letter in it, if nothing but empty cells stands before it."""
    first = next((t for t in texts if t), "")
    return first if any(c.isalpha() for c in first) and parse_number(first) is None else ""


def _mark_unnamed_total(rows: Sequence[Sequence[str]], roles: list[RowRole]) -> None:
    """A last row without a label whose numbers are the sums of the rows above is the total."""
    body = [i for i, role in enumerate(roles) if role is RowRole.BODY]
    if len(body) <= _ROWS or rows[body[-1]][0]:
        return
    last, above = body[-1], body[:-1]
    sums = [c for c, text in enumerate(rows[last]) if parse_number(text) is not None]
    if sums and all(_sums_up([rows[i][c] for i in above], rows[last][c]) for c in sums):
        roles[last] = RowRole.TOTAL


def _sums_up(cells: Sequence[str], printed: str) -> bool:
    values = [v for text in cells if (v := parse_number(text)) is not None]
    return len(values) >= _ROWS and sum(values, Decimal(0)) == parse_number(printed)
