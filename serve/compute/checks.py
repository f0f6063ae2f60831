"""Proofs that can fail: sums against printed totals, serial numbers, stray lines, numbers that the page does not hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from weakref import WeakKeyDictionary

from contracts.documents import Row, RowRole, Table
from contracts.numbers import parse_number
from contracts.plans import Check
from serve.compute.view import ColumnView, TableView
from serve.compute.words import word_stems

_TOTALS = frozenset({"total", "net", "payabl", "due", "balanc", "sum", "grand", "subtotal", "suma"})
_SERIALS = frozenset({("sr",), ("sl",), ("s",), ("serial",), ("no",), ("sr", "no"), ("sl", "no"), ("s", "no"), ("n",),
                      ("serial", "no"), ("serial", "number"), ("sno",), ("srno",), ("line", "no"), ("num",)})  # fmt: skip


_made: WeakKeyDictionary[TableView, tuple[Check, ...]] = WeakKeyDictionary()
"""Checks of views that are kept: they cannot change, since a view cannot."""


def check_all(view: TableView) -> tuple[Check, ...]:
    """All checks of all tables that the view stands on, in document order."""
    if view not in _made:
        _made[view] = tuple(c for v in view.printed() for n in range(len(v.tables)) for c in check_table(v, n))
    return _made[view]


def check_table(view: TableView, number: int) -> tuple[Check, ...]:
    """All checks of the view's table `number`, footing first, in column order."""
    table = view.tables[number]
    found = [*footing(view, number), *_serials(view, number), _orphans(table), _provenance(table)]
    return tuple(found)


def footing(view: TableView, number: int) -> Iterator[Check]:
    """The sum of the body rows against each printed total, per number column; subtotals against their own rows."""
    table = view.tables[number]
    for column in view.columns:
        if column.numeric and not column.made and not _is_rate(column) and not _is_running(view, column):
            yield from _foot(view, number, table, column)


def _is_rate(column: ColumnView) -> bool:
    """A printed figure below rates or percentages is an average or nothing, never their sum."""
    return column.type.kind == "percent"


def _is_running(view: TableView, column: ColumnView) -> bool:
    """A balance beside debits and credits: each cell holds those above it already."""
    return "balanc" in column.stems and any(view.may_be_empty(c) for c in view.columns)


def _foot(view: TableView, number: int, table: Table, column: ColumnView) -> Iterator[Check]:
    values = {
        b.row.index: column.numbers[i]
        for i, b in enumerate(view.rows)
        if b.table == number and column.numbers[i] is not None
    }
    running, since, adjusted = Decimal(0), Decimal(0), Decimal(0)
    counted = False
    for row in table.rows:
        if row.role is RowRole.BODY:
            amount = values.get(row.index) or Decimal(0)
            running, since, counted = running + amount, since + amount, True
        elif row.role is RowRole.GROUP:
            since = Decimal(0)
        elif row.role in (RowRole.SUBTOTAL, RowRole.TOTAL) and counted:
            printed = _printed(row, column)
            if printed is None:
                continue
            claims = (
                (since, running, running + adjusted) if row.role is RowRole.SUBTOTAL else (running, running + adjusted)
            )
            if printed not in claims and adjusted_by(row):
                adjusted += printed
                continue
            computed = (
                printed if printed in claims else claims[0] if row.role is RowRole.SUBTOTAL else running + adjusted
            )
            yield _footed(table, row, column, computed, printed)
            since = Decimal(0) if row.role is RowRole.SUBTOTAL else since


def adjusted_by(row: Row) -> bool:
    """Whether a row among the totals adds to them (a tax, a discount) rather than stating one."""
    label = word_stems(" ".join(c for c in row.cells if c and parse_number(c) is None))
    return bool(label) and not _TOTALS.intersection(label)


def _printed(row: Row, column: ColumnView) -> Decimal | None:
    cell = row.cells[column.index] if column.index < len(row.cells) else ""
    return parse_number(cell, column.type.style, column.type.unit) if cell.strip() else None


def _footed(table: Table, row: Row, column: ColumnView, computed: Decimal, printed: Decimal) -> Check:
    label = " ".join(c for c in row.cells if c.strip() and parse_number(c) is None) or row.role.value
    return Check(
        name="footing",
        passed=computed == printed,
        column=column.name,
        computed=f"{computed:f}",
        printed=f"{printed:f}",
        detail=f"{label.strip()}, page {row.page}",
        table_id=table.table_id,
    )


def _serials(view: TableView, number: int) -> Iterator[Check]:
    for column in view.columns:
        if column.made or not is_serial(column):
            continue
        values = column.numbers if column.numeric else [parse_number(t) for t in column.texts]
        printed = [values[i] for i, b in enumerate(view.rows) if b.table == number]
        gaps = _gaps([int(p) if p is not None and p == int(p) else None for p in printed])
        yield Check(
            name="serials",
            passed=not gaps,
            column=column.name,
            detail="; ".join(gaps[:5]) or f"{len(printed)} numbers without a gap",
            table_id=view.tables[number].table_id,
        )


def is_serial(column: ColumnView) -> bool:
    """A column headed `S.No.` or `#` whose first printed number is 1 or 0."""
    name = tuple(word_stems(column.name.replace(".", " ")))
    if name not in _SERIALS and column.name.strip() != "#":
        return False
    first = next((parse_number(t) for t in column.texts if t.strip()), None)
    return first in (Decimal(0), Decimal(1))


def _gaps(numbers: Sequence[int | None]) -> list[str]:
    """What is wrong with the run, in words; a new run may start at 1 (each department counts its own)."""
    found: list[str] = []
    before: int | None = None
    for place, n in enumerate(numbers, start=1):
        if n is None:
            found.append(f"row {place} has no number")
        elif before is not None and n not in (before + 1, 1):
            found.append(f"{before} is followed by {n}")
        before = n if n is not None else before
    return found


def _orphans(table: Table) -> Check:
    places = ", ".join(f"page {o.page} line {o.line_start}" for o in table.orphans[:5])
    detail = f"{len(table.orphans)} lines with numbers belong to no row: {places}" if table.orphans else "none"
    return Check(name="orphans", passed=not table.orphans, detail=detail, table_id=table.table_id)


def _provenance(table: Table) -> Check:
    detail = (
        f"{len(table.unproven)} numbers are not among the page's words"
        if table.unproven
        else "every number is on its page"
    )
    return Check(name="provenance", passed=not table.unproven, detail=detail, table_id=table.table_id)
