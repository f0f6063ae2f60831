"""The lines of a page as a table would have them: cut into segments, with the rules around."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from ingest.layout import Rule, Word
from ingest.lines import TextLine, group_lines
from ingest.tables.columns import Column, find_columns
from ingest.tables.guards import is_caption, is_marked
from ingest.tables.segments import Segment, split_segments

_BREAK = 2.6
"""Line pitches: a larger gap ends a table."""


@dataclass(frozen=True)
class TableLine:
    text: TextLine
    segments: tuple[Segment, ...]

    @property
    def several(self) -> bool:
        """Whether the line has cells: several segments that are no mark or caption before a text."""
        return len(self.segments) > 1 and not is_marked(self.segments)

    @property
    def ends(self) -> bool:
        """Whether a table cannot go on over this line: captions, sources, notes."""
        return is_caption(self.segments)


@dataclass(frozen=True)
class Rules:
    """The drawn rules of a page or a part of it."""

    horizontal: Sequence[Rule]
    vertical: Sequence[Rule]


def make_lines(words: Sequence[Word], rules: Rules) -> list[TableLine]:
    texts = group_lines(w for w in words if w.upright)
    return [TableLine(text, tuple(split_segments(text, rules.vertical))) for text in texts]


def line_pitch(lines: Sequence[TableLine]) -> float:
    """The usual distance of baselines, points."""
    steps = [b.text.baseline - a.text.baseline for a, b in pairwise(lines)]
    return median(steps) if steps else 0.0


def is_far(above: TableLine, below: TableLine, pitch: float) -> bool:
    return below.text.baseline - above.text.baseline > _BREAK * max(pitch, below.text.size * 1.2)


def columns_of(lines: Sequence[TableLine]) -> list[Column]:
    columns = find_columns([line.segments for line in lines])
    return [c for c in columns if c.support > 1] if len(columns) > 2 else columns
