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
_LEDGER = re.compile(
    r"\b(?:debits?|withdrawals?|dr|paid out|payments?|cargos?|debe|soll)\b.*"
    r"\b(?:credits?|deposits?|cr|paid in|receipts?|abonos?|haber|haben)\b"
    r"|\b(?:credits?|deposits?|cr|paid in|receipts?|abonos?|haber|haben)\b.*"
    r"\b(?:debits?|withdrawals?|dr|paid out|payments?|cargos?|debe|soll)\b",
    re.I,
)
"""Headers with a column for either side: rows are entries, and a balance between them is none."""
_BALANCE = re.compile(
    r"(?:(?:to|by)\s+)?(?:(?:opening|closing)\s+balance|(?:opening\s+|closing\s+)?balance\s+(?:[bc]\s*/\s*[fd]|"
    r"brought\s+(?:forward|down)|carried\s+(?:forward|down|over))|saldo\s+(?:inicial|final|anterior))\W*",
    re.I,
)
_CHARGE = re.compile(
    r"\b(?:[csi]gst|utgst|gst|vat|iva|mwst|ust|cess|tds|tcs|tax(?:es)?|discount|round(?:ed|ing)?[\s-]*off|rounding|freight|"
    r"shipping|handling|packing|surcharge|insurance|descuento)\b",
    re.I,
)
"""What stands between the sum of an invoice's items and its total."""
_SHORT = 6
"""Rows of charges that an invoice has at most."""
_ROWS = 2
"""Rows that must stand above a row for its numbers to be believed as their sums."""


def find_roles(rows: Sequence[Sequence[str]], headers: Sequence[bool]) -> list[RowRole]:
    """The role of each row. `rows` holds one text per column, `headers` which rows are known as header."""
    roles = [_by_words(texts, header) for texts, header in zip(rows, headers, strict=True)]
    _mark_balances(rows, roles)
    _mark_charges(rows, roles)
    _mark_unnamed_total(rows, roles)
    last = max((i for i, role in enumerate(roles) if role is RowRole.BODY), default=-1)
    inner = [
        i for i, role in enumerate(roles) if role is RowRole.TOTAL and i < last and not _GRAND.search(_label(rows[i]))
    ]
    for i in inner:
        roles[i] = RowRole.SUBTOTAL
    _mark_last_part(rows, roles, {_label(rows[i]).casefold() for i in inner})
    return roles


def _mark_balances(rows: Sequence[Sequence[str]], roles: list[RowRole]) -> None:
    """`Opening balance` in a ledger is no entry; in a table of two years it is a row like any other."""
    header = " ".join(t for texts, role in zip(rows, roles, strict=True) if role is RowRole.HEADER for t in texts)
    if not _LEDGER.search(header):
        return
    for i, texts in enumerate(rows):
        if roles[i] is RowRole.BODY and any(_BALANCE.fullmatch(t.strip()) for t in texts):
            roles[i] = RowRole.SUBTOTAL


def _mark_charges(rows: Sequence[Sequence[str]], roles: list[RowRole]) -> None:
    """Taxes and discounts between the items' sum and the total: unnumbered rows behind numbered ones."""
    sums = [i for i, role in enumerate(roles) if role in (RowRole.SUBTOTAL, RowRole.TOTAL)]
    if len(sums) < 2:
        return
    between = [i for i in range(sums[0] + 1, sums[-1]) if roles[i] is RowRole.BODY]
    items = [i for i in range(sums[0]) if roles[i] is RowRole.BODY]
    numbered = bool(items) and all(rows[i][0] for i in items)
    if numbered and len(between) <= _SHORT and all(not rows[i][0] and _CHARGE.search(_label(rows[i])) for i in between):
        for i in between:
            roles[i] = RowRole.SUBTOTAL


def _mark_last_part(rows: Sequence[Sequence[str]], roles: list[RowRole], inner: set[str]) -> None:
    """The last section's own sum, which has no row below it, is no total of the table. `inner`: labels of such sums
    further up."""
    for last in [i for i, role in enumerate(roles) if role is RowRole.TOTAL and _label(rows[i]).casefold() in inner]:
        body = [i for i, role in enumerate(roles) if role is RowRole.BODY and i < last]
        printed = [c for c, text in enumerate(rows[last]) if parse_number(text) is not None]
        if not (printed and all(_sums_up([rows[i][c] for i in body], rows[last][c]) for c in printed)):
            roles[last] = RowRole.SUBTOTAL


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
