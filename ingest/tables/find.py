"""All tables of one page: drawn rules first, then aligned columns, then lines full of numbers."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict

from ingest.layout import PageContent, Word
from ingest.lines import group_lines
from ingest.tables.aligned import find_blocks, find_columns
from ingest.tables.edges import clean_edges
from ingest.tables.grid import Grid
from ingest.tables.raw import Cell, RawRow, RawTable
from ingest.tables.ruled import find_grids, inside


def find_tables(page: PageContent) -> list[RawTable]:
    """Tables from top to bottom."""
    horizontal, vertical = clean_edges(page)
    words = list(page.words)
    tables = []
    for grid in find_grids(horizontal, vertical, words):
        table = _from_grid(page.number, grid, [w for w in words if inside(w, grid.bbox)])
        if table is not None:
            tables.append(table)
            taken = set(w for row in table.rows for w in row.words)
            words = [w for w in words if w not in taken]
    for block in find_blocks(group_lines(words)):
        xs = find_columns(block)
        if len(xs) > 2:
            tables.append(_from_lines(page.number, block.lines, xs))
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


def _from_lines(page: int, lines: tuple[list[Word], ...], xs: tuple[float, ...]) -> RawTable:
    rows = []
    for line in lines:
        held: dict[int, list[Word]] = defaultdict(list)
        for word in line:
            held[min(max(bisect_right(xs, word.centre) - 1, 0), len(xs) - 2)].append(word)
        rows.append(RawRow(tuple(Cell(c, c + 1, tuple(ws)) for c, ws in sorted(held.items()))))
    boxes = [row.bbox for row in rows]
    bbox = (xs[0], min(b[1] for b in boxes), xs[-1], max(b[3] for b in boxes))
    return RawTable(page, xs, tuple(rows), bbox, "aligned")
