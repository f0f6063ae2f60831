"""Documents as rows: an invoice's number, buyer, dates and totals are facts of the document, one row for each.

`Which invoice has the highest amount?` asks over documents, not over the lines of their tables. The facts come
from forms and grids of labels and values, from `Label: value` lines outside tables, and from printed total rows.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from contracts.documents import ColumnType, Line, Table, TableSummary
from contracts.numbers import infer_column_types, parse_number
from serve.compute.facts import LINE_TABLE, Fact, facts_of, line_table
from serve.compute.view import DOCUMENT_COLUMN, PERIOD_COLUMN, BodyRow, ColumnView, TableView
from serve.compute.words import word_stems

MOST_LABELS = 60
"""Labels of one kind of document that become columns, those that most documents have."""

Key = tuple[str, ...]


@dataclass(frozen=True)
class Unit:
    """A document, or one of those that a file holds page after page: a month's payslips are often one PDF."""

    about: TableSummary
    facts: Mapping[Key, Fact]


class DocumentsView(TableView):
    """One row per document; a column per label. Answers cite the rows that the facts stand in."""

    def __init__(
        self,
        tables: Sequence[Table],
        summaries: Mapping[str, TableSummary],
        lines: Mapping[str, Sequence[Line]],
        documents: Sequence[TableSummary],
    ) -> None:
        every = (*tables, *(line_table(d.doc_id, lines.get(d.doc_id, ())) for d in documents))
        facts: dict[str, list[Fact]] = defaultdict(list)
        for number, table in enumerate(every):
            facts[table.doc_id] += facts_of(number, table)
        self._units = tuple(
            Unit(d, one_of_each(part)) for d in documents for part in parts_of(facts[d.doc_id]) or ((),)
        )
        super().__init__(every, summaries)

    def _rows(self) -> tuple[BodyRow, ...]:
        return tuple(self._first(u) for u in self._units)

    def _first(self, unit: Unit) -> BodyRow:
        fact = next(iter(unit.facts.values()), None)
        if fact is not None:
            return BodyRow(fact.table, fact.row)
        number = next(n for n, t in enumerate(self.tables) if t.doc_id == unit.about.doc_id)
        return BodyRow(number, self.tables[number].rows[0])

    def _columns(self) -> tuple[ColumnView, ...]:
        labels = self._labels()
        texts = [[u.facts[key].value if key in u.facts else "" for u in self._units] for key, _ in labels]
        types = infer_column_types(texts)
        found = [
            ColumnView(i, name, texts[i], types[i], self._unproven_facts(key)) for i, (key, name) in enumerate(labels)
        ]
        for name, cells in (
            (DOCUMENT_COLUMN, [u.about.doc_name for u in self._units]),
            (PERIOD_COLUMN, [u.about.period or "" for u in self._units]),
        ):
            found.append(ColumnView(len(found), name, cells, ColumnType(), frozenset()))
        return tuple(found)

    def _labels(self) -> list[tuple[Key, str]]:
        """Labels by how many documents have them, then as they come; the spelling met first names the column."""
        count: dict[Key, int] = {}
        names: dict[Key, str] = {}
        for key, fact in (pair for u in self._units for pair in u.facts.items()):
            count[key] = count.get(key, 0) + 1
            names.setdefault(key, fact.label)
        kept = set(sorted(count, key=lambda k: -count[k])[:MOST_LABELS])
        return [(k, names[k]) for k in names if k in kept]

    def _unproven_facts(self, key: Key) -> frozenset[int]:
        found = ((i, u.facts.get(key)) for i, u in enumerate(self._units))
        return frozenset(
            i for i, f in found if f is not None and any(r == f.row.index for r, _ in self.tables[f.table].unproven)
        )

    def evidence(self, row: int, columns: Sequence[str]) -> tuple[BodyRow, ...]:
        facts = self._units[row].facts
        found = (facts.get(word_stems(name)) for name in columns)
        return tuple(BodyRow(f.table, f.row) for f in found if f is not None) or (self.rows[row],)

    def tables_of(self, rows: Sequence[int], columns: Sequence[str]) -> tuple[str, ...]:
        """Those that hold the facts; a file of a hundred payslips is not read whole for one of them."""
        held = {self.tables[e.table].table_id for r in rows for e in self.evidence(r, columns)}
        return tuple(t for t in self.table_ids if t in held) if held - {LINE_TABLE} else self.table_ids

    def printed(self) -> tuple[TableView, ...]:
        return tuple(TableView((t,), self.summaries) for t in self.tables if t.table_id != LINE_TABLE)

    @property
    def table_ids(self) -> tuple[str, ...]:
        return tuple(t.table_id for t in self.tables if t.table_id != LINE_TABLE)


def parts_of(facts: Sequence[Fact]) -> tuple[tuple[Fact, ...], ...]:
    """The facts of each document in a file: a new one begins on every page that has most labels of the first page,
    when what these labels say differs (who it is, not only how much)."""
    pages: dict[int, dict[Key, str]] = defaultdict(dict)
    for fact in facts:
        pages[fact.row.page].setdefault(fact.key, fact.value)
    if len(pages) < 2:
        return (tuple(facts),) if facts else ()
    opening = pages[min(pages)]
    starts = [p for p in sorted(pages) if 2 * len(opening.keys() & pages[p].keys()) > len(opening)]
    said = ({pages[p].get(key) for p in starts} for key in opening if key != word_stems("page"))
    if not any(len(values) > 1 and all(v is None or parse_number(v) is None for v in values) for values in said):
        return (tuple(facts),)
    parts: list[list[Fact]] = [[] for _ in starts]
    for fact in facts:
        parts[bisect_right(starts, fact.row.page) - 1].append(fact)
    return tuple(map(tuple, parts))


def one_of_each(facts: Sequence[Fact]) -> dict[Key, Fact]:
    """The facts by label; one whose label says two things in one document is none of them."""
    found: dict[Key, Fact] = {}
    doubtful: set[Key] = set()
    for fact in facts:
        known = found.setdefault(fact.key, fact)
        if known.value != fact.value:
            doubtful.add(fact.key)
    return {key: fact for key, fact in found.items() if key not in doubtful}
