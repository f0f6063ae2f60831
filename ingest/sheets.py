"""Sheets → lines and tables through the same records as PDFs.

A sheet is a page, a row is a line. Titles above the header and notes below the table are lines only. Places have no
points here: a row's box is 0, row, columns, row + 1.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from contracts.documents import DocumentWarning, Line
from ingest.spreadsheet import Sheet, used
from ingest.tables.draft import DraftRow, DraftTable
from ingest.tables.headers import is_value

_UNNAMED = re.compile(r"(?:sheet|tabelle|hoja|feuil|foglio|planilha)\s*\d*$", re.IGNORECASE)
"""Names that programs give to sheets."""
_MOST = 4
"""Rows that a header has at most."""


@dataclass(frozen=True, slots=True)
class SheetParts:
    lines: tuple[Line, ...]
    tables: tuple[DraftTable, ...]
    warnings: tuple[DocumentWarning, ...]


def read_sheet(sheet: Sheet, page: int, first_row_is_header: bool) -> SheetParts:
    """Lines and tables of one sheet. `first_row_is_header`: as in CSV files, where years may be column names."""
    filled = [i for i, row in enumerate(sheet.rows) if any(row)]
    lines = tuple(_line(sheet, i, page) for i in filled)
    tables: list[DraftTable] = []
    heading = ""
    for block in _blocks(sheet, filled):
        table = _table(sheet, block, page, first_row_is_header, heading or sheet.name)
        if table is None:
            heading = " ".join(t for i in block for t in sheet.rows[i] if t)
        else:
            tables.append(table)
            heading = ""
    warnings = [DocumentWarning(code=code, message=message, page=page) for code, message in sheet.notes]
    return SheetParts(lines, tuple(tables), tuple(warnings))


def _line(sheet: Sheet, i: int, page: int) -> Line:
    number, text = sheet.numbers[i], " ".join(t for t in sheet.rows[i] if t)
    return Line(page=page, line=number, text=text, x0=0, top=number, x1=len(sheet.rows[i]), bottom=number + 1)


def _blocks(sheet: Sheet, filled: Sequence[int]) -> list[list[int]]:
    """Tables one below the other: parted by an empty row where the next one starts with names, not values."""
    blocks: list[list[int]] = []
    for i in filled:
        gap = bool(blocks) and i - blocks[-1][-1] > 1
        if not blocks or (gap and _names(sheet.rows[i]) and _values_below(sheet, i)):
            blocks.append([i])
        else:
            blocks[-1].append(i)
    return blocks


def _names(row: Sequence[str]) -> bool:
    filled = [t for t in row if t]
    return len(filled) > 1 and not any(is_value(t) for t in filled)


def _values_below(sheet: Sheet, i: int) -> bool:
    return i + 1 < len(sheet.rows) and any(is_value(t) for t in sheet.rows[i + 1])


def _table(sheet: Sheet, block: Sequence[int], page: int, first_row_is_header: bool, heading: str) -> DraftTable | None:
    width = used([sheet.rows[i] for i in block])
    body = [i for i in block if sum(map(bool, sheet.rows[i])) > 1]
    if not body:
        return None
    start = body[0]
    title = " ".join(t for i in block if i < start for t in sheet.rows[i] if t)
    rows = [i for i in block if i >= start]
    headers = _header_rows([sheet.rows[i] for i in rows], first_row_is_header)
    drafts = tuple(_row(sheet, i, width, page, n < headers) for n, i in enumerate(rows))
    return DraftTable(
        pages=(page,),
        columns=_names_of(sheet, rows[:headers], width),
        rows=drafts,
        extents=tuple((float(c), float(c + 1)) for c in range(width)),
        source="sheet",
        title=(title or heading) if first_row_is_header else _titled(title or heading, sheet.name),
        warnings=_ragged(sheet, rows, width),
    )


def _titled(title: str, sheet: str) -> str:
    """The table's own title behind the sheet's name, which may be all that tells one month's sheet from the next."""
    if _UNNAMED.match(sheet) or _folded(sheet) in _folded(title):
        return title
    return f"{sheet}: {title}"


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _header_rows(rows: Sequence[Sequence[str]], first_row_is_header: bool) -> int:
    if first_row_is_header:
        filled = [t for t in rows[0] if t]
        return 0 if filled and all(is_value(t) for t in filled) else 1
    for i, row in enumerate(rows[:_MOST]):
        if any(is_value(t) for t in row):
            return i
    return 1


def _row(sheet: Sheet, i: int, width: int, page: int, header: bool) -> DraftRow:
    number = sheet.numbers[i]
    cells = (*sheet.rows[i][:width], *[""] * (width - len(sheet.rows[i])))
    return DraftRow(cells, page, number, number, (0.0, float(number), float(width), float(number + 1)), header)


def _names_of(sheet: Sheet, headers: Sequence[int], width: int) -> tuple[str, ...]:
    levels: list[list[str]] = [[] for _ in range(width)]
    for i in headers:
        for c, text in enumerate(sheet.rows[i][:width]):
            for over in range(c, min(c + sheet.merged.get((sheet.numbers[i], c), 1), width)) if text else ():
                if text not in levels[over]:
                    levels[over].append(text)
    return tuple(" / ".join(parts) for parts in levels)


def _ragged(sheet: Sheet, rows: Sequence[int], width: int) -> tuple[DocumentWarning, ...]:
    """Records that have more fields than the header: a separator inside a text that nobody quoted."""
    expected = len(sheet.rows[rows[0]])
    odd = [sheet.numbers[i] for i in rows if used([sheet.rows[i]]) > expected]
    if not odd:
        return ()
    named = ", ".join(map(str, odd[:5]))
    message = f"{len(odd)} rows have more fields than the header's {expected} (rows {named}); check their separators."
    return (DocumentWarning(code="ragged_rows", message=message),)
