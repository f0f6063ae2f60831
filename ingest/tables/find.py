"""All tables of one page: drawn rules first, then aligned columns, then lines full of numbers."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence

from ingest.layout import PageContent, Word
from ingest.lines import group_lines
from ingest.tables.aligned import Rules, align_region, find_aligned
from ingest.tables.edges import clean_edges
from ingest.tables.grid import Grid
from ingest.tables.raw import Cell, RawRow, RawTable
from ingest.tables.ruled import find_grids, inside
from ingest.tables.segments import split_segments


def find_tables(page: PageContent) -> list[RawTable]:
    """Tables from top to bottom."""
    rules = Rules(*clean_edges(page))
    words = list(page.words)
    tables = []
    for grid in find_grids(rules.horizontal, rules.vertical):
        held = [w for w in words if inside(w, grid.bbox)]
        table = _from_grid(page.number, grid, held)
        if table is not None and misses_borders(table):
            table = align_region(page.number, held, rules)
        if table is not None:
            tables.append(table)
            taken = {id(w) for row in table.rows for w in row.words}
            words = [w for w in words if id(w) not in taken]
    tables += find_aligned(page.number, words, rules)
    return sorted(tables, key=lambda t: (t.bbox[1], t.bbox[0]))


def _from_grid(page: int, grid: Grid, words: list[Word]) -> RawTable | None:
    home = {(r, c): span for span in grid.spans for r in range(span.r0, span.r1) for c in range(span.c0, span.c1)}
    held: dict[object, list[Word]] = defaultdict(list)
    for word in words:
        r = min(max(bisect_right(grid.ys, word.middle) - 1, 0), len(grid.ys) - 2)
        c = min(max(bisect_right(grid.xs, word.centre) - 1, 0), len(grid.xs) - 2)
        held[home[r, c]].append(word)
    rows = []
    for r in range(len(grid.ys) - 1):
        cells = [Cell(s.c0, s.c1, tuple(held[s])) for s in grid.spans if s.r0 == r and held[s]]
        if cells:
            rows.append(RawRow(tuple(sorted(cells, key=lambda c: c.c0))))
    if len(rows) < 2 or not any(len(row.cells) > 1 for row in rows):
        return None
    return RawTable(page, grid.xs, tuple(rows), grid.bbox, "ruled")


def misses_borders(table: RawTable) -> bool:
    """Whether the rules drawn leave columns or rows apart that the words keep.

    Signs: numbers after wide gaps in many cells; wide gaps in nearly all rows; two and more cells of one row that
    stack one number upon the other.
    """
    beside = gaps = stacks = 0
    for row in table.rows:
        cells = [[split_segments(line) for line in group_lines(_upright(cell.words))] for cell in row.cells]
        gaps += any(len(line) > 1 for cell in cells for line in cell)
        beside += any(len(line) > 1 and any(s.is_value for s in line) for cell in cells for line in cell)
        stacks += sum(sum(line[-1].is_value for line in cell) > 1 for cell in cells) > 1
    rows = len(table.rows)
    return beside >= max(2, 0.3 * rows) or gaps >= max(4, 0.7 * rows) or stacks > 0


def _upright(words: Sequence[Word]) -> list[Word]:
    return [w for w in words if w.upright]
