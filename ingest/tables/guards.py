"""What looks like a table and is none: prose in columns, lists, contents, charts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from statistics import mean

from contracts.numbers import parse_number
from ingest.tables.columns import Column, place_segments
from ingest.tables.raw import RawTable
from ingest.tables.segments import Segment, looks_like_value

_MARK = re.compile(
    r"^(?:[•●○▪■□◦‣–—*†‡·o>-]+|\([*:.–-]{1,2}\)|\(?[0-9ivxlc]{1,4}[.)]|\(?[a-z][.)]|\[\d+\]|\d+(?:\.\d+)+\.?|[§¶]\s?\d*|\(\d+\))$",
    re.I,
)
CAPTION = re.compile(
    r"^(?:table|figure|fig\.|chart|box|exhibit|graph|annex|appendix|tabelle|abbildung|tabla|cuadro|gráfico)\s*"
    r"(?:\d|[A-Z]{1,3}\d|[A-Z]\b|[IVX]+\b)[\w.-]*\s*(?:[:.|–-]|$|\s\S)",
    re.I,
)
_NOTE = re.compile(r"^(?:sources?|notes?|n\.?b\.?|quellen?|anmerkung|fuentes?|notas?)\s*:", re.I)
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


def is_marked(line: Sequence[Segment]) -> bool:
    """A bullet, a number or a caption's label before a text: two segments, but no cells."""
    if len(line) != 2 or line[1].is_value:
        return False
    return bool(_MARK.match(line[0].text)) and len(line[1].words) >= 3


def is_caption(line: Sequence[Segment]) -> bool:
    """`Table 3: …`, `Figure 2 …`, `Source: …`, `Notes: …`."""
    text = " ".join(s.text for s in line[:2])
    values = sum(s.is_value for s in line[1:])
    return not values and bool(CAPTION.match(text) or _NOTE.match(text))


def is_axis(table: RawTable) -> bool:
    """The first column, and nearly all numbers there are, count down in equal steps as along a chart's axis."""
    columns: dict[int, list[Decimal]] = defaultdict(list)
    for row in table.rows:
        for cell in row.cells:
            value = parse_number(cell.words[0].text)
            if value is not None:
                columns[cell.c0].append(value)
    steps = {c: {b - a for a, b in pairwise(v)} for c, v in columns.items() if len(v) >= 5}
    even = {c: len(columns[c]) for c, found in steps.items() if len(found) == 1 and min(found) < -1}
    return 0 in even and sum(even.values()) > 0.8 * sum(map(len, columns.values()))


def is_scattered(table: RawTable) -> bool:
    """Labels strewn over a chart or a form: few cells filled, many that lie across columns."""
    cells = sum(len(row.cells) for row in table.rows)
    filled = cells / (len(table.rows) * table.width)
    across = sum(cell.c1 - cell.c0 > 1 for row in table.rows for cell in row.cells) / cells
    several = sum(len(row.cells) > 1 for row in table.rows) / len(table.rows)
    return (table.width >= 4 and filled < 0.27) or across > 0.3 or several < 0.4


def _is_list(marks: Sequence[str], texts: Sequence[str]) -> bool:
    """Bullets or numbers before text."""
    return mean(bool(_MARK.match(m)) for m in marks) > 0.6 and mean(len(t.split()) for t in texts) >= 2
