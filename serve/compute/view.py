"""One or several tables with the same columns as the planner sees them: body rows, typed values, words of cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property

from contracts.documents import ColumnKind, ColumnType, Row, RowRole, Table, TableSummary
from contracts.numbers import infer_column_types, parse_date, parse_number
from contracts.numerals import dissect, is_indian
from serve.compute.labels import carry_down
from serve.compute.measures import READERS, date_words, year_of
from serve.compute.words import norms, word_stems

GROUP_COLUMN = "(group)"
"""Name of the column made of group rows: the label above each stretch of rows."""
DOCUMENT_COLUMN = "(document)"
PERIOD_COLUMN = "(period)"

_DEBITS = frozenset({"debit", "withdrawal", "dr", "cargo", "debe"})
_CREDITS = frozenset({"credit", "deposit", "cr", "abono", "haber"})
_EMPTY = frozenset({"", "-", "–", "—", "n/a", "na", "none", "nil"})


@dataclass(frozen=True)
class BodyRow:
    """A body row and where it comes from. `group`: the text of the group row above it."""

    table: int
    row: Row
    group: str = ""


class ColumnView:
    """A column over all tables of the view, parsed when first asked."""

    def __init__(self, index: int, name: str, texts: Sequence[str], kind: ColumnType, unproven: frozenset[int]) -> None:
        self.index, self.name, self.texts, self.type = index, name, texts, kind
        self.unproven = unproven
        self.stems = word_stems(name)

    @property
    def numeric(self) -> bool:
        return self.type.kind in (ColumnKind.NUMBER, ColumnKind.PERCENT) and not self.type.mixed

    @property
    def made(self) -> bool:
        """Whether the column is not printed in the table but stands for its group, document or period."""
        return self.name in (GROUP_COLUMN, DOCUMENT_COLUMN, PERIOD_COLUMN)

    @cached_property
    def wordy(self) -> bool:
        """Whether cells are remarks rather than names: more than five words on average."""
        filled = [t for t in self.tokens if t]
        return sum(map(len, filled)) > 5 * len(filled)

    def empty(self, row: int) -> bool:
        return self.texts[row].strip().lower() in _EMPTY

    @cached_property
    def numbers(self) -> list[Decimal | None]:
        """Exact values of a number column; None for empty, unreadable and unproven cells."""
        if not self.numeric:
            return [None] * len(self.texts)
        style, unit = self.type.style, self.type.unit
        return [
            None if i in self.unproven or not t.strip() else parse_number(t, style, unit)
            for i, t in enumerate(self.texts)
        ]

    @cached_property
    def dates(self) -> list[date | None]:
        order = self.type.style.date_order if self.type.style else ""
        return [parse_date(t, order) for t in self.texts]

    @cached_property
    def years(self) -> list[int | None]:
        """The year when the cell names exactly one (`May 1998`; `1994-95` counts as 1994)."""
        return [year_of(t) for t in self.texts]

    @property
    def is_calendar(self) -> bool:
        """Whether most filled cells name a year."""
        filled = [i for i in range(len(self.texts)) if not self.empty(i)]
        return bool(filled) and sum(self.years[i] is not None for i in filled) >= 0.8 * len(filled)

    @cached_property
    def by_year(self) -> bool:
        """Whether cells are compared by the year they name: `1840s` and `2010 – present` are years, not numbers."""
        if not self.is_calendar or not self.numeric:
            return self.is_calendar
        return any(v is None and y is not None for v, y in zip(self.numbers, self.years, strict=True))

    @cached_property
    def measures(self) -> list[Decimal | None]:
        """What rows are ordered by: exact numbers, days, years, clock times, or the number a cell starts with."""
        if self.numeric:
            return self.numbers
        filled = [i for i in range(len(self.texts)) if not self.empty(i)]
        order = self.type.style.date_order if self.type.style else ""
        for read in READERS:
            values = [None if self.empty(i) else read(t, order) for i, t in enumerate(self.texts)]
            if filled and sum(values[i] is not None for i in filled) >= 0.9 * len(filled):
                return values
        return [None] * len(self.texts)

    @cached_property
    def tokens(self) -> list[tuple[str, ...]]:
        """Folded words per cell; a date cell also holds its month's name and its year."""
        if self.type.kind is not ColumnKind.DATE:
            return [norms(t) for t in self.texts]
        return [norms(t) + date_words(d) for t, d in zip(self.texts, self.dates, strict=True)]


class TableView:
    """Rows and columns over one table, or several whose columns agree."""

    def __init__(self, tables: Sequence[Table], summaries: Mapping[str, TableSummary]) -> None:
        self.tables = tuple(tables)
        self.summaries = summaries
        self.carried: frozenset[str] = frozenset()
        """Columns whose labels, printed once for several rows, stand for each of them here."""
        self.rows = self._rows()
        self.columns = self._columns()

    def __len__(self) -> int:
        return len(self.rows)

    def _rows(self) -> tuple[BodyRow, ...]:
        return tuple(b for n, t in enumerate(self.tables) for b in body_rows(n, t))

    def evidence(self, row: int, columns: Sequence[str]) -> tuple[BodyRow, ...]:
        """Where the cells of a view row under these columns are printed."""
        return (self.rows[row],)

    def tables_of(self, rows: Sequence[int], columns: Sequence[str]) -> tuple[str, ...]:
        """Ids of the tables that a result over these rows stands on: whole tables, whichever rows of them count."""
        return self.table_ids

    def printed(self) -> tuple[TableView, ...]:
        """The views whose tables stand in documents as they are: what can be checked."""
        return (self,)

    @property
    def table_ids(self) -> tuple[str, ...]:
        return tuple(t.table_id for t in self.tables)

    def column(self, name: str) -> ColumnView | None:
        return next((c for c in self.columns if c.name == name), None)

    def summary(self, table: int) -> TableSummary | None:
        return self.summaries.get(self.tables[table].table_id)

    def may_be_empty(self, column: ColumnView) -> bool:
        """Debit beside Credit: each row has one of the two, so an empty cell is no missing number."""
        sides = (_DEBITS, _CREDITS)
        own = next((side for side in sides if side & set(column.stems)), None)
        return own is not None and any(
            side & set(c.stems) for side in sides if side is not own for c in self.columns if c is not column
        )

    def about(self, doc_id: str) -> TableSummary | None:
        return next((s for s in self.summaries.values() if s.doc_id == doc_id), None)

    def _columns(self) -> tuple[ColumnView, ...]:
        first = self.tables[0]
        cells = [[b.row.cells[i] if i < len(b.row.cells) else "" for b in self.rows] for i in range(len(first.columns))]
        types = self._grouped(self._types(cells))
        cells, carried = carry_down(cells, types, [b.table for b in self.rows])
        self.carried = frozenset(name for i, name in enumerate(unique(first.columns)) if i in carried)
        unproven = {
            (n, r, c) for n, t in enumerate(self.tables) for r, c in t.unproven
        }  # a few cells at most, so a set over all tables
        found = [
            ColumnView(i, name, cells[i], types[i], self._unproven(i, unproven))
            for i, name in enumerate(unique(first.columns))
        ]
        if any(b.group for b in self.rows):
            found.append(self._made(len(found), GROUP_COLUMN, [b.group for b in self.rows]))
        if len(self.tables) > 1:
            about = [self.summary(b.table) for b in self.rows]
            found.append(self._made(len(found), DOCUMENT_COLUMN, [s.doc_name if s else "" for s in about]))
            found.append(self._made(len(found), PERIOD_COLUMN, [(s.period or "") if s else "" for s in about]))
        return tuple(found)

    def _types(self, cells: Sequence[Sequence[str]]) -> tuple[ColumnType, ...]:
        only = self.tables[0]
        if len(self.tables) == 1 and len(only.column_types) == len(only.columns):
            return only.column_types
        return infer_column_types(cells)

    def _grouped(self, types: tuple[ColumnType, ...]) -> tuple[ColumnType, ...]:
        """Types with Indian groups when any cell shows them: `90,000` tells nothing, the total below it does."""
        styles = [t.style for t in types]
        if not any(s is not None and s.indian for s in styles) and not self._totals_indian(types):
            return types
        return tuple(
            t.model_copy(update={"style": t.style.model_copy(update={"indian": True})}) if t.style is not None else t
            for t in types
        )

    def _totals_indian(self, types: Sequence[ColumnType]) -> bool:
        cells = (
            (dissect(cell), t.style)
            for table in self.tables
            for row in table.rows
            if row.role in (RowRole.TOTAL, RowRole.SUBTOTAL)
            for cell, t in zip(row.cells, types, strict=False)
            if t.style is not None
        )
        return any(n is not None and is_indian(n.core, s.decimal or ".", s.grouping) for n, s in cells)

    def _unproven(self, column: int, cells: set[tuple[int, int, int]]) -> frozenset[int]:
        return frozenset(i for i, b in enumerate(self.rows) if cells and (b.table, b.row.index, column) in cells)

    @staticmethod
    def _made(index: int, name: str, texts: list[str]) -> ColumnView:
        return ColumnView(index, name, texts, ColumnType(kind=ColumnKind.TEXT), frozenset())


def body_rows(number: int, table: Table) -> list[BodyRow]:
    """The table's body rows in order, each with the group label in force."""
    found, group = [], ""
    for row in table.rows:
        if row.role is RowRole.GROUP:
            group = " ".join(c for c in row.cells if c.strip())
        elif row.role is RowRole.TOTAL:
            group = ""
        elif row.role is RowRole.BODY:
            found.append(BodyRow(number, row, group))
    return found


def unique(names: Sequence[str]) -> list[str]:
    """Column names with a number after those that repeat or are empty, so that each names one column."""
    seen: dict[str, int] = {}
    found = []
    for position, name in enumerate(names, start=1):
        plain = " ".join(name.split()) or f"column {position}"
        seen[plain] = seen.get(plain, 0) + 1
        found.append(plain if seen[plain] == 1 else f"{plain} ({seen[plain]})")
    return found
