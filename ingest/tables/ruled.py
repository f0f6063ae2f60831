"""Tables with drawn rules: rules that cross form a grid; missing borders between its fields make spanning cells."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence

from contracts.base import BBox
from ingest.layout import Rule, Word
from ingest.tables.grid import Grid, Span

_CROSS = 3.0
"""Points by which two rules may miss each other and still meet."""
_COVER = 0.6
"""Of a field's side that a rule must cover to be its border."""


def find_grids(horizontal: Sequence[Rule], vertical: Sequence[Rule]) -> list[Grid]:
    """Every group of crossing rules that encloses at least two fields, top to bottom."""
    grids = []
    for rows, columns in _components(horizontal, vertical):
        grid = _grid(rows, columns)
        if grid is not None:
            grids.append(grid)
    return sorted(grids, key=lambda g: (g.bbox[1], g.bbox[0]))


def _components(horizontal: Sequence[Rule], vertical: Sequence[Rule]) -> list[tuple[list[Rule], list[Rule]]]:
    parent = list(range(len(horizontal) + len(vertical)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    at = [h.at for h in horizontal]
    for j, v in enumerate(vertical):
        first = bisect_right(at, v.start - _CROSS)
        for i in range(first, len(horizontal)):
            h = horizontal[i]
            if h.at > v.end + _CROSS:
                break
            if h.start - _CROSS <= v.at <= h.end + _CROSS:
                parent[root(i)] = root(len(horizontal) + j)
    groups: dict[int, tuple[list[Rule], list[Rule]]] = defaultdict(lambda: ([], []))
    for i, h in enumerate(horizontal):
        groups[root(i)][0].append(h)
    for j, v in enumerate(vertical):
        groups[root(len(horizontal) + j)][1].append(v)
    return [g for g in groups.values() if g[0] and g[1]]


def _positions(rules: list[Rule]) -> list[float]:
    found: list[float] = []
    for rule in sorted(rules):
        if not found or rule.at - found[-1] > _CROSS:
            found.append(rule.at)
    return found


def _grid(rows: list[Rule], columns: list[Rule]) -> Grid | None:
    xs = _with_outer(_positions(columns), min(r.start for r in rows), max(r.end for r in rows))
    ys = _with_outer(_positions(rows), min(c.start for c in columns), max(c.end for c in columns))
    if len(xs) < 2 or len(ys) < 2 or (len(xs) - 1) * (len(ys) - 1) < 2:
        return None
    return Grid(tuple(xs), tuple(ys), tuple(_spans(xs, ys, rows, columns)))


def _with_outer(positions: list[float], start: float, end: float) -> list[float]:
    """A table without outer rules still ends where the rules across end."""
    if start < positions[0] - 2 * _CROSS:
        positions = [start, *positions]
    if end > positions[-1] + 2 * _CROSS:
        positions = [*positions, end]
    return positions


def _spans(xs: list[float], ys: list[float], rows: list[Rule], columns: list[Rule]) -> list[Span]:
    right = _borders(columns, xs, ys)
    below = _borders(rows, ys, xs)
    seen: set[tuple[int, int]] = set()
    spans = []
    for r in range(len(ys) - 1):
        for c in range(len(xs) - 1):
            if (r, c) not in seen:
                span = _grow(r, c, right, below, len(ys) - 1, len(xs) - 1, seen)
                seen.update((i, j) for i in range(span.r0, span.r1) for j in range(span.c0, span.c1))
                spans.append(span)
    return spans


def _grow(
    r: int,
    c: int,
    right: set[tuple[int, int]],
    below: set[tuple[int, int]],
    height: int,
    width: int,
    seen: set[tuple[int, int]],
) -> Span:
    """The largest rectangle from this field on, first rightwards, then down, that no rule cuts."""
    c1 = c + 1
    while c1 < width and (c1, r) not in right and (r, c1) not in seen:
        c1 += 1
    r1 = r + 1
    while (
        r1 < height
        and all((r1, j) not in below for j in range(c, c1))
        and all((j + 1, r1) not in right for j in range(c, c1 - 1))
    ):
        r1 += 1
    return Span(r, r1, c, c1)


def _borders(rules: list[Rule], positions: list[float], across: list[float]) -> set[tuple[int, int]]:
    """(index of the position, index of the field across) that a rule covers."""
    found = set()
    for rule in rules:
        i = _nearest(positions, rule.at)
        for k in range(
            max(bisect_right(across, rule.start) - 1, 0), min(bisect_right(across, rule.end), len(across) - 1)
        ):
            covered = min(rule.end, across[k + 1]) - max(rule.start, across[k])
            if covered >= _COVER * (across[k + 1] - across[k]):
                found.add((i, k))
    return found


def _nearest(positions: Sequence[float], at: float) -> int:
    i = bisect_right(positions, at)
    return min(range(max(i - 1, 0), min(i + 1, len(positions))), key=lambda k: abs(positions[k] - at))


def inside(word: Word, box: BBox, slack: float = 1.0) -> bool:
    return box[0] - slack <= word.centre <= box[2] + slack and box[1] - slack <= word.middle <= box[3] + slack
