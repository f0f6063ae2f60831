"""Reading order: text set in two columns is read, and searched for tables, one column after the other."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from statistics import mean

from ingest.lines import TextLine
from ingest.tables.segments import Segment, make_segment
from ingest.tables.table_lines import TableLine

_LINES = 8
"""Lines with text on both sides that show two columns."""
_SEGMENTS = 5
"""A line with more is a table's row, not two lines of prose side by side."""
_WORDS = 3.5
"""Mean words of a line's half; table cells have fewer."""


def split_zones(lines: Sequence[TableLine]) -> list[list[TableLine]]:
    """The lines in reading order, in parts that are one column wide."""
    gutter = _find_gutter(lines)
    if gutter is None:
        return [list(lines)]
    zones: list[list[TableLine]] = []
    for both, run in _runs(lines, gutter):
        if both:
            halves = [_halves(line, gutter) for line in run]
            zones += [[h[0] for h in halves if h[0]], [h[1] for h in halves if h[1]]]
        else:
            zones.append(run)
    return [zone for zone in zones if zone]


def _find_gutter(lines: Sequence[TableLine]) -> float | None:
    """The place that most lines leave free between two longer texts."""
    few = [line for line in lines if len(line.segments) <= _SEGMENTS]
    gaps = [(a.x1, b.x0) for line in few for a, b in itertools.pairwise(line.segments)]
    if len(gaps) < _LINES:
        return None
    places = sorted({round((a + b) / 2) for a, b in gaps})
    best = max(places, key=lambda x: sum(a < x < b for a, b in gaps))
    both = [halves for line in lines if (halves := _segments_beside(line, best)) is not None]
    if len(both) < _LINES:
        return None
    sides = [[sum(len(s.words) for s in half) for half in side] for side in zip(*both, strict=True)]
    numbers = mean(s.is_value for halves in both for half in halves for s in half)
    return float(best) if min(mean(side) for side in sides) >= _WORDS and numbers < 0.2 else None


def _segments_beside(line: TableLine, gutter: float) -> tuple[list[Segment], list[Segment]] | None:
    """The segments left and right, when there are some on both sides and none across."""
    if any(s.x0 < gutter < s.x1 for s in line.segments):
        return None
    left = [s for s in line.segments if s.x1 <= gutter]
    right = [s for s in line.segments if s.x0 >= gutter]
    return (left, right) if left and right else None


def _runs(lines: Sequence[TableLine], gutter: float) -> Iterator[tuple[bool, list[TableLine]]]:
    """Stretches of lines that leave the gutter free, and those that cross it."""
    run: list[TableLine] = []
    for line in lines:
        crosses = any(s.x0 < gutter < s.x1 for s in line.segments)
        if run and crosses != any(s.x0 < gutter < s.x1 for s in run[-1].segments):
            yield not crosses, run
            run = []
        run.append(line)
    if run:
        yield not any(s.x0 < gutter < s.x1 for s in run[-1].segments), run


def _halves(line: TableLine, gutter: float) -> tuple[TableLine | None, TableLine | None]:
    left = [s for s in line.segments if s.x1 <= gutter]
    right = [s for s in line.segments if s.x0 >= gutter]
    return _line(left), _line(right)


def _line(segments: list[Segment]) -> TableLine | None:
    if not segments:
        return None
    words = [w for s in segments for w in s.words]
    return TableLine(TextLine(words), tuple(make_segment(list(s.words)) for s in segments))
