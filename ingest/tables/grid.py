"""A table's frame on one page: column and row borders, and which fields are one cell."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from contracts.base import BBox
from ingest.layout import Word
from ingest.tables.raw import Cell, RawRow, RawTable

_NARROW = 8.0
"""Points: an empty column up to this wide is the space between double rules."""


class Span(NamedTuple):
    """A cell: rows `r0` to `r1 - 1`, columns `c0` to `c1 - 1` of its grid."""

    r0: int
    r1: int
    c0: int
    c1: int


@dataclass(frozen=True, slots=True)
class Grid:
    xs: tuple[float, ...]
    """Column borders, one more than columns."""
    ys: tuple[float, ...]
    """Row borders, one more than rows."""
    spans: tuple[Span, ...]

    @property
    def bbox(self) -> BBox:
        return (self.xs[0], self.ys[0], self.xs[-1], self.ys[-1])


def table_of_grid(page: int, grid: Grid, words: Sequence[Word]) -> RawTable | None:
    """The table that the words form in the grid's cells; None when they are empty."""
    home = {(r, c): span for span in grid.spans for r in range(span.r0, span.r1) for c in range(span.c0, span.c1)}
    held: dict[Span, list[Word]] = defaultdict(list)
    for word in words:
        held[home[_field(grid.ys, word.middle), _field(grid.xs, word.centre)]].append(word)
    kept = _kept_columns(grid, held)
    number = {c: bisect_left(kept, c) for c in range(len(grid.xs))}
    cells: dict[int, list[Cell]] = defaultdict(list)
    for span, inside in held.items():
        c0 = number[span.c0]
        cells[span.r0].append(Cell(c0, max(number[span.c1], c0 + 1), tuple(inside)))
    rows = [RawRow(tuple(sorted(cells[r], key=lambda c: c.c0))) for r in sorted(cells)]
    if not rows:
        return None
    extents = tuple((grid.xs[c], grid.xs[c + 1]) for c in kept)
    return RawTable(page, extents, tuple(rows), grid.bbox, "ruled")


def _field(borders: Sequence[float], at: float) -> int:
    return min(max(bisect_right(borders, at) - 1, 0), len(borders) - 2)


def _kept_columns(grid: Grid, held: dict[Span, list[Word]]) -> list[int]:
    filled = {span.c0 for span, words in held.items() if words}
    return [c for c in range(len(grid.xs) - 1) if c in filled or grid.xs[c + 1] - grid.xs[c] > _NARROW]
