"""The head of a page on which an undrawn table of the page before goes on.

A few rows, or the rest of one, do not show columns by themselves; the columns are known from the page before.
"""

from __future__ import annotations

from collections.abc import Sequence

from ingest.tables.aligned import build_aligned
from ingest.tables.columns import Column
from ingest.tables.draft import DraftTable
from ingest.tables.raw import RawTable
from ingest.tables.segments import Segment
from ingest.tables.table_lines import Rules, TableLine, is_far, line_pitch

_SLACK = 2.0
"""Points by which a text may reach out of the table."""
_FILLED = 3
_SHARE = 0.6
"""Cells, at least and of the columns, that tell a row from a running head."""


def find_continuation(
    page: int, lines: Sequence[TableLine], open_table: DraftTable, rules: Rules
) -> tuple[RawTable, int] | None:
    """The table's part at the head of `lines` (running heads already left out), and how many lines it takes."""
    count = _fitting(lines, open_table)
    part = lines[:count]
    if not part or all(_in_first(line, open_table) for line in part):
        return None
    columns = [Column(x0, x1) for x0, x1 in open_table.extents]
    return build_aligned(page, part, columns, rules), count


def is_row(line: TableLine, open_table: DraftTable) -> bool:
    """Whether the line is the table's header again, or fills most of its columns, with a number among them: rows of a
    register look alike at the same height on page after page, but that does not make them running heads."""
    if _squeeze(line.text.text) in _header_texts(open_table):
        return True
    filled = len(line.segments) >= max(_FILLED, _SHARE * len(open_table.extents))
    return filled and any(s.is_value for s in line.segments) and all(_fits(s, open_table) for s in line.segments)


def _fitting(lines: Sequence[TableLine], open_table: DraftTable) -> int:
    heads = _header_texts(open_table)
    pitch = line_pitch(lines)
    for i, line in enumerate(lines):
        far = i > 0 and is_far(lines[i - 1], line, pitch)
        renewed = i > 0 and _squeeze(line.text.text) in heads
        if far or renewed or line.ends or not all(_fits(s, open_table) for s in line.segments):
            return i
    return len(lines)


def _header_texts(table: DraftTable) -> set[str]:
    return {_squeeze("".join(row.cells)) for row in table.headers}


def _fits(segment: Segment, open_table: DraftTable) -> bool:
    """Whether the segment stands in one column alone."""
    met = sum(segment.x0 < x1 and segment.x1 > x0 for x0, x1 in open_table.extents)
    low, high = open_table.extents[0][0], open_table.extents[-1][1]
    return met <= 1 and segment.x0 >= low - _SLACK and segment.x1 <= high + _SLACK


def _in_first(line: TableLine, open_table: DraftTable) -> bool:
    return len(line.segments) == 1 and line.segments[0].x0 < open_table.extents[0][1]


def _squeeze(text: str) -> str:
    return "".join(text.split())
