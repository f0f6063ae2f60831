"""Lines → rows: a cell's text may run over several lines.

Whether a line goes on with the row above is read from what a typesetter leaves behind: rules between rows, tighter
leading inside a row, a label that broke because its next word did not fit, a value that stands half a line lower
because it is centred against its label. Two values in one column are never one row.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median

from ingest.layout import Rule, Word
from ingest.lines import TextLine
from ingest.tables.columns import Column
from ingest.tables.raw import Cell, RawRow
from ingest.tables.segments import looks_like_value

HALF = 0.8
"""Of the font size: a smaller step is no new line of text but a shifted one."""
_TIGHT = 0.88
"""Of the usual step between rows: a smaller step stays inside a row."""
_LOOSE = 1.3
_RULED = 0.5
"""Of the table's width that a rule must cover to part two rows."""


@dataclass(frozen=True)
class LineRow:
    """One visual line of a table, its words already in columns."""

    cells: tuple[Cell, ...]
    baseline: float
    size: float
    rule_above: float = 0.0
    """Share of the table's width that rules cover between this line and the one before."""
    rules_above: tuple[Rule, ...] = ()
    """Those rules."""

    @cached_property
    def filled(self) -> frozenset[int]:
        return frozenset(c.c0 for c in self.cells)

    @cached_property
    def values(self) -> frozenset[int]:
        """Columns with a number in them."""
        return frozenset(c.c0 for c in self.cells if has_value(c))

    @cached_property
    def _reach(self) -> tuple[float, ...]:
        return tuple(max(w.x1 for w in cell.words) for cell in self.cells)

    def met(self, x0: float, x1: float) -> list[Cell]:
        """The cells that stand, in part at least, between `x0` and `x1`."""
        found = []
        for cell in self.cells[bisect_right(self._reach, x0) :]:
            if min(w.x0 for w in cell.words) >= x1:
                break
            found.append(cell)
        return found

    def cell(self, column: int) -> Cell | None:
        return next((c for c in self.cells if c.c0 == column), None)


def has_value(cell: Cell) -> bool:
    """Whether the cell begins or ends with a number or a mark for none, and is no text with a number in it."""
    words = [w for w in cell.words if w.upright]
    if not words or len(words) > 4:
        return False
    return all(looks_like_value(w.text) or not any(ch.isalnum() for ch in w.text) for w in words)


def line_row(line: TextLine, cells: tuple[Cell, ...], rules: Sequence[Rule], x0: float, x1: float) -> LineRow:
    """`rules` stand between this line and the one before; the table reaches from `x0` to `x1`."""
    covered = sum(max(0.0, min(r.end, x1) - max(r.start, x0)) for r in rules)
    return LineRow(cells, line.baseline, line.size, covered / max(x1 - x0, 1.0), tuple(rules))


def merge_rows(lines: Sequence[LineRow], columns: Sequence[Column]) -> list[RawRow]:
    """The body's rows from top to bottom."""
    spacing = _Spacing.of(lines)
    low = frozenset() if spacing.ruled else _set_low(lines)
    groups: list[list[LineRow]] = []
    for i, line in enumerate(lines):
        if groups and (i - 1 in low or (i not in low and _goes_on(groups[-1], line, columns, spacing))):
            groups[-1].append(line)
        else:
            groups.append([line])
    return [join_lines(group) for group in groups]


def _set_low(lines: Sequence[LineRow]) -> frozenset[int]:
    """Lines that belong to the row below: the first lines of wrapped texts in rows whose other cells stand at the foot.

    They have no values and no label, stand nearer to the row below than to the one above, and nearly all such lines do.
    """
    low: list[int] = []
    first: list[int] = []
    above_nearer = 0
    for start, end in _wrapped(lines):
        if start == 0:
            first += range(end)  # nothing above tells
            continue
        before, after = lines[start].baseline - lines[start - 1].baseline, lines[end].baseline - lines[end - 1].baseline
        if after < _TIGHT * before and all(line.filled <= lines[end].filled for line in lines[start:end]):
            low += range(start, end)
        elif before < _TIGHT * after:
            above_nearer += 1
    return frozenset((*first, *low)) if low and above_nearer <= 0.2 * len(low) else frozenset()


def _wrapped(lines: Sequence[LineRow]) -> Iterator[tuple[int, int]]:
    """Runs (start, end) of lines without values and labels between two lines with values, or before the first."""
    start = 0
    for i, line in enumerate(lines):
        if line.values or 0 in line.filled:
            if start < i and line.values and (start == 0 or lines[start - 1].values):
                yield start, i
            start = i + 1


def join_lines(group: Sequence[LineRow]) -> RawRow:
    """One row of several lines."""
    held: dict[int, Cell] = {}
    for cell in (c for line in group for c in line.cells):
        old = held.get(cell.c0)
        held[cell.c0] = cell if old is None else Cell(old.c0, max(old.c1, cell.c1), old.words + cell.words)
    return RawRow(tuple(held[c] for c in sorted(held)))


@dataclass(frozen=True, slots=True)
class _Spacing:
    row: float
    """The usual step from one row with values to the next, points; 0 when unknown."""
    ruled: bool
    """Rules part the rows; lines without one between them are one row."""

    @classmethod
    def of(cls, lines: Sequence[LineRow]) -> _Spacing:
        steps = [b.baseline - a.baseline for a, b in pairwise(lines) if a.values & b.values]
        ruled = sum(line.rule_above >= _RULED for line in lines[1:])
        return cls(median(steps) if steps else 0.0, ruled >= 3 and ruled >= 0.2 * len(lines))


def _goes_on(group: Sequence[LineRow], line: LineRow, columns: Sequence[Column], spacing: _Spacing) -> bool:
    above = group[-1]
    values = frozenset().union(*(g.values for g in group))
    if line.values & values or line.rule_above >= _RULED:
        return False
    step = line.baseline - above.baseline
    if step < HALF * min(above.size, line.size):
        return True
    if spacing.ruled:
        return not (values and line.values and 0 in line.filled)
    if spacing.row and step > _LOOSE * max(spacing.row, line.size * 1.15):
        return False
    tight = bool(spacing.row) and step < _TIGHT * spacing.row
    if line.values:
        return not values and above.filled == {0} and label_breaks(above, line, columns, tight)
    return _text_goes_on(group, line, columns, tight)


def _text_goes_on(group: Sequence[LineRow], line: LineRow, columns: Sequence[Column], tight: bool) -> bool:
    """A line without values: does it go on with the texts above?"""
    filled = frozenset().union(*(g.filled for g in group))
    if len(filled) == 1 and not tight:
        return False  # two headings, one below the other
    if 0 not in line.filled:
        return line.filled <= filled and (tight or len(filled) > len(line.filled))
    if tight:
        return line.filled <= filled
    return (
        line.filled == {0}
        and 0 in filled
        and label_breaks(group[-1] if 0 in group[-1].filled else group[0], line, columns, tight)
    )


def label_breaks(above: LineRow, below: LineRow, columns: Sequence[Column], tight: bool = False) -> bool:
    """Whether the label of `below` goes on with that of `above`, and is not one of its own."""
    first, second = above.cell(0), below.cell(0)
    if first is None or second is None:
        return second is None and tight
    if _bold(first) != _bold(second) or first.text.rstrip().endswith(":"):
        return False
    if tight:
        return True
    started_low = second.text[:1].islower() or second.text[:1] in "(&"
    return _forced(first, second.words[0], columns[0]) and (started_low or _indented(first, second))


def _forced(cell: Cell, word: Word, column: Column) -> bool:
    """The next word would not have fitted into the column any more."""
    end = max(w.x1 for w in cell.words)
    return end + 0.25 * word.size + (word.x1 - word.x0) > column.x1 - 0.5 * word.size


def _indented(first: Cell, second: Cell) -> bool:
    return second.words[0].x0 > first.words[0].x0 + 0.4 * second.words[0].size


def _bold(cell: Cell) -> bool:
    return all(w.bold for w in cell.words)
