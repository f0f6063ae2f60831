"""Draft tables → the records: ids, roles and column types."""

from __future__ import annotations

from contracts.documents import Row, RowRole, Table
from contracts.numbers import infer_column_types
from ingest.tables.doubts import find_doubts
from ingest.tables.draft import DraftTable
from ingest.tables.roles import find_roles


def build_table(doc_id: str, number: int, draft: DraftTable) -> Table:
    """The record of the document's `number`th table (1-based)."""
    roles = find_roles([row.cells for row in draft.rows], [row.header for row in draft.rows])
    rows = tuple(
        Row(
            index=i,
            cells=row.cells,
            page=row.page,
            line_start=row.line_start,
            line_end=row.line_end,
            bbox=row.bbox,
            role=roles[i],
            continued=row.continued,
        )
        for i, row in enumerate(draft.rows)
    )
    body = [r.cells for r in rows if r.role is RowRole.BODY]
    table_id = f"{doc_id[:12]}-t{number}"
    types = infer_column_types([[cells[c] for cells in body] for c in range(draft.width)])
    unproven = tuple((i, c) for i, row in enumerate(draft.rows) for c in row.unproven)
    warnings = (*draft.warnings, *find_doubts(draft.columns, types, rows, unproven))
    return Table(
        table_id=table_id,
        doc_id=doc_id,
        title=draft.title,
        columns=draft.columns,
        column_types=types,
        rows=rows,
        pages=draft.pages,
        source=draft.source,
        orphans=draft.orphans,
        unproven=unproven,
        warnings=tuple(w.model_copy(update={"table_id": table_id}) for w in warnings),
    )
