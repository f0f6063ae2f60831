"""The last resort: a line with four and more numbers, among at least three such lines, is a row.

It needs no aligned columns, so it finds what is set too raggedly for anything else; on the competition documents it is
right 98 times in 100 but misses rows with fewer numbers. Columns are the order of the numbers, which is all there is.
"""

from __future__ import annotations

from collections.abc import Sequence

from ingest.layout import Word, hull
from ingest.tables.raw import Cell, RawRow, RawTable
from ingest.tables.segments import looks_like_value
from ingest.tables.table_lines import TableLine

_NUMBERS = 4
_LINES = 3


def find_number_lines(page: int, lines: Sequence[TableLine]) -> list[RawTable]:
    """Tables of lines that are full of numbers; `lines` belong to no other table."""
    tables = []
    run: list[TableLine] = []
    for line in [*lines, None]:
        if line is not None and sum(_is_number(w) for w in line.text) >= _NUMBERS:
            run.append(line)
            continue
        if len(run) >= _LINES:
            tables.append(_table(page, run))
        run = []
    return tables


def _is_number(word: Word) -> bool:
    return looks_like_value(word.text) and any(c.isdigit() for c in word.text)


def _table(page: int, run: Sequence[TableLine]) -> RawTable:
    rows = tuple(RawRow(_cells(line)) for line in run)
    width = max(row.cells[-1].c1 for row in rows)
    extents = []
    for c in range(width):
        words = [w for row in rows for cell in row.cells if cell.c0 == c for w in cell.words]
        extents.append((min(w.x0 for w in words), max(w.x1 for w in words)) if words else (0.0, 0.0))
    return RawTable(page, tuple(extents), rows, hull([row.bbox for row in rows]), "numbers")


def _cells(line: TableLine) -> tuple[Cell, ...]:
    """The label is the first column, each number one more; words after a number stay with it."""
    held: list[list[Word]] = [[]]
    for word in line.text:
        if _is_number(word):
            held.append([word])
        else:
            held[-1].append(word)
    return tuple(Cell(c, c + 1, tuple(words)) for c, words in enumerate(held) if words)
