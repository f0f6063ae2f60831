"""Table chunks: whole rows only, the header line on top of every one.

The text is `| cell | cell |`, one line for each row; the first line holds the column names unless the table has none.
The caption is in the prefix and the section title, never among the rows. A row longer than `chunk_size` stays whole.

When the header alone is longer than `chunk_size`, repeating it would multiply the sheet. Such a table is cut into
bands of columns instead, each with the first column in front: every cell is still found, and no chunk grows with the
number of columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from contracts.chunks import Chunk
from contracts.documents import ColumnKind, Document, DocumentWarning, ParsedDocument, Row, RowRole, Table
from ingest.naming import chunk_id, prefix_of, section_paths

Columns = tuple[int, ...]
"""Indices of the columns that a band shows."""

_CELL_IN_HEADER = 80
"""Characters of a column name in a header that does not fit: one endless name must not fill every chunk."""


def chunk_tables(parsed: ParsedDocument, size: int) -> Iterator[Chunk]:
    """Chunks of every table in order; `ordinal` is left 0."""
    titles = section_paths(parsed.outline)
    for table in parsed.tables:
        section = titles.get(table.section_id or "", "")
        for columns in bands(table, size):
            yield from _chunks_of(parsed.document, table, columns, section, size)


def wide_table_warnings(tables: Sequence[Table], size: int) -> Iterator[DocumentWarning]:
    for table in tables:
        if (count := len(bands(table, size))) > 1:
            yield DocumentWarning(
                code="wide_table",
                message=f"Table {table.title or table.table_id!r} has {len(table.columns)} columns; its header does not "
                f"fit CHUNK_SIZE={size}, so it is searched in {count} bands of columns. Counts and sums read it whole.",
                page=table.pages[0] if table.pages else None,
                table_id=table.table_id,
            )


def row_line(cells: Sequence[str]) -> str:
    """`| a | b |`; line breaks and bars inside a cell give way, so that one row stays one line."""
    return "| " + " | ".join(" ".join(cell.replace("|", "¦").split()) for cell in cells) + " |"


def bands(table: Table, size: int) -> list[Columns]:
    """All columns together, or, when the header does not fit, groups of columns whose header does."""
    every = tuple(range(len(table.columns)))
    if len(row_line(table.columns)) <= size:
        return [every]
    key = _key_column(table)
    cost = [min(len(name), _CELL_IN_HEADER) + 3 for name in table.columns]
    found: list[Columns] = []
    band, used = [key], cost[key]
    for column in (c for c in every if c != key):
        if len(band) > 1 and used + cost[column] > size // 2:
            found.append(tuple(band))
            band, used = [key], cost[key]
        band.append(column)
        used += cost[column]
    return [*found, tuple(band)]


def _key_column(table: Table) -> int:
    """The column that names a row: the first of codes, else the first of texts, else the first."""
    kinds = [column.kind for column in table.column_types]
    for kind in (ColumnKind.CODE, ColumnKind.TEXT):
        if kind in kinds:
            return kinds.index(kind)
    return 0


def _chunks_of(document: Document, table: Table, columns: Columns, section: str, size: int) -> Iterator[Chunk]:
    header = header_line(table, columns, size)
    rows = [row for row in table.rows if row.role is not RowRole.HEADER]
    prefix = prefix_of(document, section, table.title, shown_columns(table, columns))
    groups: Iterable[Sequence[Row]] = row_groups(rows, columns, size - len(header))
    if not rows and header and table.rows:
        groups = [table.rows]  # an empty register is an answer too: its header is found
    for group in groups:
        lines = [row_line(cells_of(row, columns)) for row in group if rows]
        first, last = group[0], group[-1]
        page_end, line_end = end_of(last)
        yield Chunk(
            chunk_id=table_chunk_id(table, columns, first),
            doc_id=document.doc_id,
            kind="table",
            text="\n".join([header, *lines] if header else lines),
            prefix=prefix,
            ordinal=0,
            page_start=first.page,
            page_end=page_end,
            line_start=first.line_start,
            line_end=line_end,
            section_id=table.section_id,
            section_title=section or table.title,
            table_id=table.table_id,
            row_start=first.index if rows else None,
            row_end=last.index if rows else None,
        )


def table_chunk_id(table: Table, columns: Columns, first: Row) -> str:
    return chunk_id(table.doc_id, "table", f"{table.table_id}:{first.index}:{columns[-1]}")


def header_line(table: Table, columns: Columns, size: int) -> str:
    line = row_line([table.columns[c] for c in columns])
    if len(line) > size:
        line = row_line([table.columns[c][:_CELL_IN_HEADER] for c in columns])
    return line if line.strip("| ") else ""


def shown_columns(table: Table, columns: Columns) -> str:
    """Which columns a band shows, "" when it shows all."""
    if len(columns) == len(table.columns):
        return ""
    return f"columns {columns[1] + 1} to {columns[-1] + 1} of {len(table.columns)}"


def cells_of(row: Row, columns: Columns) -> list[str]:
    return [row.cells[c] if c < len(row.cells) else "" for c in columns]


def row_groups(rows: Sequence[Row], columns: Columns, room: int) -> Iterator[list[Row]]:
    """Rows in order, as many as fit `room` characters, at least one."""
    group: list[Row] = []
    used = 0
    for row in rows:
        length = len(row_line(cells_of(row, columns))) + 1
        if group and used + length > room:
            yield group
            group, used = [], 0
        group.append(row)
        used += length
    if group:
        yield group


def end_of(row: Row) -> tuple[int, int]:
    """Page and line on which the row ends, also when it runs over a page break."""
    if row.continued:
        return row.continued[-1].page, row.continued[-1].line_end
    return row.page, row.line_end
