"""What looks like a table and is none: prose in columns, lists, contents, charts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import mean

from ingest.tables.columns import Column, place_segments
from ingest.tables.segments import Segment, looks_like_value

_MARK = re.compile(r"^(?:[•●○▪■□◦‣–—*·o>-]|\(?[0-9ivxlc]{1,4}[.)]|\(?[a-z][.)]|\[\d+\]|\d+(?:\.\d+)+\.?|[§¶]\s?\d*|\(\d+\))$", re.I)
_LONG = 4.5
"""Mean words of a cell from which a column reads as prose."""


def is_prose(lines: Sequence[Sequence[Segment]], columns: Sequence[Column]) -> bool:
    """Whether the lines are running text set in columns, or a list."""
    cells: list[list[str]] = [[] for _ in columns]
    for line in lines:
        if len(line) > 1:
            for cell in place_segments(line, columns):
                cells[cell.c0].append(cell.text)
    filled = [c for c in cells if c]
    if len(filled) < 2:
        return True
    if len(filled) == 2 and _is_list(filled[0], filled[1]):
        return True
    values = mean(looks_like_value(t) for column in filled for t in column)
    long = [column for column in filled if mean(len(t.split()) for t in column) >= _LONG]
    return values < 0.15 and len(long) * 2 >= len(filled)


def _is_list(marks: Sequence[str], texts: Sequence[str]) -> bool:
    """Bullets or numbers before text."""
    return mean(bool(_MARK.match(m)) for m in marks) > 0.6 and mean(len(t.split()) for t in texts) >= 2
