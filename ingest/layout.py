"""What stands on one page, before anything is understood: words, drawn rules and coloured areas.

Plain tuples, not records: a page has thousands of them and they never leave `ingest`. All coordinates are PDF points
with the origin at the top left of the page *as it is read*: a page whose text runs upwards is turned first, and
`PageContent.turn` says by how much, so that `to_page` can give the places on the page as it is shown.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from contracts.base import BBox


class Word(NamedTuple):
    """A run of characters without white space inside."""

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    baseline: float
    size: float
    """Font size in points as shown."""
    bold: bool = False
    upright: bool = True
    """False for text that runs across the reading direction, such as a vertical header label."""

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    @property
    def centre(self) -> float:
        return (self.x0 + self.x1) / 2


class Rule(NamedTuple):
    """A drawn line along one axis: at `at`, from `start` to `end` on the other axis."""

    at: float
    start: float
    end: float


class Area(NamedTuple):
    """A filled rectangle or an image."""

    x0: float
    top: float
    x1: float
    bottom: float
    white: bool = False
    image: bool = False

    def holds(self, x: float, y: float) -> bool:
        return self.x0 <= x <= self.x1 and self.top <= y <= self.bottom


@dataclass(frozen=True, slots=True)
class PageContent:
    """One page as it is read."""

    number: int
    """1-based."""
    width: float
    height: float
    words: tuple[Word, ...]
    horizontal: tuple[Rule, ...] = ()
    vertical: tuple[Rule, ...] = ()
    areas: tuple[Area, ...] = ()
    turn: int = 0
    """Degrees (0, 90, 180, 270) by which the shown page was turned clockwise to be read."""
    hidden: dict[str, str] = field(default_factory=dict)
    """Why text was left out (`invisible`, `white`, `tiny`, `off page`) and how it starts."""
    notes: tuple[str, ...] = ()
    """Codes of things to warn of: `ocr_text`, `too_many_rules`, `too_many_characters`."""

    def to_page(self, box: BBox) -> BBox:
        """The place of `box` on the page as it is shown."""
        x0, top, x1, bottom = box
        if self.turn == 90:
            return (top, self.width - x1, bottom, self.width - x0)
        if self.turn == 180:
            return (self.width - x1, self.height - bottom, self.width - x0, self.height - top)
        if self.turn == 270:
            return (self.height - bottom, x0, self.height - top, x1)
        return box


def hull(boxes: list[BBox]) -> BBox:
    """The smallest box around all of them."""
    return (
        min(b[0] for b in boxes),
        min(b[1] for b in boxes),
        max(b[2] for b in boxes),
        max(b[3] for b in boxes),
    )
