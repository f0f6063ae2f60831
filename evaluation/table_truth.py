"""Ground truth of the ICDAR 2013 table competition (`NAME-str.xml` beside `NAME.pdf`) and how found tables agree with it.

Our own reading of the measures, independent of any other scorer:
row recall: true rows of two and more filled cells whose texts stand in one found row of the page, in column order, each
from a cell's or word's border to another, each found row used once; row precision: found rows of two and more cells used
by a true row; adjacency: the competition's relations (nearest filled neighbour to the right and below), micro F1.
Texts are compared without white space, in lower case, with one kind of dash and quote, dot leaders left out.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from contracts.base import Record

Grid = Sequence[Sequence[str]]
_SAME = str.maketrans(
    {**dict.fromkeys("‐‑‒–—―−\uf0b7", "-"), **dict.fromkeys("‘’‛`´", "'"), **dict.fromkeys("“”„", '"')}
)


class TrueCell(Record):
    text: str
    """Squeezed."""
    rows: tuple[int, int]
    columns: tuple[int, int]
    """First and last, inclusive."""


class TrueRegion(Record):
    """A table's part on one page."""

    page: int
    cells: tuple[TrueCell, ...]

    def rows(self) -> list[list[str]]:
        """Texts of the cells that begin in each row, rows of one cell left out."""
        found: dict[int, list[TrueCell]] = defaultdict(list)
        for cell in self.cells:
            found[cell.rows[0]].append(cell)
        ordered = (sorted(found[r], key=lambda c: c.columns) for r in sorted(found))
        return [[c.text for c in row] for row in ordered if len(row) > 1]


class Agreement(Record):
    true_rows: int = 0
    found_rows: int = 0
    matched: int = 0
    true_relations: int = 0
    found_relations: int = 0
    shared_relations: int = 0

    def __add__(self, other: Agreement) -> Agreement:
        return Agreement(**{k: v + getattr(other, k) for k, v in self.model_dump().items()})

    @property
    def recall(self) -> float:
        return self.matched / max(self.true_rows, 1)

    @property
    def precision(self) -> float:
        return self.matched / max(self.found_rows, 1)

    @property
    def adjacency(self) -> float:
        return 2 * self.shared_relations / max(self.true_relations + self.found_relations, 1)


def words_of(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKC", text.translate(_SAME)).translate(_SAME).lower()
    return re.sub(r"(?:\.\s?){3,}", " ", plain.replace("\xad", "")).split()


def squeeze(text: str) -> str:
    return "".join(words_of(text))


def read_truth(path: Path) -> list[TrueRegion]:
    """The regions of one `-str.xml` file."""
    regions = []
    for region in ET.parse(path).getroot().iter("region"):
        cells = [cell for item in region.iter("cell") if (cell := _cell(item)).text]
        regions.append(TrueRegion(page=int(region.attrib["page"]), cells=tuple(cells)))
    return regions


def _cell(item: ET.Element) -> TrueCell:
    row, column = int(item.attrib["start-row"]), int(item.attrib["start-col"])
    return TrueCell(
        text=squeeze(item.findtext("content") or ""),
        rows=(row, int(item.get("end-row", row))),
        columns=(column, int(item.get("end-col", column))),
    )


def compare_page(regions: Sequence[TrueRegion], grids: Sequence[Grid]) -> Agreement:
    """The tables found on a page against those that are there."""
    rows = [row for grid in grids for row in grid if sum(bool(squeeze(c)) for c in row) > 1]
    wanted = [row for region in regions for row in region.rows()]
    true = Counter(r for region in regions for r in _true_relations(region))
    found = Counter(r for grid in grids for r in _found_relations(grid))
    return Agreement(
        true_rows=len(wanted),
        found_rows=len(rows),
        matched=_match([[i for i, row in enumerate(rows) if _holds(row, cells)] for cells in wanted]),
        true_relations=true.total(),
        found_relations=found.total(),
        shared_relations=(true & found).total(),
    )


def _holds(row: Sequence[str], cells: Sequence[str]) -> bool:
    text, ends = "", {0}
    for word in (word for cell in row for word in words_of(cell)):
        text += word
        ends.add(len(text))
    at = 0
    for cell in cells:
        at = next(
            (e for s in sorted(ends) if s >= at and text.startswith(cell, s) and (e := s + len(cell)) in ends), -1
        )
        if at < 0:
            return False
    return True


def _match(choices: Sequence[Sequence[int]]) -> int:
    """Size of the largest one-to-one assignment (augmenting paths)."""
    owner: dict[int, int] = {}

    def assign(row: int, seen: set[int]) -> bool:
        for choice in choices[row]:
            if choice not in seen:
                seen.add(choice)
                if choice not in owner or assign(owner[choice], seen):
                    owner[choice] = row
                    return True
        return False

    return sum(assign(row, set()) for row in range(len(choices)))


def _true_relations(region: TrueRegion) -> Iterable[tuple[str, str, str]]:
    found = set()
    for i, cell in enumerate(region.cells):
        for row in range(cell.rows[0], cell.rows[1] + 1):
            right = [
                (c.columns[0], j)
                for j, c in enumerate(region.cells)
                if _in(row, c.rows) and c.columns[0] > cell.columns[1]
            ]
            found |= {(i, min(right)[1], "right")} if right else set()
        for column in range(cell.columns[0], cell.columns[1] + 1):
            below = [
                (c.rows[0], j)
                for j, c in enumerate(region.cells)
                if _in(column, c.columns) and c.rows[0] > cell.rows[1]
            ]
            found |= {(i, min(below)[1], "below")} if below else set()
    return [(region.cells[i].text, region.cells[j].text, way) for i, j, way in found]


def _in(at: int, span: tuple[int, int]) -> bool:
    return span[0] <= at <= span[1]


def _found_relations(grid: Grid) -> list[tuple[str, str, str]]:
    plain = [[squeeze(cell) for cell in row] for row in grid]
    width = max(map(len, plain), default=0)
    lines = [(row, "right") for row in plain]
    lines += [([row[c] for row in plain if c < len(row)], "below") for c in range(width)]
    relations = []
    for line, way in lines:
        filled = [text for text in line if text]
        relations += [(a, b, way) for a, b in itertools.pairwise(filled)]
    return relations
