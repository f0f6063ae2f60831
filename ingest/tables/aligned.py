"""Tables without drawn columns: gaps that stand one above the other over several lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from ingest.layout import Rule, Word
from ingest.lines import TextLine, group_lines
from ingest.tables.columns import Column, borders, find_columns, place_segments
from ingest.tables.guards import is_prose
from ingest.tables.raw import RawTable
from ingest.tables.header_lines import count_header_lines, merge_header
from ingest.tables.rows import line_row, merge_rows
from ingest.tables.segments import Segment, split_segments

_LEAST = 3
"""Lines of two and more cells that make a table by themselves; two are enough between drawn rules."""
_FOREIGN = 2
"""Lines of one segment in a row that a table may hold: wrapped labels, group headings."""
_BREAK = 2.6
"""Line pitches: a larger gap ends a table."""


@dataclass(frozen=True)
class _Line:
    text: TextLine
    segments: tuple[Segment, ...]

    @property
    def several(self) -> bool:
        return len(self.segments) > 1


@dataclass(frozen=True)
class Rules:
    """The drawn rules of a page or a part of it."""

    horizontal: Sequence[Rule]
    vertical: Sequence[Rule]


def find_aligned(page: int, words: Sequence[Word], rules: Rules) -> list[RawTable]:
    """The undrawn tables among `words`."""
    tables = []
    for block in _blocks(_lines(words, rules)):
        table = _table(page, block, rules)
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


def _blocks(lines: Sequence[_Line]) -> list[list[_Line]]:
    """Runs of lines with several segments, with a few others between."""
    blocks: list[list[_Line]] = []
    run: list[_Line] = []
    foreign = 0
    pitch = _pitch([line.text for line in lines])
    for line in lines:
        if run and line.text.baseline - run[-1].text.baseline > _BREAK * max(pitch, line.text.size * 1.2):
            blocks.append(run)
            run, foreign = [], 0
        if line.several:
            run.append(line)
            foreign = 0
        elif run:
            run.append(line)
            foreign += 1
            if foreign > _FOREIGN:
                blocks.append(run)
                run, foreign = [], 0
    blocks.append(run)
    return [trimmed for block in blocks if (trimmed := _trim(block))]


def _trim(block: list[_Line]) -> list[_Line]:
    """Without lines of one segment at its ends."""
    several = [i for i, line in enumerate(block) if line.several]
    return block[several[0] : several[-1] + 1] if several else []


def _pitch(lines: Sequence[TextLine]) -> float:
    steps = [b.baseline - a.baseline for a, b in pairwise(lines)]
    return median(steps) if steps else 0.0


def _table(page: int, block: list[_Line], rules: Rules) -> RawTable | None:
    if sum(line.several for line in block) < _LEAST:
        return None
    columns = _columns(block)
    if len(columns) < 2 or is_prose([line.segments for line in block], columns):
        return None
    return _build(page, block, columns, rules)


def _columns(lines: Sequence[_Line]) -> list[Column]:
    columns = find_columns([line.segments for line in lines])
    return [c for c in columns if c.support > 1] if len(columns) > 2 else columns


def _build(page: int, block: Sequence[_Line], columns: Sequence[Column], rules: Rules) -> RawTable:
    xs = borders(columns)
    lines = [
        line_row(line.text, place_segments(line.segments, columns), _ruled(block, i, rules.horizontal, xs))
        for i, line in enumerate(block)
    ]
    split = count_header_lines(lines)
    header = merge_header(lines[:split])
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
