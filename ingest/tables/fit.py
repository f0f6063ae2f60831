"""Whether two parts of a table, on two pages, have the same columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ingest.tables.draft import DraftRow, DraftTable
from ingest.tables.headers import is_value

_EDGE = 6.0
"""Points: columns whose left or right ends differ by less are the same for certain."""
_ALIKE = 0.5
"""Of the header's cells that must be equal for a header to be the repeated one."""


@dataclass(frozen=True, slots=True)
class Fit:
    columns: tuple[int, ...]
    """For each column of the second part its column in the first."""
    repeated: int
    """Rows of the second part that repeat the header."""
    doubt: str = ""
    """Why the parts may be two tables; "" when there is no doubt."""


def find_fit(first: DraftTable, second: DraftTable) -> Fit | None:
    """How the second part goes on with the first; None when it does not."""
    columns = _match_columns(first, second)
    if columns is None:
        return None
    repeated = _repeated_header(first, second)
    if repeated:
        return Fit(columns, repeated)
    if _own_header(first, second):
        return None
    if len(columns) != first.width:
        return Fit(columns, 0, f"page {second.pages[0]} shows {len(columns)} of its {first.width} columns")
    if not _edges_agree(first, second):
        return Fit(columns, 0, "the columns do not stand at quite the same places")
    return Fit(columns, 0)


def _match_columns(first: DraftTable, second: DraftTable) -> tuple[int, ...] | None:
    same_header = bool(_repeated_header(first, second))
    if first.width == second.width and (same_header or first.source == second.source == "ruled"):
        return tuple(range(first.width)) if same_header or _edges_agree(first, second) else None
    found = []
    for x0, x1 in second.extents:
        met = [i for i, (a, b) in enumerate(first.extents) if min(b, x1) - max(a, x0) > 0]
        if len(met) != 1:
            return None
        found.append(met[0])
    return tuple(found) if found == sorted(set(found)) else None


def _repeated_header(first: DraftTable, second: DraftTable) -> int:
    """How many rows of the second part repeat the first part's header, or some levels of it: what stands above the
    columns' names (a title, a period) may be printed on the first page only, and what is taken for a level below them
    may be the first line of a row."""
    head, again = first.headers, second.headers
    if first.width != second.width or not head:
        return 0
    if len(second.rows) >= len(head) and _all_alike(head, second.rows[: len(head)]):
        return len(head)
    levels = (head[i : i + len(again)] for i in range(len(head) - len(again), -1, -1)) if again else ()
    return len(again) if any(_all_alike(part, again) for part in levels) else 0


def _all_alike(head: Sequence[DraftRow], again: Sequence[DraftRow]) -> bool:
    return all(_alike(a.cells, b.cells) for a, b in zip(head, again, strict=True))


def _alike(a: Sequence[str], b: Sequence[str]) -> bool:
    pairs = [(x, y) for x, y in zip(a, b, strict=True) if x or y]
    equal = sum(_plain(x) == _plain(y) for x, y in pairs)
    return bool(pairs) and equal > _ALIKE * len(pairs)


def _plain(text: str) -> str:
    return "".join(text.casefold().split())


def _own_header(first: DraftTable, second: DraftTable) -> bool:
    """Whether the second part begins with names of columns that are not the first part's."""
    if not any(is_value(cell) for row in second.rows for cell in row.cells):
        return False  # without numbers nothing tells a header from a row
    if not first.headers:
        return False
    return any(_fills(row) for row in second.headers)


def _fills(row: DraftRow) -> bool:
    filled = [c for c in row.cells if c]
    return len(filled) >= max(2, len(row.cells) / 2) and bool(row.cells[0] or len(filled) > 2)


def _edges_agree(first: DraftTable, second: DraftTable) -> bool:
    pairs = list(zip(first.extents, second.extents, strict=True))
    return all(min(abs(a[0] - b[0]), abs(a[1] - b[1])) <= _EDGE for a, b in pairs)


def move_cells(second: DraftTable, fit: Fit, width: int) -> DraftTable:
    """The second part with its cells in the `width` columns of the first."""
    return replace(second, rows=tuple(_moved(row, fit.columns, width) for row in second.rows))


def _moved(row: DraftRow, columns: Sequence[int], width: int) -> DraftRow:
    cells = [""] * width
    for text, column in zip(row.cells, columns, strict=True):
        cells[column] = text
    return replace(row, cells=tuple(cells), unproven=tuple(columns[c] for c in row.unproven))
