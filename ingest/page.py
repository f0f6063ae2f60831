"""One page → its lines in reading order and its tables as drafts. After this the page's words are let go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from contracts.base import BBox
from contracts.documents import DocumentWarning, Line, Region
from contracts.numbers import number_tokens
from ingest.layout import PageContent, hull
from ingest.lines import TextLine, group_lines
from ingest.tables.draft import DraftRow, DraftTable
from ingest.tables.find import Found, find_tables
from ingest.tables.headers import count_header_rows, name_columns
from ingest.tables.join import PageTables, is_furniture, stays_open
from ingest.tables.proof import PageNumbers
from ingest.tables.raw import RawTable
from ingest.tables.titles import find_title


@dataclass(frozen=True, slots=True)
class Place:
    """A line's table (its number on the page) and row (its number in the table there)."""

    table: int
    row: int


@dataclass(frozen=True, slots=True)
class PageParts:
    number: int
    height: float
    lines: tuple[Line, ...]
    places: tuple[Place | None, ...]
    """For each line."""
    tables: tuple[DraftTable, ...]
    warnings: tuple[DocumentWarning, ...]

    def for_joining(self) -> PageTables:
        owners = [place.table if place else None for place in self.places]
        return PageTables(self.number, self.height, self.lines, owners, self.tables)


def read_page(page: PageContent, before: PageParts | None = None) -> PageParts:
    """`before`: the page before this one, whose last table may go on here."""
    open_table, is_head = _open_table(page, before)
    found = find_tables(page, open_table, is_head)
    ordered = _in_order(found)
    lines = tuple(_line(page, number, text) for number, (text, _) in enumerate(ordered, 1))
    places = tuple(place for _, place in ordered)
    numbers = PageNumbers(page.words)
    drafts = tuple(_draft(page, found, i, lines, places, numbers) for i in range(len(found.tables)))
    return PageParts(page.number, page.height, lines, places, drafts, _warnings(page))


def _open_table(page: PageContent, before: PageParts | None) -> tuple[DraftTable | None, Callable[[TextLine], bool]]:
    previous = before.for_joining() if before is not None else None
    lines = [_line(page, i, text) for i, text in enumerate(group_lines(page.words))]
    heads = partial(_is_head, page=page, other=previous.lines if previous else ())
    if previous is None or not stays_open(previous, lines):
        return None, heads
    return previous.tables[-1], heads


def _is_head(text: TextLine, page: PageContent, other: Sequence[Line]) -> bool:
    return is_furniture(_line(page, 0, text), page.height, other)


def _in_order(found: Found) -> list[tuple[TextLine, Place | None]]:
    """All lines in reading order: a table before the first loose line that stands beside or below its head."""
    ordered: list[tuple[TextLine, Place | None]] = [(line, None) for line in found.loose]
    for t in range(len(found.tables) - 1, -1, -1):
        table = found.tables[t]
        own = [(line, Place(t, r)) for r, row in enumerate(table.rows) for line in group_lines(row.words)]
        at = next((i for i, (line, _) in enumerate(ordered) if _comes_after(line, table)), len(ordered))
        ordered[at:at] = own
    return ordered


def _comes_after(line: TextLine, table: RawTable) -> bool:
    x0, top, x1, _ = table.bbox
    return line.top >= top and line.x0 < x1 and line.x1 > x0


def _line(page: PageContent, number: int, words: TextLine) -> Line:
    x0, top, x1, bottom = page.to_page(_box(words))
    return Line(page=page.number, line=number, text=words.text, x0=x0, top=top, x1=x1, bottom=bottom)


def _box(words: TextLine) -> BBox:
    return hull([(w.x0, w.top, w.x1, w.bottom) for w in words])


def _draft(
    page: PageContent,
    found: Found,
    number: int,
    lines: Sequence[Line],
    places: Sequence[Place | None],
    numbers: PageNumbers,
) -> DraftTable:
    table = found.tables[number]
    headers = table.header_rows or count_header_rows(table)
    rows = []
    for r, row in enumerate(table.rows):
        held = [line.line for line, place in zip(lines, places, strict=True) if place == Place(number, r)]
        cells = row.texts(table.width)
        box = page.to_page(row.bbox)
        rows.append(
            DraftRow(cells, page.number, min(held), max(held), box, r < headers, unproven=numbers.unproven(cells))
        )
    above = [line for line in found.loose if _stands_over(line, table, found.tables)]
    return DraftTable(
        pages=(page.number,),
        columns=name_columns(table.rows[:headers], table.width),
        rows=tuple(rows),
        extents=table.extents,
        source=table.source,
        title=find_title(above, table.bbox[1], table.rows[-1].words[0].size),
        orphans=_orphans(page, table, lines, places),
    )


def _stands_over(line: TextLine, table: RawTable, tables: Sequence[RawTable]) -> bool:
    """Whether a line is above the table, and no other table between."""
    x0, top, x1, _ = table.bbox
    between = (t.bbox[3] for t in tables if t is not table and t.bbox[3] <= top and t.bbox[0] < x1 and t.bbox[2] > x0)
    return max(between, default=0.0) <= line.top and line.bottom <= top + 2 and line.x0 < x1 and line.x1 > x0


def _orphans(
    page: PageContent, table: RawTable, lines: Sequence[Line], places: Sequence[Place | None]
) -> tuple[Region, ...]:
    """Lines with numbers inside the table's area that belong to no row."""
    x0, top, x1, bottom = page.to_page(table.bbox)
    return tuple(
        Region(page=line.page, line_start=line.line, line_end=line.line, bbox=(line.x0, line.top, line.x1, line.bottom))
        for line, place in zip(lines, places, strict=True)
        if place is None
        and top < (line.top + line.bottom) / 2 < bottom
        and x0 < (line.x0 + line.x1) / 2 < x1
        and number_tokens(line.text)
    )


_HIDDEN = {
    "invisible": "text that is printed invisibly",
    "white": "white text on white ground",
    "tiny": "text smaller than 2 points",
    "off page": "text outside the page",
}
_NOTES = {
    "ocr_text": "was read from the invisible layer behind a scanned image; recognised text may be wrong.",
    "too_many_rules": "has more drawing objects than are read; drawn tables on it may be incomplete.",
    "too_many_characters": "has more characters than are read; its end was left out.",
}


def _warnings(page: PageContent) -> tuple[DocumentWarning, ...]:
    hidden = [
        DocumentWarning(
            code="hidden_text",
            message=f"Page {page.number} holds {_HIDDEN[why]}; it was left out: “{sample}”.",
            page=page.number,
        )
        for why, sample in page.hidden.items()
    ]
    notes = [
        DocumentWarning(code=code, message=f"Page {page.number} {_NOTES[code]}", page=page.number)
        for code in page.notes
    ]
    if not page.words and any(a.image for a in page.areas):
        message = f"Page {page.number} is an image without a text layer; run OCR first, e.g. ocrmypdf."
        notes.append(DocumentWarning(code="no_text_layer", message=message, page=page.number))
    return (*hidden, *notes)
