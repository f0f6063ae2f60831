"""Documents as rows: an invoice's number, buyer, dates and totals are facts of the document, one row for each file.

`Which invoice has the highest amount?` asks over documents, not over the lines of their tables. The facts come
from two-column forms, from `Label: value` lines outside tables, and from printed total rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from contracts.documents import ColumnType, Line, Row, RowRole, Table, TableSummary
from contracts.numbers import infer_column_types, parse_number
from serve.compute.view import DOCUMENT_COLUMN, PERIOD_COLUMN, BodyRow, ColumnView, TableView
from serve.compute.words import word_stems

MOST_LABELS = 60
"""Labels of one kind of document that become columns, those that most documents have."""
LINE_TABLE = "lines"
"""Table id of facts that stand outside tables; such a citation names lines only."""

_LABELLED = re.compile(r"^\s*([^\W\d][^:\d]{1,38}?)\s*:\s+(\S.*)$")


@dataclass(frozen=True)
class Fact:
    """`label` of a document is `value`, printed in `row`. `table` indexes the view's tables."""

    document: str
    label: str
    value: str
    table: int
    row: Row


class DocumentsView(TableView):
    """One row per document; a column per label. Answers cite the rows that the facts stand in."""

    def __init__(
        self,
        tables: Sequence[Table],
        summaries: Mapping[str, TableSummary],
        lines: Mapping[str, Sequence[Line]],
        documents: Sequence[TableSummary],
    ) -> None:
        self._documents = documents
        loose = [_line_table(d.doc_id, lines.get(d.doc_id, ())) for d in documents]
        every = (*tables, *loose)
        self._facts: dict[tuple[str, tuple[str, ...]], Fact] = {}
        for number, table in enumerate(every):
            for fact in facts_of(number, table):
                self._facts.setdefault((fact.document, word_stems(fact.label)), fact)
        super().__init__(every, summaries)

    def _rows(self) -> tuple[BodyRow, ...]:
        return tuple(self._first(d.doc_id) for d in self._documents)

    def _first(self, doc_id: str) -> BodyRow:
        fact = next((f for f in self._facts.values() if f.document == doc_id), None)
        if fact is not None:
            return BodyRow(fact.table, fact.row)
        number = next(n for n, t in enumerate(self.tables) if t.doc_id == doc_id)
        return BodyRow(number, self.tables[number].rows[0])

    def _columns(self) -> tuple[ColumnView, ...]:
        labels = self._labels()
        texts = [[self._text(d.doc_id, key) for d in self._documents] for key, _ in labels]
        types = infer_column_types(texts)
        found = [
            ColumnView(i, name, texts[i], types[i], self._unproven_facts(key)) for i, (key, name) in enumerate(labels)
        ]
        for name, cells in (
            (DOCUMENT_COLUMN, [d.doc_name for d in self._documents]),
            (PERIOD_COLUMN, [d.period or "" for d in self._documents]),
        ):
            found.append(ColumnView(len(found), name, cells, ColumnType(), frozenset()))
        return tuple(found)

    def _labels(self) -> list[tuple[tuple[str, ...], str]]:
        """Labels by how many documents have them, then as they come; the spelling met first names the column."""
        count: dict[tuple[str, ...], int] = {}
        names: dict[tuple[str, ...], str] = {}
        for (_, key), fact in self._facts.items():
            count[key] = count.get(key, 0) + 1
            names.setdefault(key, " ".join(fact.label.split()))
        kept = sorted(count, key=lambda k: -count[k])[:MOST_LABELS]
        return [(k, names[k]) for k in names if k in kept]

    def _text(self, doc_id: str, key: tuple[str, ...]) -> str:
        fact = self._facts.get((doc_id, key))
        return fact.value if fact is not None else ""

    def _unproven_facts(self, key: tuple[str, ...]) -> frozenset[int]:
        found = ((i, self._facts.get((d.doc_id, key))) for i, d in enumerate(self._documents))
        return frozenset(
            i for i, f in found if f is not None and any(r == f.row.index for r, _ in self.tables[f.table].unproven)
        )

    def evidence(self, row: int, columns: Sequence[str]) -> tuple[BodyRow, ...]:
        doc_id = self._documents[row].doc_id
        found = (self._facts.get((doc_id, word_stems(name))) for name in columns)
        return tuple(BodyRow(f.table, f.row) for f in found if f is not None) or (self.rows[row],)

    def printed(self) -> tuple[TableView, ...]:
        return tuple(TableView((t,), self.summaries) for t in self.tables if t.table_id != LINE_TABLE)

    @property
    def table_ids(self) -> tuple[str, ...]:
        return tuple(t.table_id for t in self.tables if t.table_id != LINE_TABLE)


def facts_of(number: int, table: Table) -> Iterator[Fact]:
    """The label-value pairs of a form, or the printed totals of a wider table."""
    form = is_form(table)
    for row in table.rows:
        if not form and row.role not in (RowRole.TOTAL, RowRole.SUBTOTAL):
            continue
        filled = [c for c in row.cells if c.strip()]
        value = row.cells[1] if form and len(row.cells) > 1 else filled[-1] if len(filled) > 1 else ""
        label = filled[0] if filled else ""
        if label and value.strip() and label != value and word_stems(label) and parse_number(label) is None:
            yield Fact(table.doc_id, label.strip().rstrip(":"), value.strip(), number, row)


def is_form(table: Table) -> bool:
    """Two columns, the first of which holds no numbers: labels and their values."""
    if len(table.columns) != 2:
        return False
    labels = [r.cells[0] for r in table.rows if r.cells and r.cells[0].strip()]
    return bool(labels) and all(parse_number(c) is None for c in labels) and len(set(labels)) == len(labels)


def _line_table(doc_id: str, lines: Sequence[Line]) -> Table:
    """`Label: value` lines outside tables, as rows that can be cited."""
    rows = [
        Row(
            index=n,
            cells=(m[1], m[2]),
            page=line.page,
            line_start=line.line,
            line_end=line.line,
            bbox=(line.x0, line.top, line.x1, line.bottom),
        )
        for n, line in enumerate(lines)
        if line.table_id is None and (m := _LABELLED.match(line.text)) is not None
    ]
    columns = ("label", "value")
    return Table(table_id=LINE_TABLE, doc_id=doc_id, columns=columns, rows=tuple(rows), pages=(), source="numbers")
