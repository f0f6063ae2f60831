"""One page → its lines in reading order and its tables as drafts. After this the page's words are let go."""

from __future__ import annotations

from dataclasses import dataclass

from contracts.base import BBox
from contracts.documents import DocumentWarning, Line
from ingest.layout import PageContent, Word, hull
from ingest.lines import TextLine, group_lines
from ingest.tables.draft import DraftRow, DraftTable
from ingest.tables.find import find_tables
from ingest.tables.headers import count_header_rows, name_columns
from ingest.tables.raw import RawTable


@dataclass(frozen=True, slots=True)
class PageLine:
    """A line with the place it has in a table: (table's number on the page, row's number in it)."""

    line: Line
    table: int | None = None
    row: int | None = None


@dataclass(frozen=True, slots=True)
class PageParts:
    number: int
    height: float
    lines: tuple[PageLine, ...]
    tables: tuple[DraftTable, ...]
    warnings: tuple[DocumentWarning, ...]
    images: bool


def read_page(page: PageContent) -> PageParts:
    tables = find_tables(page)
    lines = _lines(page, tables)
    drafts = tuple(_draft(page, table, number, lines) for number, table in enumerate(tables))
    return PageParts(page.number, page.height, lines, drafts, _warnings(page), any(a.image for a in page.areas))


def _lines(page: PageContent, tables: list[RawTable]) -> tuple[PageLine, ...]:
    home: dict[int, tuple[int, int]] = {}
    for t, table in enumerate(tables):
        for r, row in enumerate(table.rows):
            home.update({id(word): (t, r) for word in row.words})
    parts: list[tuple[float, list[tuple[TextLine, int | None, int | None]]]] = []
    for t, table in enumerate(tables):
        inside = [(line, t, r) for r, row in enumerate(table.rows) for line in group_lines(row.words)]
        parts.append((table.bbox[1], inside))
    for line in group_lines(w for w in page.words if id(w) not in home):
        parts.append((line.top, [(line, None, None)]))
    parts.sort(key=lambda p: p[0])
    flat = [item for _, part in parts for item in part]
    return tuple(PageLine(_line(page, number, line), table, row) for number, (line, table, row) in enumerate(flat, 1))


def _line(page: PageContent, number: int, words: TextLine) -> Line:
    x0, top, x1, bottom = page.to_page(_box(words))
    return Line(page=page.number, line=number, text=words.text, x0=x0, top=top, x1=x1, bottom=bottom)


def _box(words: list[Word]) -> BBox:
    return hull([(w.x0, w.top, w.x1, w.bottom) for w in words])


def _draft(page: PageContent, table: RawTable, number: int, lines: tuple[PageLine, ...]) -> DraftTable:
    headers = table.header_rows or count_header_rows(table)
    rows = []
    for r, row in enumerate(table.rows):
        held = [p.line.line for p in lines if p.table == number and p.row == r]
        rows.append(
            DraftRow(
                cells=row.texts(table.width),
                page=page.number,
                line_start=min(held),
                line_end=max(held),
                bbox=page.to_page(row.bbox),
                header=r < headers,
            )
        )
    columns = name_columns(table.rows[:headers], table.width)
    return DraftTable((page.number,), table.xs, columns, tuple(rows), page.to_page(table.bbox), table.source)


_HIDDEN = {
    "invisible": "text that is printed invisibly",
    "white": "white text on white ground",
    "tiny": "text smaller than 2 points",
    "off page": "text outside the page",
}


def _warnings(page: PageContent) -> tuple[DocumentWarning, ...]:
    found = [
        DocumentWarning(
            code="hidden_text",
            message=f"Page {page.number} holds {_HIDDEN[why]}; it was left out: “{sample}”.",
            page=page.number,
        )
        for why, sample in page.hidden.items()
    ]
    return tuple(found)
