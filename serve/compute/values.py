"""Where a phrase of the question stands in the cells, by whole cell or inside one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from compression.terms import stem
from serve.compute.view import DOCUMENT_COLUMN, PERIOD_COLUMN, ColumnView, TableView
from serve.compute.words import norms

SHORT = 500
"""Rows of a table whose number cells are looked up as words too."""

_SEPARATOR = re.compile(r"\s*(?:[,;/&()\[\]\n]|\band\b|\bfeat\b\.?|\s[-–—]\s)\s*", re.IGNORECASE)
Stems = tuple[str, ...]
Places = dict[int, tuple[int, ...]]
"""Column index to view rows, ascending."""


class CellIndex:
    """Words of all cells to their places. Made once for a view; a phrase is then found without reading cells."""

    def __init__(self, view: TableView) -> None:
        # Documents and periods choose tables (see choose.py); their names are no cells to filter by.
        # Numbers are compared by value (see bounds.py); as words (`90 V`) they are worth it in short tables only.
        skipped = (DOCUMENT_COLUMN, PERIOD_COLUMN)
        short = len(view) <= SHORT
        printed = [c.tokens if c.name not in skipped and (short or not c.numeric) else [] for c in view.columns]
        self._cells: list[list[Stems]] = [[tuple(map(stem, t)) for t in tokens] for tokens in printed]
        self._whole: dict[Stems, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        self._listed: dict[Stems, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        self._words: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for column, cells in enumerate(self._cells):
            for row, cell in enumerate(cells):
                self._whole[cell][column].append(row)
                for element in self._elements(view.columns[column], row) - {cell}:
                    self._listed[element][column].append(row)
                for word in dict.fromkeys(cell):
                    self._words[word][column].append(row)

    def __contains__(self, word: str) -> bool:
        return word in self._words

    @staticmethod
    def _elements(column: ColumnView, row: int) -> set[Stems]:
        """What a cell lists, when it lists several things (`Hard (indoor)`, `A & B`)."""
        text = column.texts[row]
        if column.wordy or not _SEPARATOR.search(text):
            return set()
        parts = (tuple(map(stem, norms(p))) for p in _SEPARATOR.split(text))
        return {p for p in parts if p and not all(w.isdigit() for w in p)}

    def whole(self, phrase: Stems) -> Places:
        """Cells that are exactly the phrase, with those in the same column that list it among other things."""
        found = self._whole.get(phrase, {})
        listed = self._listed.get(phrase, {})
        return _frozen({c: sorted({*rows, *listed.get(c, ())}) for c, rows in found.items()})

    def inside(self, phrase: Stems) -> Places:
        """Cells that hold the phrase's words side by side."""
        rarest = min(phrase, key=lambda w: sum(map(len, self._words.get(w, {}).values())))
        found: dict[int, list[int]] = defaultdict(list)
        for column, rows in self._words.get(rarest, {}).items():
            cells = self._cells[column]
            found[column] = [r for r in rows if _holds(cells[r], phrase)]
        return _frozen(found)


def _frozen(places: Mapping[int, Sequence[int]]) -> Places:
    return {column: tuple(rows) for column, rows in places.items() if rows}


def _holds(cell: Stems, phrase: Stems) -> bool:
    size = len(phrase)
    return any(cell[i : i + size] == phrase for i in range(len(cell) - size + 1))
