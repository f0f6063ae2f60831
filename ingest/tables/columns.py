"""Columns of undrawn tables: segments that stand one above the other.

Lines with the most segments show the columns best, so they are read first; a segment of a later line widens the column
it meets, founds one where it meets none, and spans where it meets several.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from ingest.layout import Word
from ingest.tables.raw import Cell
from ingest.tables.segments import Segment, looks_like_value, make_segment

_OVERLAP = 0.5
"""Points by which a segment must reach into a column to meet it."""


@dataclass(slots=True)
class Column:
    x0: float
    x1: float
    support: int = 1
    """Segments that stand in this column alone."""


def find_columns(lines: Sequence[Sequence[Segment]]) -> list[Column]:
    """Columns from left to right. Lines of one segment are read last and found no column of their own."""
    columns: list[Column] = []
    order = sorted(range(len(lines)), key=lambda i: (-len(lines[i]), -_values(lines[i]), i))
    for i in order:
        for segment in lines[i]:
            _enter(columns, segment, found=len(lines[i]) > 1)
    return columns


def _values(line: Sequence[Segment]) -> int:
    return sum(s.is_value for s in line)


def _enter(columns: list[Column], segment: Segment, found: bool) -> None:
    first, end = _met(columns, segment)
    if end - first == 1:
        _widen(columns, first, segment)
    elif first >= end and found:
        at = bisect_left(columns, segment.x0, key=lambda c: c.x0)
        columns.insert(at, Column(segment.x0, segment.x1))


def _met(columns: Sequence[Column], segment: Segment) -> tuple[int, int]:
    """The columns (first, end) that the segment reaches into. Columns are sorted and do not overlap."""
    first = bisect_right(columns, segment.x0 + _OVERLAP, key=lambda c: c.x1)
    end = bisect_left(columns, segment.x1 - _OVERLAP, key=lambda c: c.x0)
    return first, end


def _widen(columns: list[Column], i: int, segment: Segment) -> None:
    column = columns[i]
    low = columns[i - 1].x1 if i else float("-inf")
    high = columns[i + 1].x0 if i + 1 < len(columns) else float("inf")
    column.x0 = max(min(column.x0, segment.x0), low)
    column.x1 = min(max(column.x1, segment.x1), high)
    column.support += 1


def place_segments(segments: Sequence[Segment], columns: Sequence[Column]) -> tuple[Cell, ...]:
    """The cells of one line. Segments that reach over a border are cut there if they are two values in one."""
    held: dict[int, list[Word]] = {}
    spans: dict[int, int] = {}
    for part in [p for s in segments for p in _cut(s, columns)]:
        first, end = _met(columns, part)
        if first >= end:
            first = _nearest(columns, part)
            end = first + 1
        held.setdefault(first, []).extend(part.words)
        spans[first] = max(spans.get(first, 0), end)
    return tuple(Cell(c, spans[c], tuple(words)) for c, words in sorted(held.items()))


def _nearest(columns: Sequence[Column], segment: Segment) -> int:
    at = bisect_left(columns, segment.x0, key=lambda c: c.x0)
    near = range(max(at - 1, 0), min(at + 1, len(columns)))
    return min(near, key=lambda i: _distance(columns[i], segment))


def _distance(column: Column, segment: Segment) -> float:
    return max(column.x0 - segment.x1, segment.x0 - column.x1, 0.0)


def _cut(segment: Segment, columns: Sequence[Column]) -> list[Segment]:
    runs: list[list[Word]] = [[segment.words[0]]]
    for word in segment.words[1:]:
        if _between(runs[-1][-1], word, columns) and _two_cells(runs[-1], word):
            runs.append([word])
        else:
            runs[-1].append(word)
    return [make_segment(run) for run in runs]


def _between(left: Word, right: Word, columns: Sequence[Column]) -> bool:
    """Whether a column ends and another begins between the two words."""
    i = bisect_right(columns, left.centre - 1, key=lambda c: c.x1)
    while i + 1 < len(columns) and columns[i + 1].x0 - 1 < right.centre:
        if left.centre < columns[i + 1].x0 and right.centre > columns[i].x1:
            return True
        i += 1
    return False


def _two_cells(run: list[Word], word: Word) -> bool:
    gap = word.x0 - run[-1].x1
    if looks_like_value(word.text):
        return gap > 0.2 * word.size
    return gap > 0.6 * word.size
