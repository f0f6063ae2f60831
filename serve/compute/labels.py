"""Labels printed once for several rows: a department beside its first employee, `do` or `"` for the cell above.

Left empty they would count one employee for each department. Only the leftmost column is read so, and the answer says
that it was (`TableView.carried`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from contracts.documents import ColumnKind, ColumnType

_DITTO = re.compile(r"^(?:[\"″〃]|''|,,|[-–—]*\s*(?:do|ditto|id|ídem|idem)\.?\s*[-–—]*)$", re.IGNORECASE)
_MOST = 0.6
"""Of the rows that may have a label of their own."""
_LABELS = 2
"""Labels that there must be."""


def carry_down(
    cells: Sequence[Sequence[str]], types: Sequence[ColumnType], tables: Sequence[int]
) -> tuple[list[list[str]], frozenset[int]]:
    """The columns' cells with labels repeated on the rows they stand for, and which columns were filled so.

    `tables`: the table of each row; no label reaches into the next table.
    """
    filled: list[list[str]] = []
    carried = set()
    for c, column in enumerate(cells):
        below = c == 0 and types[c].kind is ColumnKind.TEXT and _is_label_column(column, cells[1:], tables)
        made = _carried(column, tables, below)
        filled.append(made)
        if made != list(column):
            carried.add(c)
    return filled, frozenset(carried)


def _is_label_column(column: Sequence[str], others: Sequence[Sequence[str]], tables: Sequence[int]) -> bool:
    """Whether each label begins a run of rows: the first row of every table has one, all are different from the one
    before, and the rows without are full otherwise."""
    own = [t.strip() for t in column if t.strip()]
    starts = [r for r in range(len(tables)) if r == 0 or tables[r] != tables[r - 1]]
    if len(own) < _LABELS or len(own) > _MOST * len(column) or any(not column[r].strip() for r in starts):
        return False
    if any(a.casefold() == b.casefold() for a, b in pairwise(own)) or any(map(_has_digits, own)):
        return False
    labelled = [sum(bool(o[r].strip()) for o in others) for r, t in enumerate(column) if t.strip()]
    bare = [sum(bool(o[r].strip()) for o in others) for r, t in enumerate(column) if not t.strip()]
    return min(bare) >= max(2, min(labelled))


def _has_digits(text: str) -> bool:
    return any(c.isdigit() for c in text)


def _carried(column: Sequence[str], tables: Sequence[int], below: bool) -> list[str]:
    found: list[str] = []
    for r, text in enumerate(column):
        goes_on = r > 0 and tables[r] == tables[r - 1]
        again = _DITTO.match(text.strip()) if text.strip() else below
        found.append(found[-1] if goes_on and again and found[-1] else text)
    return found
