"""A table's frame on one page: column and row borders, and which fields are one cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from contracts.base import BBox


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
