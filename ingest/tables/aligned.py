"""Tables without drawn columns: gaps that stand one above the other over several lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from ingest.layout import Rule, Word
from ingest.lines import TextLine, group_lines
from ingest.tables.columns import Column, borders, find_columns, place_segments
from ingest.tables.guards import is_axis, is_caption, is_marked, is_prose, is_scattered
from ingest.tables.raw import RawTable
from ingest.tables.header_lines import count_header_lines, merge_header
from ingest.tables.rows import line_row, merge_rows
from ingest.tables.segments import Segment, split_segments

_LEAST = 3
"""Lines of two and more cells that make a table by themselves; two are enough between drawn rules."""
_FOREIGN = 2
"""Lines of one segment in a row that a table may hold: wrapped labels, group headings."""
_LABELS = 6
"""Lines of one segment that may stand between two parts of a table whose columns agree."""
_BREAK = 2.6
"""Line pitches: a larger gap ends a table."""


@dataclass(frozen=True)
class _Line:
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


def find_aligned(page: int, words: Sequence[Word], rules: Rules) -> list[RawTable]:
    """The undrawn tables among `words`."""
    tables = []
    lines = _lines(words, rules)
    for start, end in _connect(_blocks(lines), lines):
        table = _table(page, lines, start, end, rules)
        if table is not None:
            tables.append(table)
    return tables


def align_region(page: int, words: Sequence[Word], rules: Rules) -> RawTable | None:
    """The table that all of `words` form, which drawn rules enclose without parting all its rows or columns."""
    lines = _lines(words, rules)
    columns = _columns(lines)
    return _build(page, lines, columns, rules) if len(columns) > 1 and len(lines) > 1 else None


def _lines(words: Sequence[Word], rules: Rules) -> list[_Line]:
    texts = group_lines(w for w in words if w.upright)
    return [_Line(text, tuple(split_segments(text, rules.vertical))) for text in texts]


def _blocks(lines: Sequence[_Line]) -> list[tuple[int, int]]:
    """Runs (start, end) of lines with several segments, with a few others between."""
    blocks: list[tuple[int, int]] = []
    start = last = -1
    pitch = _pitch([line.text for line in lines])
    for i, line in enumerate(lines):
        if start >= 0 and (line.ends or i - last > _FOREIGN + 1 or _far(lines[i - 1], line, pitch)):
            blocks.append((start, last + 1))
            start = -1
        if line.several and not line.ends:
            start = i if start < 0 else start
            last = i
    return [*blocks, (start, last + 1)] if start >= 0 else blocks


def _connect(blocks: Sequence[tuple[int, int]], lines: Sequence[_Line]) -> list[tuple[int, int]]:
    """Blocks with the same columns and only labels between them are one."""
    joined: list[tuple[int, int]] = []
    for start, end in blocks:
        if joined and _same_table(lines, joined[-1], (start, end)):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _same_table(lines: Sequence[_Line], first: tuple[int, int], second: tuple[int, int]) -> bool:
    between = lines[first[1] : second[0]]
    if len(between) > _LABELS or any(line.ends for line in between):
        return False
    pitch = _pitch([line.text for line in lines])
    if any(_far(a, b, pitch) for a, b in pairwise(lines[first[1] - 1 : second[0] + 1])):
        return False
    if not any(s.is_value for s in lines[second[0]].segments):
        return False  # a header of its own
    above, below = _columns(lines[slice(*first)]), _columns(lines[slice(*second)])
    if len(above) < 2 or len(above) != len(below):
        return False
    level = all(min(a.x1, b.x1) > max(a.x0, b.x0) for a, b in zip(above, below, strict=True))
    return level and all(line.text.x1 < above[-1].x0 for line in between)


def _far(above: _Line, below: _Line, pitch: float) -> bool:
    return below.text.baseline - above.text.baseline > _BREAK * max(pitch, below.text.size * 1.2)


def _pitch(lines: Sequence[TextLine]) -> float:
    steps = [b.baseline - a.baseline for a, b in pairwise(lines)]
    return median(steps) if steps else 0.0


def _table(page: int, lines: Sequence[_Line], start: int, end: int, rules: Rules) -> RawTable | None:
    block = lines[start:end]
    if not _enough(block):
        return None
    columns = _columns(block)
    if len(columns) < 2 or is_prose([line.segments for line in block], columns):
        return None
    block = lines[_upwards(lines, start, columns) : _downwards(lines, end, columns)]
    table = _build(page, block, columns, rules)
    return None if is_scattered(table) or is_axis(table) else table


def _enough(block: Sequence[_Line]) -> bool:
    """Three lines of cells, or two with as many, at least three, and numbers."""
    several = [line.segments for line in block if line.several]
    if len(several) >= _LEAST:
        return True
    if len(several) < 2 or len(several[0]) not in (len(several[1]), len(several[1]) - 1) or len(several[1]) < 3:
        return False
    return sum(s.is_value for s in several[1]) >= 2


def _upwards(lines: Sequence[_Line], start: int, columns: Sequence[Column]) -> int:
    """Takes in headings over some of the columns, which stand alone on their line."""
    while start > 0:
        above, first = lines[start - 1], lines[start]
        segment = above.segments[0]
        near = first.text.baseline - above.text.baseline <= 1.75 * max(first.text.size, above.text.size)
        over = segment.x0 > columns[0].x1 and segment.x1 < columns[-1].x1 + above.text.size
        if above.ends or len(above.segments) > 1 or not near or not over:
            break
        start -= 1
    return start


def _downwards(lines: Sequence[_Line], end: int, columns: Sequence[Column]) -> int:
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


def _columns(lines: Sequence[_Line]) -> list[Column]:
    columns = find_columns([line.segments for line in lines])
    return [c for c in columns if c.support > 1] if len(columns) > 2 else columns


def _build(page: int, block: Sequence[_Line], columns: Sequence[Column], rules: Rules) -> RawTable:
    xs = borders(columns)
    lines = [
        line_row(line.text, place_segments(line.segments, columns), _ruled(block, i, rules.horizontal, xs))
        for i, line in enumerate(block)
    ]
    split = count_header_lines(lines, columns)
    header = merge_header(lines[:split], columns)
    rows = (*header, *merge_rows(lines[split:], columns))
    boxes = [row.bbox for row in rows]
    bbox = (min(b[0] for b in boxes), boxes[0][1], max(b[2] for b in boxes), max(b[3] for b in boxes))
    return RawTable(page, xs, rows, bbox, "aligned", len(header))


def _ruled(block: Sequence[_Line], i: int, rules: Sequence[Rule], xs: Sequence[float]) -> float:
    """Share of the table's width that rules cover between line `i` and the one before."""
    if i == 0:
        return 0.0
    low, high = block[i - 1].text.baseline - 1, block[i].text.baseline - 0.3 * block[i].text.size
    found = sum(max(0.0, min(r.end, xs[-1]) - max(r.start, xs[0])) for r in rules if low < r.at < high)
    return found / max(xs[-1] - xs[0], 1.0)
