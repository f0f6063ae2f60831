"""Chunks taken apart into sentences and rows."""

from __future__ import annotations

from collections.abc import Sequence

from compression.records import Unit
from contracts.base import Record
from contracts.chunks import Chunk
from contracts.sentences import split_sentences


class TableBlock(Record):
    """One table's chunks put together: the header once, each row once, in document order."""

    table_id: str
    doc_id: str
    order: tuple[int, ...]
    """Where it starts: page, line."""
    header: str
    rows: tuple[Unit, ...]


def sentences_of(chunk: Chunk, language: str = "en") -> tuple[Unit, ...]:
    """The sentences of a prose chunk, each with its lines where the chunk's text keeps line breaks."""
    return tuple(
        _sentence(chunk, number, start, end)
        for number, (start, end) in enumerate(split_sentences(chunk.text, language))
    )


def _sentence(chunk: Chunk, number: int, start: int, end: int) -> Unit:
    first, last = chunk.line_start, chunk.line_end
    page = chunk.page_start
    if chunk.page_start == chunk.page_end and chunk.text.count("\n") == chunk.line_end - chunk.line_start:
        first = chunk.line_start + chunk.text.count("\n", 0, start)
        last = chunk.line_start + chunk.text.count("\n", 0, end)
    return Unit(
        kind="sentence",
        chunk_id=chunk.chunk_id,
        doc_id=chunk.doc_id,
        text=" ".join(chunk.text[start:end].split()),
        page=page,
        line_start=first,
        line_end=max(first, last),
        section_title=chunk.section_title,
        order=(chunk.page_start, chunk.line_start, chunk.ordinal, number),
    )


def tables_of(chunks: Sequence[Chunk]) -> tuple[TableBlock, ...]:
    """Whole tables from their chunks, in rank order of each table's best chunk."""
    grouped: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        if chunk.kind == "table" and chunk.table_id is not None:
            grouped.setdefault(chunk.table_id, []).append(chunk)
    return tuple(_block(table_id, parts) for table_id, parts in grouped.items())


def _block(table_id: str, parts: Sequence[Chunk]) -> TableBlock:
    in_order = sorted(parts, key=lambda c: (c.row_start if c.row_start is not None else -1, c.ordinal))
    rows: dict[int, Unit] = {}
    header = ""
    for chunk in in_order:
        head, body = split_table_text(chunk)
        header = header or head
        for row in _rows(chunk, body):
            rows.setdefault(row.order[0], row)
    return TableBlock(
        table_id=table_id,
        doc_id=parts[0].doc_id,
        order=(in_order[0].page_start, in_order[0].line_start),
        header=header,
        rows=tuple(rows[i] for i in sorted(rows)),
    )


def split_table_text(chunk: Chunk) -> tuple[str, tuple[str, ...]]:
    """Header lines and row lines of a table chunk, which has one line for each row of its span."""
    lines = chunk.text.split("\n")
    span = 1 if chunk.row_start is None or chunk.row_end is None else chunk.row_end - chunk.row_start + 1
    cut = max(len(lines) - span, 0)
    return "\n".join(lines[:cut]), tuple(lines[cut:])


def _rows(chunk: Chunk, body: Sequence[str]) -> tuple[Unit, ...]:
    first = chunk.row_start or 0
    return tuple(
        Unit(
            kind="row",
            chunk_id=chunk.chunk_id,
            doc_id=chunk.doc_id,
            text=line,
            page=chunk.page_start,
            line_start=chunk.line_start,
            line_end=chunk.line_end,
            section_title=chunk.section_title,
            table_id=chunk.table_id,
            row=first + offset,
            order=(first + offset,),
        )
        for offset, line in enumerate(body)
    )
