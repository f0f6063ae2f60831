"""Lines that print a form above a table: `Employee ID: ST001   Name: Anita Desai`. They head no column below them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from ingest.layout import Word, hull
from ingest.tables.raw import Cell, RawRow, RawTable
from ingest.tables.table_lines import TableLine

_LABEL = re.compile(r"[^\W\d][^:]{0,38}:(?:\s|$)")


def is_form_line(texts: Sequence[str]) -> bool:
    """Whether the texts side by side are labels with their values: half of them begin with a label and its colon, and
    a value stands behind one."""
    labels = [t for t in texts if _LABEL.match(t)]
    alone = sum(t.rstrip().endswith(":") for t in labels)
    return bool(labels) and 2 * len(labels) >= len(texts) and (alone < len(labels) or len(texts) > len(labels))


def count_leading(lines: Sequence[TableLine]) -> int:
    """How many lines at the top belong to a form."""
    return len(list(takewhile(lambda line: is_form_line([s.text for s in line.segments]), lines)))


def build_form(page: int, lines: Sequence[TableLine]) -> RawTable | None:
    """Lines of several labels each as a table without a header: a label and its value are one cell. None for anything
    else, also for a single line, which is read as it stands."""
    rows = [_cells(line) for line in lines]
    if len(rows) < 2 or count_leading(lines) < len(lines) or any(len(cells) < 2 for cells in rows):
        return None
    found = tuple(RawRow(tuple(Cell(c, c + 1, words) for c, words in enumerate(cells))) for cells in rows)
    columns = [[cells[c] for cells in rows if c < len(cells)] for c in range(max(map(len, rows)))]
    extents = tuple(
        (min(w.x0 for ws in column for w in ws), max(w.x1 for ws in column for w in ws)) for column in columns
    )
    bbox = hull([row.bbox for row in found])
    return RawTable(page, extents, found, bbox, "aligned")


def _cells(line: TableLine) -> list[tuple[Word, ...]]:
    """The words of each label with what stands behind it up to the next label."""
    cells: list[tuple[Word, ...]] = []
    for segment in line.segments:
        if cells and not _LABEL.match(segment.text):
            cells[-1] = (*cells[-1], *segment.words)
        else:
            cells.append(segment.words)
    return cells
