"""Tables that run over pages are one table; a row cut by the page break is one row.

A table goes on when nothing but running heads, page numbers and words such as "continued" stands between its last row
and the first row of the next page, and the columns agree. What agrees only roughly is joined with a warning.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from contracts.documents import DocumentWarning, Line
from ingest.tables.cut_rows import join_cut_row
from ingest.tables.draft import DraftTable
from ingest.tables.fit import Fit, find_fit, move_cells

Places = dict[tuple[int, int, int], tuple[int, int]]
"""(page, table's number on it, row's number there) → (table's number in the document from 0, row index)."""

_FOLIO = re.compile(r"^\W*(?:(?:page|seite|página|p\.)\s*)?\d{1,4}(?:\s*(?:of|/|von|de)\s*\d{1,4})?\W*$", re.I)
_GOES_ON = re.compile(
    r"\bcont(?:inue[ds]?|d|inuing)?\b\.?|\bcarried (?:over|forward)\b|\bbrought forward\b|\bfortsetzung\b|\bcontinúa\b",
    re.I,
)
_SAME_PLACE = 8.0
"""Points by which a running head may move from page to page."""
_MARGIN = 0.06
"""Of the page's height at its top and bottom where a line alone is taken for a running head."""
_CONTINUED_WORDS = 12


@dataclass(frozen=True, slots=True)
class PageTables:
    """What joining needs of one page."""

    number: int
    height: float
    lines: Sequence[Line]
    owners: Sequence[int | None]
    """For each line the number of its table on the page."""
    tables: Sequence[DraftTable]

    def before(self, table: int) -> list[Line]:
        first = next((i for i, owner in enumerate(self.owners) if owner == table), 0)
        return [line for line, _ in zip(self.lines, range(first), strict=False)]

    def after(self, table: int) -> list[Line]:
        last = max((i for i, owner in enumerate(self.owners) if owner == table), default=len(self.lines))
        return list(self.lines[last + 1 :])


def join_tables(pages: Sequence[PageTables]) -> tuple[list[DraftTable], Places]:
    """The document's tables in order, and where each page's rows went."""
    drafts: list[DraftTable] = []
    places: Places = {}
    open_from: PageTables | None = None
    for page in pages:
        for number, table in enumerate(page.tables):
            first = number == 0 and open_from is not None
            joined = _join(open_from, drafts[-1], page, table) if first and open_from is not None else None
            if joined is not None:
                drafts[-1], rows = joined
                places.update({(page.number, 0, r): (len(drafts) - 1, to) for r, to in enumerate(rows)})
            elif not is_fragment(table):
                places.update({(page.number, number, r): (len(drafts), r) for r in range(len(table.rows))})
                drafts.append(table)
        last = len(page.tables) - 1
        held = last >= 0 and (page.number, last, 0) in places
        open_from = page if held else None
    return drafts, places


def is_fragment(table: DraftTable) -> bool:
    """One row alone is no table, unless it goes on with one."""
    return len(table.rows) < 2


def is_furniture(line: Line, height: float, other: Sequence[Line]) -> bool:
    """A running head, a page number, `continued`, or a line in the margin; `other` are the other page's lines."""
    if _FOLIO.match(line.text) or line.bottom < _MARGIN * height or line.top > (1 - _MARGIN) * height:
        return True
    if _GOES_ON.search(line.text) and len(line.text.split()) <= _CONTINUED_WORDS:
        return True
    alike = _shape(line.text)
    return any(abs(o.top - line.top) < _SAME_PLACE and _shape(o.text) == alike for o in other)


def _shape(text: str) -> str:
    return re.sub(r"\d+", "#", text.casefold())


def stays_open(page: PageTables, other: Sequence[Line]) -> bool:
    """Whether the page's last table may go on: nothing but furniture comes after it."""
    if not page.tables:
        return False
    return all(is_furniture(line, page.height, other) for line in page.after(len(page.tables) - 1))


def _join(
    before: PageTables, first: DraftTable, page: PageTables, second: DraftTable
) -> tuple[DraftTable, list[int]] | None:
    """The joined table and the row index of each of `second`'s rows in it."""
    if before.number != page.number - 1 or not stays_open(before, page.lines):
        return None
    leading = [
        line
        for line in page.before(0)
        if not is_furniture(line, page.height, before.lines) and _shape(line.text) != _shape(first.title)
    ]
    if leading:
        return None
    fit = find_fit(first, second)
    if fit is None:
        return None
    return _merge(first, move_cells(second, fit, first.width), fit)


def _merge(first: DraftTable, second: DraftTable, fit: Fit) -> tuple[DraftTable, list[int]]:
    rows = [replace(row, header=i < fit.repeated) for i, row in enumerate(second.rows)]
    head, body = rows[: fit.repeated], rows[fit.repeated :]
    merged = list(first.rows)
    places = list(range(len(merged), len(merged) + len(head)))
    cut = join_cut_row(first, body[0]) if body else None
    warnings = list(first.warnings) + list(second.warnings) + _doubts(second, fit)
    if cut is not None:
        at = len(merged) - 1
        merged[at] = cut.row
        warnings += cut.warnings
        merged += head
        places += [at, *range(len(merged), len(merged) + len(body) - 1)]
        merged += body[1:]
    else:
        places += range(len(merged) + len(head), len(merged) + len(head) + len(body))
        merged += [*head, *body]
    joined = replace(
        first,
        pages=(*first.pages, *second.pages),
        rows=tuple(merged),
        orphans=first.orphans + second.orphans,
        warnings=tuple(warnings),
    )
    return joined, places


def _doubts(second: DraftTable, fit: Fit) -> list[DocumentWarning]:
    if not fit.doubt:
        return []
    page = second.pages[0]
    message = f"The table was taken to go on from page {page - 1} to page {page}, but {fit.doubt}. Compare both pages."
    return [DocumentWarning(code="uncertain_join", message=message, page=page)]
