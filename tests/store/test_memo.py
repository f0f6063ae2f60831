"""Filtering in memory decides as the engines do."""

from __future__ import annotations

import pytest

from contracts.filters import Match, Range, Scope
from store.engine import Engine, Point, Where
from store.layout import point_id
from store.memo import Memo, admits
from store.view import View

PAYLOADS = [
    {"name": ["a.pdf"], "groups": ["hr", "audit"], "period": "2025-04", "page_start": 1},
    {"name": ["b.pdf", "c.pdf"], "groups": [], "period": None, "page_start": 5},
    {"name": ["d.pdf"], "page_start": 9},
]
SCOPES = [
    Scope(),
    Scope(must=(Match(field="name", any_of=("c.pdf", "d.pdf")),)),
    Scope(must=(Match(field="groups", any_of=("audit",)), Match(field="period", any_of=("2025-04",)))),
    Scope(must=(Match(field="period", any_of=()),)),
    Scope(must_not=(Match(field="period", any_of=()),)),
    Scope(must_not=(Match(field="period", any_of=("2025-04",)),)),
    Scope(must=(Range(field="page_start", gte=2, lte=9),), must_not=(Match(field="name", any_of=("d.pdf",)),)),
    Scope(must=(Range(field="page_start", lte=5),)),
    Scope(must=(Match(field="groups", any_of=("hr", "audit")),), must_not=(Match(field="groups", any_of=("hr",)),)),
]


@pytest.mark.parametrize("scope", SCOPES, ids=range(len(SCOPES)))
def test_as_the_engines_decide(engine: Engine, scope: Scope) -> None:
    engine.upsert([Point(point_id(n), {"kind": "document", "n": n, **p}) for n, p in enumerate(PAYLOADS)])
    by_engine = {p.payload["n"] for p in engine.scroll(Where(scope))}
    assert {n for n, p in enumerate(PAYLOADS) if admits(p, scope)} == by_engine


class Counting:
    def __init__(self) -> None:
        self.scrolls = 0

    def scroll(self, target: Where, fields: tuple[str, ...]) -> list[Point]:
        self.scrolls += 1
        return [Point("1", {"name": ["a.pdf"], "body": "A"})]


def test_read_once_for_each_version() -> None:
    memo, engine = Memo("document", lambda payload: payload["body"], ("body",)), Counting()
    one, two = (View(version, "c", {}, "1") for version in ("v1", "v2"))
    for _ in range(3):
        assert memo.admitted(engine, one, Scope()) == ["A"]
    assert memo.admitted(engine, one, Scope(must=(Match(field="name", any_of=("b.pdf",)),))) == []
    assert engine.scrolls == 1
    memo.admitted(engine, two, Scope())
    assert engine.scrolls == 2
