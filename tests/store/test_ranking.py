"""Order among equals, and the shared last place."""

from __future__ import annotations

from store.engine import Found, Search, where
from store.ranking import MOST, SLACK, ranked


class Fixed:
    """Answers from a list, in the list's order, and remembers the limits it was asked for."""

    def __init__(self, *found: Found) -> None:
        self.found = list(found)
        self.limits: list[list[int]] = []

    def search(self, searches: list[Search]) -> list[list[Found]]:
        self.limits.append([s.limit for s in searches])
        return [self.found[: s.limit] for s in searches]


def search(limit: int) -> Search:
    return Search(where(), limit, dense=(1.0,))


def test_best_first_then_by_id() -> None:
    engine = Fixed(Found("b", 0.5, {}), Found("a", 0.5, {}), Found("c", 0.9, {}))
    assert [f.id for f in ranked(engine, [search(3)])[0]] == ["c", "a", "b"]


def test_differences_below_the_sixth_decimal_are_none() -> None:
    engine = Fixed(Found("b", 0.50000019, {}), Found("a", 0.50000011, {}))
    assert [(f.id, f.score) for f in ranked(engine, [search(2)])[0]] == [("a", 0.5), ("b", 0.5)]


def test_a_shared_last_place_is_asked_for_until_its_end() -> None:
    engine = Fixed(*(Found(f"{n:03}", 1.0, {}) for n in range(99, -1, -1)))
    assert [f.id for f in ranked(engine, [search(2)])[0]] == ["000", "001"]
    assert engine.limits == [[2 + SLACK], [4 * (2 + SLACK)], [16 * (2 + SLACK)]]


def test_only_the_open_searches_are_asked_again() -> None:
    engine = Fixed(*(Found(f"{n:03}", 1.0 if n < 50 else 0.5 - n / 1000, {}) for n in range(100)))
    ranked(engine, [search(2), search(70)])
    assert engine.limits == [[10, 78], [40], [160]]


def test_an_endless_tie_ends() -> None:
    engine = Fixed(*(Found(f"{n:05}", 1.0, {}) for n in range(MOST * 2)))
    assert len(ranked(engine, [search(5)])[0]) == 5
    assert engine.limits[-1] == [MOST]
