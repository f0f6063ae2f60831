"""A CSV file as the one table of an index, for benchmarks of the planner alone."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from contracts.documents import Row, RowRole, Table, TableSummary
from contracts.filters import Scope
from contracts.numbers import infer_column_types


def read_table(path: Path) -> Table:
    """Header and rows of a CSV file; a row whose first filled cell is `total` gets that role."""
    with path.open(encoding="utf-8", newline="") as lines:
        header, *body = list(csv.reader(lines, doublequote=False, escapechar="\\"))
    return make_table(path.stem, header, body)


def make_table(name: str, header: Sequence[str], body: Sequence[Sequence[str]]) -> Table:
    width = len(header)
    rows = [_row(0, header, RowRole.HEADER)]
    rows += [_row(n, [*cells[:width], *[""] * (width - len(cells))], _role(cells)) for n, cells in enumerate(body, 1)]
    filled = [r for r in rows if r.role is RowRole.BODY]
    types = infer_column_types([[r.cells[i] for r in filled] for i in range(width)])
    return Table(
        table_id=name,
        doc_id=name,
        columns=tuple(header),
        column_types=types,
        rows=tuple(rows),
        pages=(1,),
        source="sheet",
    )


def _row(index: int, cells: Sequence[str], role: RowRole) -> Row:
    return Row(
        index=index,
        cells=tuple(cells),
        page=1,
        line_start=index + 1,
        line_end=index + 1,
        bbox=(0, index, 1, index + 1),
        role=role,
    )


def _role(cells: Sequence[str]) -> RowRole:
    first = next((c.strip().lower().rstrip(":") for c in cells if c.strip()), "")
    return RowRole.TOTAL if first.startswith(("total", "grand total")) else RowRole.BODY


class OneTable:
    """The part of an index that computing reads, over one table."""

    version = "bench"

    def __init__(self, table: Table, name: str) -> None:
        self._table = table
        body = sum(r.role is RowRole.BODY for r in table.rows)
        self._summary = TableSummary(
            table_id=table.table_id,
            doc_id=table.doc_id,
            doc_name=name,
            doc_type="unknown",
            period=None,
            title=table.title,
            columns=table.columns,
            column_types=table.column_types,
            body_rows=body,
            pages=table.pages,
        )

    def table_summaries(self, scope: Scope = Scope()) -> tuple[TableSummary, ...]:
        return (self._summary,)

    def table(self, table_id: str, scope: Scope = Scope()) -> Table | None:
        return self._table if table_id == self._table.table_id else None
