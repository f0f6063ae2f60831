"""All tables of one page: drawn rules first, then aligned columns, then lines full of numbers."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict

from ingest.layout import PageContent, Word
from ingest.lines import TextLine, group_lines
from ingest.tables.aligned import Rules, align_region, find_aligned
from ingest.tables.edges import clean_edges
from ingest.tables.grid import Grid
from ingest.tables.raw import Cell, RawRow, RawTable
from ingest.tables.ruled import find_grids, inside
from ingest.tables.segments import looks_like_value, split_segments


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
    """Whether the rules drawn leave columns or rows apart that the words keep: wide gaps in many cells, or rows in
    which two and more cells stack one value upon the other."""
    gaps = stacks = 0
    for row in table.rows:
        lines = [group_lines(w for w in cell.words if w.upright) for cell in row.cells]
        gaps += any(len(split_segments(line)) > 1 for cell in lines for line in cell)
        stacks += sum(sum(_is_value(line) for line in cell) > 1 for cell in lines) > 1
    return gaps >= max(2, 0.3 * len(table.rows)) or stacks > 0


def _is_value(line: TextLine) -> bool:
    return all(looks_like_value(w.text) for w in line)
