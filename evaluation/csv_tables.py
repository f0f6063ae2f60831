"""A file's tables as an index of one document, for benchmarks of the planner alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from contracts.chunks import Chunk
from contracts.documents import Document, Line, ParsedDocument, RowRole, Table, TableSummary
from contracts.filters import Scope
from ingest.parse import parse_file


def read_document(path: Path) -> ParsedDocument:
    """The file as ingestion reads it.

    Raises:
        InputError: the file cannot be used.
    """
    return parse_file(path)


class DocumentIndex:
    """The part of an index that computing reads, over documents held in memory."""

    version = "bench"

    def __init__(self, documents: Sequence[ParsedDocument]) -> None:
        self._documents = tuple(documents)
        self._tables = {t.table_id: t for d in documents for t in d.tables}
        self._summaries = tuple(_summary(d, t) for d in documents for t in d.tables)

    def documents(self, scope: Scope = Scope()) -> tuple[Document, ...]:
        return tuple(d.document for d in self._documents)

    def table_summaries(self, scope: Scope = Scope()) -> tuple[TableSummary, ...]:
        return self._summaries

    def table(self, table_id: str, scope: Scope = Scope()) -> Table | None:
        return self._tables.get(table_id)

    def lines(self, doc_id: str, pages: Sequence[int] | None = None, scope: Scope = Scope()) -> tuple[Line, ...]:
        found = (d.lines for d in self._documents if d.document.doc_id == doc_id)
        return tuple(line for lines in found for line in lines if pages is None or line.page in pages)

    def chunks(self, scope: Scope = Scope(), ids: Sequence[str] | None = None) -> tuple[Chunk, ...]:
        """Nothing was chunked: codes are then looked for in the cells alone."""
        return ()


def _summary(parsed: ParsedDocument, table: Table) -> TableSummary:
    document = parsed.document
    return TableSummary(
        table_id=table.table_id,
        doc_id=document.doc_id,
        doc_name=document.name,
        doc_type=document.doc_type,
        period=document.period,
        title=table.title,
        columns=table.columns,
        column_types=table.column_types,
        body_rows=sum(r.role is RowRole.BODY for r in table.rows),
        pages=table.pages,
    )
