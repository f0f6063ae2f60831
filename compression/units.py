"""Chunks taken apart into sentences and rows."""

from __future__ import annotations

from collections import Counter
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
    """Whole tables from their chunks, in rank order of each table's best chunk.

    A very wide table comes in bands of columns, each with its own header: each band is a block.
    """
    grouped: dict[tuple[str, str], list[_Part]] = {}
    for part in _parts(chunks):
        grouped.setdefault((part.table_id, part.header), []).append(part)
    return tuple(_block(parts) for parts in grouped.values())


class _Part(Record):
    """A table chunk taken apart."""

    chunk: Chunk
    table_id: str
    header: str
    lines: tuple[str, ...]


def _parts(chunks: Sequence[Chunk]) -> list[_Part]:
    tables: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        if chunk.kind == "table":
            tables.setdefault(chunk.table_id or chunk.chunk_id, []).append(chunk)
    return [_part(table_id, chunk, _repeated(same)) for table_id, same in tables.items() for chunk in same]


def _repeated(chunks: Sequence[Chunk]) -> frozenset[str]:
    """First lines that several chunks of a table share: its header."""
    first = Counter(chunk.text.split("\n", 1)[0] for chunk in {c.chunk_id: c for c in chunks}.values())
    return frozenset(line for line, count in first.items() if count > 1)


def _part(table_id: str, chunk: Chunk, repeated: frozenset[str]) -> _Part:
    """A table chunk is a header line, unless the table has no column names, then one line for each row."""
    lines = chunk.text.split("\n")
    headed = lines[0] in repeated or len(lines) == _span(chunk) + 1 or (len(lines) > 1 and not _exact(chunk, lines))
    return _Part(chunk=chunk, table_id=table_id, header=lines[0] if headed else "", lines=tuple(lines[headed:]))


def _span(chunk: Chunk) -> int:
    return 1 if chunk.row_start is None or chunk.row_end is None else chunk.row_end - chunk.row_start + 1


def _exact(chunk: Chunk, lines: Sequence[str]) -> bool:
    """Every index of the span has its line, so that there is no header and none was left out."""
    return len(lines) == _span(chunk)


def _block(parts: Sequence[_Part]) -> TableBlock:
    in_order = sorted(parts, key=lambda p: (p.chunk.row_start or 0, p.chunk.ordinal))
    rows: dict[tuple[int, ...], Unit] = {}
    for part in in_order:
        for unit in _rows(part):
            rows.setdefault(unit.order, unit)
    first = in_order[0]
    return TableBlock(
        table_id=first.table_id,
        doc_id=first.chunk.doc_id,
        order=(first.chunk.page_start, first.chunk.line_start),
        header=first.header,
        rows=tuple(rows[key] for key in sorted(rows)),
    )


def _rows(part: _Part) -> list[Unit]:
    """`row` is known when no repeated header was left out between the chunk's first and last row."""
    chunk = part.chunk
    first = chunk.row_start or 0
    exact = len(part.lines) == _span(chunk)
    return [
        Unit(
            kind="row",
            chunk_id=chunk.chunk_id,
            doc_id=chunk.doc_id,
            text=line,
            page=chunk.page_start,
            line_start=chunk.line_start,
            line_end=chunk.line_end,
            section_title=chunk.section_title,
            table_id=part.table_id,
            row=first + offset if exact else None,
            order=(first, offset),
            reason="rows are exempt from the threshold",
        )
        for offset, line in enumerate(part.lines)
    ]
