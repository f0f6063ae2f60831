"""A table on its way from the page to the record: texts and line numbers instead of words."""

from __future__ import annotations

from dataclasses import dataclass

from contracts.base import BBox
from contracts.documents import DocumentWarning, Region
from ingest.tables.raw import Source


@dataclass(frozen=True, slots=True)
class DraftRow:
    cells: tuple[str, ...]
    page: int
    line_start: int
    line_end: int
    bbox: BBox
    """On the page as it is shown."""
    header: bool = False
    continued: tuple[Region, ...] = ()
    unproven: tuple[int, ...] = ()
    """Columns whose number is not among the words of the page."""


@dataclass(frozen=True, slots=True)
class DraftTable:
    """A table, or the part of one that stands on one page."""

    pages: tuple[int, ...]
    columns: tuple[str, ...]
    rows: tuple[DraftRow, ...]
    extents: tuple[tuple[float, float], ...]
    """Where each column begins and ends on the page as it is read, points."""
    source: Source
    title: str = ""
    orphans: tuple[Region, ...] = ()
    warnings: tuple[DocumentWarning, ...] = ()

    @property
    def width(self) -> int:
        return len(self.columns)

    @property
    def headers(self) -> tuple[DraftRow, ...]:
        """The header rows it begins with."""
        count = next((i for i, row in enumerate(self.rows) if not row.header), len(self.rows))
        return self.rows[:count]
