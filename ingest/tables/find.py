"""All tables of one page: drawn rules first, then aligned columns, then lines full of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from ingest.layout import PageContent, Word
from ingest.lines import TextLine, group_lines
from ingest.tables.aligned import align_region, find_aligned
from ingest.tables.continuation import find_continuation, is_row
from ingest.tables.draft import DraftTable
from ingest.tables.edges import clean_edges
from ingest.tables.grid import table_of_grid
from ingest.tables.headers import is_value
from ingest.tables.number_lines import find_number_lines
from ingest.tables.raw import RawTable
from ingest.tables.ruled import find_grids, inside
from ingest.tables.segments import split_segments
from ingest.tables.table_lines import Rules, make_lines
from ingest.tables.zones import split_zones

_NEARLY = 0.8
"""Of a cell's lines that must have a wide gap; in justified text the last line has none."""
_HEADER_ROWS = 3
_UNDER = 2.5
"""Of the font size: rows begin no further below a drawn header."""
_EDGE = 6.0
"""Points by which the borders of one table may differ from page to page."""


@dataclass(frozen=True)
class Found:
    """The tables of a page from top to bottom, and all other lines in reading order."""

    tables: tuple[RawTable, ...]
    loose: tuple[TextLine, ...]


def find_tables(
    page: PageContent,
    open_table: DraftTable | None = None,
    is_head: Callable[[TextLine], bool] = lambda line: False,
) -> Found:
    """Tables and lines of a page.

    `open_table`: the table with which the page before ended, if it may go on here; `is_head` tells running heads.
    """
    rules = Rules(*clean_edges(page))
    tables, words = _drawn(page, rules, open_table)
    lines = make_lines(words, rules)
    if open_table is not None and open_table.source == "aligned":
        heads = list(takewhile(lambda line: is_head(line.text) and not is_row(line, open_table), lines))
        rest = lines[len(heads) :]
        above = [line for line in rest if not tables or line.text.bottom < tables[0].bbox[1]]
        found = find_continuation(page.number, above, open_table, rules)
        if found is not None:
            tables.append(found[0])
            lines = [*heads, *rest[found[1] :]]
    zones = split_zones(lines)
    for zone in zones:
        aligned = find_aligned(page.number, zone, rules)
        used = {id(w) for table in aligned for row in table.rows for w in row.words}
        left = [line for line in zone if not any(id(w) in used for w in line.text)]
        tables += [*aligned, *find_number_lines(page.number, left)]
    tables = _with_boxed_headers(page.number, tables, rules)
    taken = {id(w) for table in tables for row in table.rows for w in row.words}
    loose = [line.text for zone in zones for line in zone if not all(id(w) in taken for w in line.text)]
    across = group_lines(w for w in words if not w.upright and id(w) not in taken)
    return Found(tuple(sorted(tables, key=lambda t: (t.bbox[1], t.bbox[0]))), (*loose, *across))


def _drawn(page: PageContent, rules: Rules, open_table: DraftTable | None) -> tuple[list[RawTable], list[Word]]:
    """The tables with drawn rules, and the words outside them."""
    tables, words = [], list(page.words)
    for grid in find_grids(rules.horizontal, rules.vertical):
        held = [w for w in words if inside(w, grid.bbox)]
        table = table_of_grid(page.number, grid, held)
        goes_on = table is not None and open_table is not None and _same_columns(table, open_table)
        if table is not None and not goes_on and not _is_table(table):
            table = None
        if table is not None and misses_borders(table):
            table = align_region(page.number, held, rules)
        if table is not None:
            tables.append(table)
            taken = {id(w) for row in table.rows for w in row.words}
            words = [w for w in words if id(w) not in taken]
    return tables, words


def _with_boxed_headers(page: int, tables: list[RawTable], rules: Rules) -> list[RawTable]:
    """A drawn header over undrawn rows is one table with them."""
    for head in [t for t in tables if t.source == "ruled" and _is_header(t)]:
        size = head.rows[-1].words[0].size
        for body in [t for t in tables if t.source == "aligned" and not t.header_rows]:
            under = 0 <= body.bbox[1] - head.bbox[3] + size < _UNDER * size
            if under and body.bbox[0] < head.bbox[2] and body.bbox[2] > head.bbox[0]:
                words = [w for table in (head, body) for row in table.rows for w in row.words]
                joined = align_region(page, words, rules)
                if joined is not None and len(joined.rows) > len(body.rows):
                    tables = [t for t in tables if t is not head and t is not body] + [joined]
                    break
    return tables


def _is_header(table: RawTable) -> bool:
    return len(table.rows) <= _HEADER_ROWS and not any(is_value(c.text) for row in table.rows for c in row.cells)


def _is_table(table: RawTable) -> bool:
    """Two rows, one of them with two cells filled; less is a frame around a text."""
    return len(table.rows) > 1 and any(len(row.cells) > 1 for row in table.rows)


def _same_columns(table: RawTable, other: DraftTable) -> bool:
    pairs = zip(table.extents, other.extents, strict=False)
    return table.width == other.width and all(abs(a[0] - b[0]) < _EDGE and abs(a[1] - b[1]) < _EDGE for a, b in pairs)


def misses_borders(table: RawTable) -> bool:
    """Whether the rules drawn leave columns or rows apart that the words keep.

    Signs: numbers after wide gaps in many cells; wide gaps in nearly all rows; two and more cells of one row that
    stack one number upon the other.
    """
    beside = gaps = stacks = 0
    for row in table.rows:
        cells = [[split_segments(line) for line in group_lines(_upright(cell.words))] for cell in row.cells]
        gaps += any(sum(len(line) > 1 for line in cell) > _NEARLY * len(cell) for cell in cells)
        beside += any(len(line) > 1 and any(s.is_value for s in line) for cell in cells for line in cell)
        stacks += sum(sum(line[-1].is_value for line in cell) > 1 for cell in cells) > 1
    rows = len(table.rows)
    return beside >= max(2, 0.3 * rows) or gaps >= max(4, 0.7 * rows) or stacks > 0


def _upright(words: Sequence[Word]) -> list[Word]:
    return [w for w in words if w.upright]
