"""A table as found on one page, before roles, names and joining: words in cells, cells in rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from contracts.base import BBox
from ingest.layout import Word, hull
from ingest.lines import group_lines

Source = Literal["ruled", "aligned", "numbers", "sheet"]


class Cell(NamedTuple):
    """Words that belong together, in columns `c0` to `c1 - 1`."""

    c0: int
    c1: int
    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        return cell_text(self.words)


@dataclass(frozen=True)
class RawRow:
    cells: tuple[Cell, ...]
    """The filled ones, from left to right."""

    @cached_property
    def bbox(self) -> BBox:
        return hull([(w.x0, w.top, w.x1, w.bottom) for w in self.words])

    @property
    def words(self) -> list[Word]:
        return [w for cell in self.cells for w in cell.words]

    def texts(self, width: int) -> tuple[str, ...]:
        """One text per column; a spanning cell's text stands in its first column."""
        texts = [""] * width
        for cell in self.cells:
            texts[cell.c0] = f"{texts[cell.c0]} {cell.text}".strip()
        return tuple(texts)


@dataclass(frozen=True)
class RawTable:
    page: int
    extents: tuple[tuple[float, float], ...]
    """Where each column begins and ends, points."""
    rows: tuple[RawRow, ...]
    bbox: BBox
    source: Source
    header_rows: int = 0

    @property
    def width(self) -> int:
        return len(self.extents)


def cell_text(words: Iterable[Word]) -> str:
    """The words line by line, upright ones first, parted by single spaces."""
    words = list(words)
    across = [w for w in words if not w.upright]
    lines = group_lines(w for w in words if w.upright)
    return " ".join([*(line.text for line in lines), *(w.text for w in across)])
