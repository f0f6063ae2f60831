"""Which rows are the header, and what the columns are called."""

from __future__ import annotations

import re
from collections.abc import Sequence

from contracts.numbers import parse_number
from ingest.tables.form_lines import is_form_line
from ingest.tables.raw import RawRow, RawTable

_MOST = 6
"""Rows that a header has at most."""
_YEAR = re.compile(r"^(?:19|20)\d\d(?:[-/–]\d{2,4})?\W{0,2}$")


def is_year(text: str) -> bool:
    return _YEAR.match(text) is not None


def is_value(text: str) -> bool:
    """A number that is data, not a year as headers have."""
    return bool(text) and not is_year(text) and any(c.isdigit() for c in text) and parse_number(text) is not None


def count_header_rows(table: RawTable) -> int:
    """Rows before the first that holds values; without any, the first row if it holds names alone."""
    width = table.width
    if is_form_line([t for t in table.rows[0].texts(width) if t]):
        return 0
    for i, row in enumerate(table.rows[:_MOST]):
        if any(is_value(t) for t in row.texts(width)):
            return _without_groups(table.rows[:i])
    first = table.rows[0].texts(width)
    named = len(table.rows) > 1 and len(table.rows[0].cells) > 1 and not any(_is_datum(t) for t in first)
    return 1 if named else 0


def _is_datum(text: str) -> bool:
    """A text with digits that is no year: a code or a date, which no header has."""
    return any(c.isdigit() for c in text) and not is_year(text)


def _without_groups(rows: Sequence[RawRow]) -> int:
    """A text alone under a row of names is a group's heading, not a header."""
    count = len(rows)
    while count > 1 and len(rows[count - 1].cells) == 1 and any(len(row.cells) > 1 for row in rows[: count - 1]):
        count -= 1
    return count


def name_columns(rows: Sequence[RawRow], width: int) -> tuple[str, ...]:
    """Header texts per column, levels joined with " / "; a spanning cell names every column below it."""
    levels: list[list[str]] = [[] for _ in range(width)]
    for row in rows:
        for cell in row.cells:
            for c in range(cell.c0, min(cell.c1, width)):
                if cell.text and cell.text not in levels[c]:
                    levels[c].append(cell.text)
    return tuple(" / ".join(parts) for parts in levels)
