"""Running headers and footers: lines that repeat at the same height on page after page.

They are kept in the line table and the first of each kind is searched; the repeats would fill the index with
"Page 7 of 120" and cut every section's text at each page break.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from contracts.documents import Line

_PAGES = 3
"""Pages on which a line must stand to count as repeated."""
_EDGE = 3
"""Lines from the top or bottom of a page among which furniture is looked for."""


def find_furniture(lines: Sequence[Line]) -> frozenset[tuple[int, int]]:
    """(page, line) of every repeat of a header or footer; never of a table's line, never of the first of its kind."""
    seen: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for line in _edges(lines):
        if line.table_id is None:
            alike = re.sub(r"\d+", "#", line.text.casefold()).strip()
            seen.setdefault((alike, round(line.top / 4)), []).append((line.page, line.line))
    repeats = (places[1:] for places in seen.values() if len({page for page, _ in places}) >= _PAGES)
    return frozenset(place for places in repeats for place in places)


def _edges(lines: Sequence[Line]) -> list[Line]:
    pages: dict[int, list[Line]] = {}
    for line in lines:
        pages.setdefault(line.page, []).append(line)
    edges = []
    for page in pages.values():
        edges += page if len(page) <= 2 * _EDGE else page[:_EDGE] + page[-_EDGE:]
    return edges
