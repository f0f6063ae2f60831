"""A row that a page break cuts: its second part has texts but nothing that makes it a row of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace

from contracts.documents import DocumentWarning, Region
from ingest.tables.draft import DraftRow, DraftTable
from ingest.tables.headers import is_value
from ingest.tables.roles import is_total

_SAMPLE = 200
"""Rows looked at, so that long tables stay linear."""
_OFTEN = 0.3
"""Share of rows without a first cell from which its absence says nothing."""


@dataclass(frozen=True, slots=True)
class CutRow:
    row: DraftRow
    warnings: tuple[DocumentWarning, ...] = ()


def join_cut_row(first: DraftTable, part: DraftRow) -> CutRow | None:
    """The last row of `first` with the part of it that stands on the next page; None when `part` is its own row."""
    last = first.rows[-1]
    if last.header or is_total(last.cells) or is_total(part.cells) or not _goes_on(first, last, part):
        return None
    cells = tuple(f"{a} {b}".strip() for a, b in zip(last.cells, part.cells, strict=True))
    region = Region(page=part.page, line_start=part.line_start, line_end=part.line_end, bbox=part.bbox)
    row = replace(last, cells=cells, continued=(*last.continued, region), unproven=last.unproven + part.unproven)
    if not any(is_value(c) for c in part.cells):
        return CutRow(row)
    message = (
        f"Numbers at the top of page {part.page} stand without a label and were taken into the row that begins on "
        f"page {last.page}. Compare both pages."
    )
    return CutRow(row, (DocumentWarning(code="uncertain_row", message=message, page=part.page),))


def _goes_on(first: DraftTable, last: DraftRow, part: DraftRow) -> bool:
    cells = part.cells
    filled = [c for c, text in enumerate(cells) if text]
    values = [c for c in filled if is_value(cells[c])]
    if any(last.cells[c] for c in values):
        return False
    if 0 in filled:
        return filled == [0] and bool(last.cells[0]) and cells[0][:1].islower()
    body = [row for row in first.rows[-_SAMPLE:] if not row.header]
    unnamed = sum(not row.cells[0] for row in body[:-1])
    if unnamed > _OFTEN * max(len(body) - 1, 1):
        return not values and len(filled) <= len(cells) / 2
    return True
