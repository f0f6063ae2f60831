"""Which lines of a page may form a table together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ingest.tables.columns import Column
from ingest.tables.table_lines import TableLine, columns_of, is_far, line_pitch

_LEAST = 3
"""Lines of two and more cells that make a table by themselves."""
_FOREIGN = 2
"""Lines of one segment in a row that a table may hold: wrapped labels, group headings."""
_LARGER = 1.25
"""A line alone in letters larger than the header's by this is the table's title, no heading over columns."""
_LABELS_UP = 2
"""Labels that may stand between a table's first row and the headings of its columns."""
_LABELS = 6
"""Lines of one segment that may stand between two parts of a table whose columns agree."""


def find_blocks(lines: Sequence[TableLine]) -> list[tuple[int, int]]:
    """Runs (start, end) of lines with several segments, with a few others between."""
    blocks: list[tuple[int, int]] = []
    start = last = -1
    pitch = line_pitch(lines)
    for i, line in enumerate(lines):
        if start >= 0 and (line.ends or i - last > _FOREIGN + 1 or is_far(lines[i - 1], line, pitch)):
            blocks.append((start, last + 1))
            start = -1
        if line.several and not line.ends:
            start = i if start < 0 else start
            last = i
    return [*blocks, (start, last + 1)] if start >= 0 else blocks


def connect(blocks: Sequence[tuple[int, int]], lines: Sequence[TableLine]) -> list[tuple[int, int]]:
    """Blocks with the same columns and only labels between them are one."""
    joined: list[tuple[int, int]] = []
    for start, end in blocks:
        if joined and _same_table(lines, joined[-1], (start, end)):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _same_table(lines: Sequence[TableLine], first: tuple[int, int], second: tuple[int, int]) -> bool:
    between = lines[first[1] : second[0]]
    if len(between) > _LABELS or any(line.ends for line in between):
        return False
    pitch = line_pitch(lines)
    if any(is_far(a, b, pitch) for a, b in pairwise(lines[first[1] - 1 : second[0] + 1])):
        return False
    if not any(s.is_value for s in lines[second[0]].segments):
        return False  # a header of its own
    above, below = columns_of(lines[slice(*first)]), columns_of(lines[slice(*second)])
    if len(above) < 2 or len(above) != len(below):
        return False
    level = all(min(a.x1, b.x1) > max(a.x0, b.x0) for a, b in zip(above, below, strict=True))
    return level and all(line.text.x1 < above[-1].x0 for line in between)


def is_enough(block: Sequence[TableLine]) -> bool:
    """Three lines of cells, or two with as many, at least three, and numbers."""
    several = [line.segments for line in block if line.several]
    if len(several) >= _LEAST:
        return True
    if len(several) < 2 or len(several[0]) not in (len(several[1]), len(several[1]) - 1) or len(several[1]) < 3:
        return False
    return sum(s.is_value for s in several[1]) >= 2


def extend_up(lines: Sequence[TableLine], start: int, columns: Sequence[Column]) -> int:
    """Takes in headings over some of the columns, which stand alone on their line, with the groups' labels between
    them and the first row (`Current assets:`)."""
    while (heading := _heading_above(lines, start, columns)) is not None:
        start = heading
    return start


def _heading_above(lines: Sequence[TableLine], start: int, columns: Sequence[Column]) -> int | None:
    for i in range(start - 1, max(-1, start - 2 - _LABELS_UP), -1):
        above, below = lines[i], lines[i + 1]
        near = below.text.baseline - above.text.baseline <= 1.75 * max(below.text.size, above.text.size)
        title = above.text.size > _LARGER * below.text.size
        if above.ends or not near or title or all(s.is_value for s in above.segments):
            return None
        if above.segments[0].x0 > columns[0].x1 and above.segments[-1].x1 < columns[-1].x1 + above.text.size:
            return i
        label = above.segments[0]
        at_left = label.x0 - columns[0].x0 < 2 * above.text.size  # a title stands in the middle
        if len(above.segments) > 1 or label.x1 > columns[1].x0 or not at_left:
            return None
    return None


def extend_down(lines: Sequence[TableLine], end: int, columns: Sequence[Column]) -> int:
    """Takes in the last lines of wrapped cells, which stand alone on their line."""
    while end < len(lines):
        last, below = lines[end - 1], lines[end]
        segment = below.segments[0]
        near = below.text.baseline - last.text.baseline <= 1.3 * max(last.text.size, below.text.size)
        under = any(c.x0 - 1 <= segment.x0 and segment.x1 <= c.x1 + 1 for c in columns[1:])
        if below.ends or len(below.segments) > 1 or not near or not under:
            break
        end += 1
    return end
