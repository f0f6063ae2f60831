"""Small tables and an index of them, made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from contracts.chunks import Chunk
from contracts.documents import Document, Line, Row, RowRole, Table, TableSummary
from contracts.filters import Match, Scope
from contracts.numbers import infer_column_types
from contracts.plans import Computation
from contracts.questions import Question
from serve.compute import compute
from serve.lexicon import load_lexicon

REGISTER = ("Emp ID", "Name", "Department", "Basic", "Deductions", "Net Pay")
MAY = (
    ("ST001", "Asha Rao", "Weaving", "50,000.00", "5,000.00", "45,000.00"),
    ("ST002", "Vikram Shah", "Dyeing", "60,000.00", "6,000.00", "54,000.00"),
    ("ST003", "Meena Iyer", "Weaving", "1,20,000.00", "20,000.00", "1,00,000.00"),
    ("ST004", "Ravi Kumar", "Stores", "30,000.00", "2,500.50", "27,499.50"),
)
JUNE = (
    ("ST001", "Asha Rao", "Weaving", "50,000.00", "5,000.00", "45,000.00"),
    ("ST002", "Vikram Shah", "Dyeing", "62,000.00", "6,000.00", "56,000.00"),
    ("ST003", "Meena Iyer", "Weaving", "1,20,000.00", "20,000.00", "1,00,000.00"),
    ("ST005", "Leela Nair", "Weaving", "40,000.00", "4,000.00", "36,000.00"),
    ("ST006", "Imran Khan", "Stores", "35,000.00", "-", "35,000.00"),
)
JUNE_TOTAL = ("", "Total", "", "3,07,000.00", "35,000.00", "2,72,000.00")
MAY_TOTAL = ("", "Total", "", "2,60,000.00", "33,500.50", "2,26,499.50")


def table(
    name: str,
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    roles: Mapping[int, RowRole] | None = None,
    pages: Mapping[int, int] | None = None,
) -> Table:
    """A table with its header as row 0; `roles` and `pages` by position in `rows`, body and page 1 when not said."""
    made = [_row(0, header, RowRole.HEADER, 1)]
    for n, cells in enumerate(rows):
        made.append(_row(n + 1, cells, (roles or {}).get(n, RowRole.BODY), (pages or {}).get(n, 1)))
    body = [r for r in made if r.role is RowRole.BODY]
    types = infer_column_types([[r.cells[i] for r in body] for i in range(len(header))])
    return Table(
        table_id=name,
        doc_id=f"doc-{name}",
        title="",
        columns=tuple(header),
        column_types=types,
        rows=tuple(made),
        pages=tuple(sorted({r.page for r in made})),
        source="ruled",
    )


def _row(index: int, cells: Sequence[str], role: RowRole, page: int) -> Row:
    top = 100.0 + 10 * index
    return Row(
        index=index,
        cells=tuple(cells),
        page=page,
        line_start=index + 1,
        line_end=index + 1,
        bbox=(50, top, 500, top + 10),
        role=role,
    )


def register(name: str, rows: Sequence[Sequence[str]], total: Sequence[str] | None) -> Table:
    every = [*rows, total] if total else list(rows)
    return table(name, REGISTER, every, {len(rows): RowRole.TOTAL} if total else None)


class MemoryIndex:
    """Tables with their documents' names, types and periods."""

    version = "1"
    without_tables: tuple[Document, ...] = ()
    """Documents that have lines at most."""

    def __init__(self, *entries: tuple[Table, str, str, str | None], lines: Mapping[str, Sequence[Line]] | None = None):
        self._tables = {t.table_id: t for t, *_ in entries}
        self._lines = dict(lines or {})
        self._summaries = tuple(
            TableSummary(
                table_id=t.table_id,
                doc_id=t.doc_id,
                doc_name=name,
                doc_type=kind,
                period=period,
                title=t.title,
                columns=t.columns,
                column_types=t.column_types,
                body_rows=sum(r.role is RowRole.BODY for r in t.rows),
                pages=t.pages,
            )
            for t, name, kind, period in entries
        )

    def documents(self, scope: Scope = Scope()) -> tuple[Document, ...]:
        return self.without_tables

    def table_summaries(self, scope: Scope = Scope()) -> tuple[TableSummary, ...]:
        wanted = [set(m.any_of) for m in scope.must if isinstance(m, Match) and m.field == "doc_id"]
        return tuple(s for s in self._summaries if all(s.doc_id in w for w in wanted))

    def table(self, table_id: str, scope: Scope = Scope()) -> Table | None:
        return self._tables.get(table_id)

    def lines(self, doc_id: str, pages: Sequence[int] | None = None, scope: Scope = Scope()) -> tuple[Line, ...]:
        return tuple(self._lines.get(doc_id, ()))

    def chunks(self, scope: Scope = Scope(), ids: Sequence[str] | None = None) -> tuple[Chunk, ...]:
        codes = {c for m in scope.must if isinstance(m, Match) and m.field == "codes" for c in m.any_of}
        found = (t for t in self._tables.values() if any(codes & set(r.cells) for r in t.rows))
        return tuple(_chunk(t) for t in found)


def _chunk(source: Table) -> Chunk:
    return Chunk(
        chunk_id=source.table_id,
        doc_id=source.doc_id,
        kind="table",
        text=" ".join(c for r in source.rows for c in r.cells),
        ordinal=0,
        page_start=1,
        page_end=1,
        line_start=1,
        line_end=len(source.rows),
        table_id=source.table_id,
    )


def months() -> MemoryIndex:
    """The registers of May and June 2025."""
    return MemoryIndex(
        (register("may", MAY, MAY_TOTAL), "Register_May_2025.pdf", "salary_register", "2025-05"),
        (register("june", JUNE, JUNE_TOTAL), "Register_June_2025.pdf", "salary_register", "2025-06"),
    )


def june(total: Sequence[str] | None = JUNE_TOTAL) -> MemoryIndex:
    return MemoryIndex((register("june", JUNE, total), "Register_June_2025.pdf", "salary_register", "2025-06"))


def ask(
    index: MemoryIndex, text: str, periods: tuple[str, ...] = (), codes: tuple[str, ...] = (), language: str = "en"
) -> Computation:
    question = Question(text=text, periods=periods, codes=codes, language=language)
    return compute(question, index=index, scope=Scope(), candidates=(), lexicon=load_lexicon(), dense=None)
