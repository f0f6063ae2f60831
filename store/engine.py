"""The seam under the index: what any Qdrant must do for us, and nothing more.

An `Engine` is one collection, a `Catalogue` the set of collections with their aliases. Engines know
points, filters and vectors; documents, publishing and versions live above, in `store.index`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from contracts.chunks import SparseVector
from contracts.filters import Match, Scope

EngineKind = Literal["embedded", "memory", "server"]
Payload = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Point:
    """`id` is a UUID; a point without vectors carries payload only."""

    id: str
    payload: Payload
    dense: tuple[float, ...] | None = None
    sparse: SparseVector | None = None


@dataclass(frozen=True, slots=True)
class Where:
    """Which points: all conditions of `scope` (already checked) hold and, if given, the id is listed."""

    scope: Scope = Scope()
    ids: tuple[str, ...] | None = None

    @property
    def impossible(self) -> bool:
        """An empty list of allowed values allows nothing; engines disagree about it, so none is asked."""
        empty = any(isinstance(c, Match) and not c.any_of for c in self.scope.must)
        return empty or self.ids == ()


def where(*must: Match, must_not: tuple[Match, ...] = ()) -> Where:
    return Where(Scope(must=must, must_not=must_not))


@dataclass(frozen=True, slots=True)
class Search:
    """One nearest-neighbour query. Exactly one of `dense` and `sparse` is set.

    `corpus` bounds the chunks over which BM25's document frequencies are counted; for `sparse` only.
    """

    where: Where
    limit: int
    dense: tuple[float, ...] | None = None
    sparse: SparseVector | None = None
    exact: bool = False
    corpus: Where | None = None
    payload: bool = True

    @property
    def futile(self) -> bool:
        """No engine is asked what cannot find anything."""
        return self.where.impossible or (self.sparse is not None and not self.sparse.indices)


@dataclass(frozen=True, slots=True)
class Found:
    id: str
    score: float
    payload: Payload


@dataclass(frozen=True, slots=True)
class CollectionSpec:
    """How a collection is made."""

    dimension: int
    quantization: str = "none"
    shards: int = 1
    replication: int = 1


@dataclass(frozen=True, slots=True)
class Facts:
    """What a collection really has, as the engine itself reports it."""

    dimension: int | None
    distance: str
    idf: bool
    indexes: Mapping[str, str]
    detail: dict[str, Any] = field(default_factory=dict)


class Engine(Protocol):
    """One collection. Methods raise `StoreUnavailable` when the engine cannot be reached."""

    @property
    def kind(self) -> EngineKind: ...
    @property
    def location(self) -> str: ...
    @property
    def collection(self) -> str: ...

    def upsert(self, points: Sequence[Point]) -> None:
        """Durable and visible when it returns. Points with the same id are replaced."""
        ...

    def set_payload(self, target: Where, payload: Payload) -> None:
        """Sets these fields on every point of `target`, leaving the others."""
        ...

    def delete(self, target: Where) -> None: ...

    def search(self, searches: Sequence[Search]) -> list[list[Found]]:
        """One batch; best first, order among equal scores unspecified."""
        ...

    def retrieve(self, ids: Sequence[str], vectors: bool = False) -> list[Point]: ...

    def scroll(self, target: Where, fields: Sequence[str] | None = None, vectors: bool = False) -> Iterator[Point]:
        """In the order of ids. `fields` bounds the payload."""
        ...

    def count(self, target: Where) -> int: ...

    def facet(self, field: str, target: Where, limit: int) -> dict[str, int]:
        """Points per value of a keyword field, exact, at most `limit` values."""
        ...

    def facts(self) -> Facts: ...

    def create_indexes(self, indexes: Mapping[str, str]) -> None: ...

    def patient(self) -> Engine:
        """This collection for a writer: its reads, too, wait for a busy server as long as its writes do."""
        ...

    def harden(self) -> None:
        """Switches strict mode on where the engine has it."""
        ...

    def finish(self) -> None:
        """Flush and optimise."""
        ...

    def close(self) -> None: ...


class Catalogue(Protocol):
    """Collections and aliases of one store."""

    @property
    def kind(self) -> EngineKind: ...
    @property
    def location(self) -> str: ...

    def names(self) -> tuple[str, ...]: ...

    def aliases(self) -> dict[str, str]: ...

    def create(self, name: str, spec: CollectionSpec) -> Engine:
        """A new empty collection with every declared payload index, made before any data."""
        ...

    def open(self, name: str) -> Engine:
        """Raises `IndexError_` when there is no such collection."""
        ...

    def lookup(self, alias: str) -> Engine:
        """What the alias points to now. Raises `IndexError_` when it points nowhere."""
        ...

    def drop(self, name: str) -> None: ...

    def assign(self, aliases: Mapping[str, str | None]) -> None:
        """All at once: alias to collection, None removes the alias."""
        ...

    def close(self) -> None: ...
