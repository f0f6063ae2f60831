"""Records of one kind, read once per version and filtered here.

Ten thousand documents would otherwise be read from the engine for every question.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from contracts.filters import Condition, Match, Scope
from store.engine import Engine, Payload
from store.schema import DOCUMENT_FIELDS
from store.view import View

T = TypeVar("T")


class Memo(Generic[T]):
    """`fields` are what `read` needs beside the fields of documents."""

    def __init__(self, kind: str, read: Callable[[Payload], T], fields: Sequence[str]) -> None:
        self._kind = Match(field="kind", any_of=(kind,))
        self._read = read
        self._fields = ("kind", *DOCUMENT_FIELDS, *fields)
        self._kept: tuple[View, list[tuple[Payload, T]]] | None = None

    def admitted(self, engine: Engine, view: View, scope: Scope) -> list[T]:
        kept = self._kept
        if kept is None or kept[0] != view:
            points = engine.scroll(view.visible(Scope(must=(self._kind,))), fields=self._fields)
            kept = (view, [(p.payload, self._read(p.payload)) for p in points])
            self._kept = kept
        return [record for payload, record in kept[1] if admits(payload, scope)]


def admits(payload: Payload, scope: Scope) -> bool:
    """Whether a point with this payload is in scope, as the engines decide it."""
    return all(_holds(payload, c) for c in scope.must) and not any(_holds(payload, c) for c in scope.must_not)


def _holds(payload: Payload, condition: Condition) -> bool:
    value: Any = payload.get(condition.field)
    values = value if isinstance(value, list) else [] if value is None else [value]
    if isinstance(condition, Match):
        return any(v in condition.any_of for v in values)
    low = float("-inf") if condition.gte is None else condition.gte
    high = float("inf") if condition.lte is None else condition.lte
    return any(low <= v <= high for v in values)
