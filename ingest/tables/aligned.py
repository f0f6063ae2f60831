"""Tables without drawn columns: gaps that stand one above the other over several lines."""

from __future__ import annotations

from collections.abc import Sequence

from ingest.layout import Rule, Word
from ingest.tables.blocks import connect, extend_down, extend_up, find_blocks, is_enough
from ingest.tables.columns import Column, place_segments
from ingest.tables.form_lines import build_form, count_leading
from ingest.tables.guards import is_axis, is_prose, is_scattered
from ingest.tables.header_lines import count_header_lines, merge_header
from ingest.tables.raw import RawTable
from ingest.tables.rows import line_row, merge_rows
from ingest.tables.table_lines import Rules, TableLine, columns_of, make_lines


def find_aligned(page: int, lines: Sequence[TableLine], rules: Rules) -> list[RawTable]:
    """The undrawn tables among `lines`."""
    blocks = (part for block in connect(find_blocks(lines), lines) for part in _without_form(lines, *block))
    found = (_table(page, lines, start, end, rules) for start, end in blocks)
    return [table for table in found if table is not None]


def align_region(page: int, words: Sequence[Word], rules: Rules) -> RawTable | None:
    """The table that all of `words` form, which drawn rules enclose without parting all its rows or columns."""
    lines = make_lines(words, rules)
    columns = columns_of(lines)
    return build_aligned(page, lines, columns, rules) if len(columns) > 1 and len(lines) > 1 else None


def _without_form(lines: Sequence[TableLine], start: int, end: int) -> list[tuple[int, int]]:
    """A form above a table is a table of its own."""
    rows = start + count_leading(lines[start:end])
    return [(start, rows), (rows, end)] if start < rows < end and is_enough(lines[rows:end]) else [(start, end)]


def _table(page: int, lines: Sequence[TableLine], start: int, end: int, rules: Rules) -> RawTable | None:
    block = lines[start:end]
    if (form := build_form(page, block)) is not None:
        return form
    if not is_enough(block):
        return None
    columns = columns_of(block)
    if len(columns) < 2 or is_prose([line.segments for line in block], columns):
        return None
    block = lines[extend_up(lines, start, columns) : extend_down(lines, end, columns)]
    table = build_aligned(page, block, columns, rules)
    return None if is_scattered(table) or is_axis(table) else table


def build_aligned(page: int, block: Sequence[TableLine], columns: Sequence[Column], rules: Rules) -> RawTable:
    x0, x1 = columns[0].x0, columns[-1].x1
    lines = [
        line_row(line.text, place_segments(line.segments, columns), _rules_above(block, i, rules), x0, x1)
        for i, line in enumerate(block)
    ]
    split = count_header_lines(lines, columns)
    header = merge_header(lines[:split], lines[split:], columns)
    rows = (*header, *merge_rows(lines[split:], columns))
    boxes = [row.bbox for row in rows]
    bbox = (min(b[0] for b in boxes), boxes[0][1], max(b[2] for b in boxes), max(b[3] for b in boxes))
    return RawTable(page, tuple((c.x0, c.x1) for c in columns), rows, bbox, "aligned", len(header))


def _rules_above(block: Sequence[TableLine], i: int, rules: Rules) -> list[Rule]:
    """The rules between line `i` and the one before."""
    if i == 0:
        return []
    low, high = block[i - 1].text.baseline - 1, block[i].text.baseline - 0.3 * block[i].text.size
    return [r for r in rules.horizontal if low < r.at < high]
