"""The header of an undrawn table: which lines it has, and which of them are one level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from ingest.tables.columns import Column
from ingest.tables.headers import is_value
from ingest.tables.raw import Cell, RawRow
from ingest.tables.rows import HALF, LineRow, join_lines, label_breaks

_PART = 0.12
"""Of the table's width: rules that cover more part two levels of a header."""
_STEP = 1.75
"""Of the font size: lines of one header cell stand no further apart."""


def count_header_lines(lines: Sequence[LineRow], columns: Sequence[Column]) -> int:
    """Lines before the first of the body. When the first line holds a row's values, there is no header."""
    counts = [_values(line) for line in lines]
    usual = median(n for n in counts if n) if any(counts) else 0
    for i, line in enumerate(lines):
        if counts[i] and (counts[i] >= 0.5 * usual or 0 in line.filled):
            return _without_labels(lines, i, columns)
    return 0


def _values(line: LineRow) -> int:
    return sum(is_value(cell.text) for cell in line.cells)


def _without_labels(lines: Sequence[LineRow], first: int, columns: Sequence[Column]) -> int:
    """A text alone just above the first row belongs to the body: a group's heading, or the row's own first line."""
    while first > 1 and len(lines[first - 1].cells) == 1 and lines[first].rule_above <= _PART:
        above, rest = lines[first - 1], lines[: first - 1]
        label = above.filled == {0}
        named = any(0 in line.filled for line in rest) if label else any(len(line.cells) > 1 for line in rest)
        if not named and above.rule_above <= _PART and not (label and label_breaks(above, lines[first], columns)):
            break
        first -= 1
    return first


def merge_header(lines: Sequence[LineRow], columns: Sequence[Column]) -> list[RawRow]:
    """Levels from top to bottom; the lines of wrapped header cells are one level."""
    levels: list[list[LineRow]] = []
    for line in lines:
        spread = replace(line, cells=spread_cells(line.cells, columns))
        if levels and _one_level(levels[-1][-1], spread):
            levels[-1].append(spread)
        else:
            levels.append([spread])
    return [join_lines(level) for level in levels]


def spread_cells(cells: Sequence[Cell], columns: Sequence[Column]) -> tuple[Cell, ...]:
    """Each cell with the columns it stands over: those whose common middle is nearest to its own."""
    spread: list[Cell] = []
    for i, cell in enumerate(cells):
        low = spread[-1].c1 if spread else 0
        high = cells[i + 1].c0 if i + 1 < len(cells) else len(columns)
        c0, c1 = _stands_over(cell, columns, low, high)
        spread.append(Cell(c0, c1, cell.words))
    return tuple(spread)


def _stands_over(cell: Cell, columns: Sequence[Column], low: int, high: int) -> tuple[int, int]:
    x0, x1 = _ends(cell)
    home = columns[cell.c0]
    size = cell.words[0].size
    inside = home.x0 - size <= x0 and x1 <= home.x1 + size
    if cell.c0 == 0 or (inside and cell.c1 - cell.c0 == 1) or high - low < 2:
        return cell.c0, max(cell.c1, cell.c0 + 1)
    best = (abs((x0 + x1) / 2 - (home.x0 + home.x1) / 2), cell.c0, cell.c1)
    for a in range(max(low, 1), cell.c0 + 1):
        for b in range(max(cell.c1, a + 1), high + 1):
            middle = (columns[a].x0 + columns[b - 1].x1) / 2
            wide = columns[a].x0 - size <= x0 and x1 <= columns[b - 1].x1 + size
            if wide and b - a > 1:
                best = min(best, (abs((x0 + x1) / 2 - middle), a, b))
    return best[1], best[2]


def _one_level(above: LineRow, below: LineRow) -> bool:
    step = below.baseline - above.baseline
    if step < HALF * min(above.size, below.size):
        return True  # a label centred against two levels
    if below.rule_above > _PART or step > _STEP * max(above.size, below.size):
        return False
    return not any(_heads(cell, below) for cell in above.cells)


def _heads(cell: Cell, below: LineRow) -> bool:
    """Whether a cell stands over several cells of the next line, or between them."""
    x0, x1 = _ends(cell)
    met = [c for c in below.cells if _ends(c)[0] < x1 and _ends(c)[1] > x0]
    if len(met) > 1:
        return True
    if met:
        return False
    return cell.c1 - cell.c0 > 1 and any(cell.c0 <= c.c0 < cell.c1 for c in below.cells)


def _ends(cell: Cell) -> tuple[float, float]:
    return min(w.x0 for w in cell.words), max(w.x1 for w in cell.words)
