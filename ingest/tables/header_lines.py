"""The header of an undrawn table: which lines it has, and which of them are one level."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from statistics import median

from ingest.layout import Rule
from ingest.tables.columns import Column
from ingest.tables.form_lines import is_form_line
from ingest.tables.headers import is_value, is_year
from ingest.tables.raw import Cell, RawRow
from ingest.tables.rows import HALF, LineRow, join_lines, label_breaks

_PART = 0.12
"""Of the table's width: rules that cover more part two levels of a header."""
_LEVEL = 0.4
"""Of the font size: a header that stands level with its column at either end or in the middle is that column's own."""
_REACH = 24
"""Columns left and right that a heading without a rule may stand over."""
_STEP = 1.75
"""Of the font size: lines of one header cell stand no further apart."""


def count_header_lines(lines: Sequence[LineRow], columns: Sequence[Column]) -> int:
    """Lines before the first of the body. When the first line holds a row's values, there is no header."""
    if lines and is_form_line([cell.text for cell in lines[0].cells]):
        return 0
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


def merge_header(lines: Sequence[LineRow], body: Sequence[LineRow], columns: Sequence[Column]) -> list[RawRow]:
    """Levels from top to bottom; the lines of wrapped header cells are one level."""
    levels: list[list[LineRow]] = []
    filled = _filled_extents(body, columns)
    for line, below in zip_longest(lines, [*lines[1:], *body[:1]][: len(lines)]):
        spread = replace(line, cells=_spread(line, below, filled))
        if levels and _one_level(levels[-1][-1], spread):
            levels[-1].append(spread)
        else:
            levels.append([spread])
    return [join_lines(level) for level in levels]


def _filled_extents(body: Sequence[LineRow], columns: Sequence[Column]) -> list[Column]:
    """Where the body's own texts begin and end in each column; the whole column where it has none."""
    ends: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for cell in (cell for line in body for cell in line.cells if cell.c1 - cell.c0 == 1):
        ends[cell.c0].append(_ends(cell))
    return [
        Column(min(e[0] for e in ends[c]), max(e[1] for e in ends[c])) if c in ends else column
        for c, column in enumerate(columns)
    ]


def _spread(line: LineRow, below: LineRow | None, columns: Sequence[Column]) -> tuple[Cell, ...]:
    """Each cell with the columns it stands over: those that a rule under it joins, else those whose common middle is
    nearest to its own."""
    shared = _share_out(line.cells, columns)
    if shared is not None:
        return shared
    spread: list[Cell] = []
    for i, cell in enumerate(line.cells):
        low = spread[-1].c1 if spread else 0
        high = line.cells[i + 1].c0 if i + 1 < len(line.cells) else len(columns)
        # A year is the name of its own column, also when one rule runs under several of them.
        rules = below.rules_above if below and not is_year(cell.text) else ()
        joined = _joined_by_rule(cell, columns, rules)
        c0, c1 = joined or _stands_over(cell, below, columns, low, high)
        spread.append(Cell(c0, c1, cell.words))
    return tuple(spread)


def _share_out(cells: Sequence[Cell], columns: Sequence[Column]) -> tuple[Cell, ...] | None:
    """The cells when they share all columns right of the labels out among them, each in the middle over two and more."""
    found = (_share_from(start, cells, columns) for start in range(1, cells[0].c0 + 1))
    return next((shared for shared in found if shared is not None), None)


def _share_from(start: int, cells: Sequence[Cell], columns: Sequence[Column]) -> tuple[Cell, ...] | None:
    shared: list[Cell] = []
    for left, cell in zip(range(len(cells) - 1, -1, -1), cells, strict=True):
        last = len(columns) - 2 * left
        ends = range(start + 2, min(last, start + _REACH) + 1) if left else [last]
        offs = [(_off_middle(cell, columns, start, end), end) for end in ends if end - start > 1]
        if not offs or min(offs)[0] > cell.words[0].size:
            return None
        end = min(offs)[1]
        shared.append(Cell(start, end, cell.words))
        start = end
    return tuple(shared) if len(shared) > 1 else None


def _off_middle(cell: Cell, columns: Sequence[Column], a: int, b: int) -> float:
    """How far the cell's middle is from that of columns `a` to `b - 1`: of their texts, or, where these are set flush
    right or left, of the room that columns at equal distances have."""
    x0, x1 = _ends(cell)
    first, last = columns[a], columns[b - 1]
    right, left = (last.x1 - first.x1) / (b - a - 1), (last.x0 - first.x0) / (b - a - 1)
    rooms = [(first.x0, last.x1), (first.x1 - right, last.x1), (first.x0, last.x0 + left)]
    return min(abs(x0 + x1 - left - right) / 2 for left, right in rooms)


def _joined_by_rule(cell: Cell, columns: Sequence[Column], under: Sequence[Rule]) -> tuple[int, int] | None:
    x0, x1 = _ends(cell)
    for rule in under:
        met = [i for i, c in enumerate(columns) if rule.start < (c.x0 + c.x1) / 2 < rule.end]
        if 1 < len(met) < len(columns) and rule.start < (x0 + x1) / 2 < rule.end:
            return met[0], met[-1] + 1
    return None


def _stands_over(cell: Cell, below: LineRow | None, columns: Sequence[Column], low: int, high: int) -> tuple[int, int]:
    """`low` to `high`: the columns that no other cell of the line claims."""
    x0, x1 = _ends(cell)
    size, middle = cell.words[0].size, (x0 + x1) / 2
    home = columns[cell.c0]
    if cell.c0 == 0 or high - low < 2 or _is_level(cell, below, home):
        return cell.c0, max(cell.c1, cell.c0 + 1)
    own = abs(middle - (home.x0 + home.x1) / 2)
    spans = [
        (_off_middle(cell, columns, a, b), a, b)
        for a in range(max(low, 1, cell.c0 - _REACH), cell.c0 + 1)
        for b in range(max(cell.c1, a + 2), min(high, cell.c1 + _REACH) + 1)
        if columns[a].x0 - size <= x0 and x1 <= columns[b - 1].x1 + size
    ]
    best = min(spans, default=(own, cell.c0, cell.c1))
    return (best[1], best[2]) if best[0] < own else (cell.c0, cell.c1)


def _is_level(cell: Cell, below: LineRow | None, column: Column) -> bool:
    """Whether the cell agrees at either end or in the middle with what stands under it: it goes on there."""
    x0, x1 = _ends(cell)
    under = [_ends(c) for c in (below.met(x0, x1) if below else ())]
    under = under or [(column.x0, column.x1)]
    nearest = min(min(abs(x0 - a), abs(x1 - b), abs(x0 + x1 - a - b) / 2) for a, b in under)
    return len(under) == 1 and nearest <= _LEVEL * cell.words[0].size


def _one_level(above: LineRow, below: LineRow) -> bool:
    step = below.baseline - above.baseline
    if step < HALF * min(above.size, below.size):
        return True  # a label centred against two levels
    if below.rule_above > _PART or step > _STEP * max(above.size, below.size):
        return False
    return not any(_heads(cell, below) for cell in above.cells)


def _heads(cell: Cell, below: LineRow) -> bool:
    """Whether a cell stands over several cells of the next line."""
    x0, x1 = _ends(cell)
    return len(below.met(x0, x1)) > 1 or sum(cell.c0 <= c.c0 < cell.c1 for c in below.cells) > 1


def _ends(cell: Cell) -> tuple[float, float]:
    return min(w.x0 for w in cell.words), max(w.x1 for w in cell.words)
