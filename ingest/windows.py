"""Sentence windows: overlapping runs of 2, 4, 8, … sentences, or of as many whole rows of a table.

They stand beside the chunks for multi-granularity retrieval. A window stays within a section or a table. A section
that one window holds whole is stored once and searched at every larger size as well: each size must see the whole
document, or its scores would be compared over a part of it.
The parent of a window of 2 or 4 sentences is one of 8, that of rows is the table chunk that holds the first of them.
Sentences and rows are numbered over the document in reading order, so that two windows can be compared for overlap.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from contracts.chunks import Chunk
from contracts.documents import Document, ParsedDocument, RowRole, Table
from contracts.sentences import Span, split_sentences
from encode.tokens import find_codes
from ingest.chunk import joined, prose_blocks, unsaid
from ingest.furniture import find_furniture
from ingest.naming import chunk_id, prefix_of, section_paths
from ingest.table_chunk import (
    bands,
    cells_of,
    end_of,
    header_line,
    row_groups,
    row_line,
    shown_columns,
    table_chunk_id,
)

USUAL = (1, 2, 4, 8, 16, 32, 64)
PARENT = 8
"""Sentences of the windows that smaller ones are promoted to."""


@dataclass(frozen=True, slots=True)
class _Unit:
    """A sentence or a row, and where it stands."""

    place: str
    page_start: int
    line_start: int
    page_end: int
    line_end: int
    row: int | None = None
    chunk: str | None = None
    """The table chunk that holds the row."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Units that may share a window, and what their windows have in common."""

    units: list[_Unit]
    common: dict[str, Any]
    text: Callable[[int, int], str]
    """Of the units [a, b)."""
    prefix: Callable[[str], str]
    """Of a window with this text."""


def make_windows(parsed: ParsedDocument, granularities: Sequence[int], chunk_size: int) -> list[Chunk]:
    """Windows of every granularity (sentences or rows), neighbours half overlapping.

    `chunk_size`: characters, as for table chunks; a table whose header is longer is read in bands of columns.
    """
    groups = sorted(
        [*_prose(parsed), *_tables(parsed, chunk_size)],
        key=lambda g: (g.units[0].page_start, g.units[0].line_start),
    )
    sizes = sorted(set(granularities))
    ordinals = dict.fromkeys(sizes, 0)
    windows: list[Chunk] = []
    numbered = 0
    for group in groups:
        for size, start, end in plan_group(len(group.units), sizes):
            windows.append(_window(parsed, group, size, start, end, sizes, numbered, ordinals[size]))
            ordinals[size] += 1
        numbered += len(group.units)
    return windows


def plan_group(units: int, sizes: Sequence[int]) -> list[tuple[int, int, int]]:
    """(size, start, end) of the windows over `units`, half-open; `sizes` ascending.

    A size is left out when the next smaller one already holds all units in one window, which then stands for it.
    """
    kept = [size for place, size in enumerate(sizes) if units > 0 and (place == 0 or units > sizes[place - 1])]
    return [(size, start, min(start + size, units)) for size in kept for start in _starts(units, size)]


def larger_sizes(size: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """The granularities above `size`: those asked for, and the usual ones, which may be asked for later."""
    return tuple(sorted(s for s in {*sizes, *USUAL} if s > size))


def _starts(units: int, size: int) -> list[int]:
    last = max(0, units - size)
    return sorted({*range(0, last, max(1, size // 2)), last})


def find_parent(units: int, size: int, start: int, end: int) -> tuple[int, int] | None:
    """(size, start) of the 8-sentence window that holds [start, end) and is centred best on it.

    In a group of 3 or 4 units it is the window of 4, which holds them all. It does not depend on which sizes are
    asked for, so that windows that are stored already keep their parent when others are added.
    """
    parent = PARENT if units > PARENT // 2 else PARENT // 2
    if size >= parent or size >= units:
        return None
    holding = [s for s in _starts(units, parent) if s <= start and end <= s + parent]
    return (parent, min(holding, key=lambda s: (abs(2 * s + parent - start - end), s))) if holding else None


def _window(
    parsed: ParsedDocument,
    group: _Group,
    size: int,
    start: int,
    end: int,
    sizes: Sequence[int],
    numbered: int,
    ordinal: int,
) -> Chunk:
    first, last = group.units[start], group.units[end - 1]
    text = group.text(start, end)
    return Chunk(
        chunk_id=_id(parsed, size, first),
        kind="window",
        text=text,
        prefix=group.prefix(text),
        ordinal=ordinal,
        page_start=first.page_start,
        line_start=first.line_start,
        page_end=last.page_end,
        line_end=last.line_end,
        row_start=first.row,
        row_end=last.row,
        granularity=size,
        stands_for=larger_sizes(size, sizes) if end - start == len(group.units) else (),
        sentence_start=numbered + start,
        sentence_end=numbered + end - 1,
        parent_id=first.chunk or _parent_id(parsed, group, size, start, end),
        codes=find_codes(text),
        **group.common,
    )


def _parent_id(parsed: ParsedDocument, group: _Group, size: int, start: int, end: int) -> str | None:
    parent = find_parent(len(group.units), size, start, end)
    return None if parent is None else _id(parsed, parent[0], group.units[parent[1]])


def _id(parsed: ParsedDocument, size: int, first: _Unit) -> str:
    return chunk_id(parsed.document.doc_id, "window", f"{size}:{first.place}")


def _prose(parsed: ParsedDocument) -> Iterator[_Group]:
    document = parsed.document
    for section_id, path, block in prose_blocks(parsed, find_furniture(parsed.lines)):
        text, starts = joined(block)
        spans = split_sentences(text, document.language)
        units = []
        for start, end in spans:
            first, last = block[bisect_right(starts, start) - 1], block[bisect_right(starts, end - 1) - 1]
            place = f"{block[0].page}.{block[0].line}+{start}"
            units.append(_Unit(place, first.page, first.line, last.page, last.line))
        if units:
            yield _Group(
                units=units,
                common={"doc_id": document.doc_id, "section_id": section_id, "section_title": path},
                text=partial(_sentences, text, spans),
                prefix=partial(_section_prefix, document, path),
            )


def _sentences(text: str, spans: list[Span], start: int, end: int) -> str:
    return text[spans[start][0] : spans[end - 1][1]]


def _section_prefix(document: Document, path: str, text: str) -> str:
    return prefix_of(document, *unsaid(path, text))


def _tables(parsed: ParsedDocument, chunk_size: int) -> Iterator[_Group]:
    titles = section_paths(parsed.outline)
    for table in parsed.tables:
        section = titles.get(table.section_id or "", "")
        for columns in bands(table, chunk_size):
            group = _rows(parsed, table, columns, section, chunk_size)
            if group.units:
                yield group


def _rows(parsed: ParsedDocument, table: Table, columns: tuple[int, ...], section: str, chunk_size: int) -> _Group:
    rows = [row for row in table.rows if row.role is not RowRole.HEADER]
    header = header_line(table, columns, chunk_size)
    lines = [row_line(cells_of(row, columns)) for row in rows]
    prefix = prefix_of(parsed.document, section, table.title, shown_columns(table, columns))
    units = []
    for group in row_groups(rows, columns, chunk_size - len(header)):
        chunk = table_chunk_id(table, columns, group[0])
        for row in group:
            place = f"{table.table_id}:{row.index}:{columns[-1]}"
            units.append(_Unit(place, row.page, row.line_start, *end_of(row), row.index, chunk))
    return _Group(
        units=units,
        common={
            "doc_id": parsed.document.doc_id,
            "section_id": table.section_id,
            "section_title": section or table.title,
            "table_id": table.table_id,
        },
        text=lambda a, b: "\n".join([header, *lines[a:b]] if header else lines[a:b]),
        prefix=lambda _: prefix,
    )
