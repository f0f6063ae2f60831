"""The Python client's in-memory mode, for tests: the server engine's code on a brute-force collection."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import TypeVar

from qdrant_client import QdrantClient, models

from contracts.errors import IndexError_
from store.engine import CollectionSpec, EngineKind, Search
from store.remote import IDF_CORPUS_SINCE, ServerEngine
from store.schema import INDEXED
from store.server import collection_config

T = TypeVar("T")


class MemoryEngine(ServerEngine):
    """In-memory mode scans everything and keeps no payload indexes, so they are remembered here."""

    kind: EngineKind = "memory"

    def __init__(self, client: QdrantClient, collection: str, lock: threading.RLock, indexes: dict[str, str]) -> None:
        super().__init__(client, "memory", collection, patience_s=60.0, version=IDF_CORPUS_SINCE)
        self._lock = lock
        self._kept = indexes

    def create_indexes(self, indexes: Mapping[str, str]) -> None:
        self._kept.update(indexes)

    def patient(self) -> MemoryEngine:
        return self

    def harden(self) -> None:
        """In-memory mode has no strict mode."""

    def _indexes(self, info: models.CollectionInfo) -> dict[str, str]:
        return dict(self._kept)

    def _promises(self, info: models.CollectionInfo) -> dict[str, bool]:
        return {}

    def _params(self, search: Search) -> models.SearchParams | None:
        params = super()._params(search)
        return models.SearchParams(idf=params.idf) if params and params.idf else None

    def _once(self, call: Callable[[], T]) -> T:
        """The in-memory collection is not made for several threads."""
        try:
            with self._lock:
                return super()._once(call)
        except ValueError as error:
            raise IndexError_(f"memory: refused: {error}.", "Correct the request.") from error


class MemoryCatalogue:
    """Collections that live as long as this object."""

    kind: EngineKind = "memory"
    location = "memory"

    def __init__(self) -> None:
        self._client = QdrantClient(":memory:")
        self._lock = threading.RLock()
        self._indexes: dict[str, dict[str, str]] = {}
        self._aliases: dict[str, str] = {}

    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self._indexes))

    def aliases(self) -> dict[str, str]:
        return dict(self._aliases)

    def create(self, name: str, spec: CollectionSpec) -> MemoryEngine:
        with self._lock:
            self._client.create_collection(name, **collection_config(spec))
            self._indexes[name] = {}
        engine = self.open(name)
        engine.create_indexes(INDEXED)
        return engine

    def open(self, name: str) -> MemoryEngine:
        if name not in self._indexes:
            raise IndexError_(f"memory: there is no collection `{name}`.", "Create it first.")
        return MemoryEngine(self._client, name, self._lock, self._indexes[name])

    def lookup(self, alias: str) -> MemoryEngine:
        if alias not in self._aliases:
            raise IndexError_(f"memory: there is no index `{alias}`.", "Create it first.")
        return self.open(self._aliases[alias])

    def drop(self, name: str) -> None:
        with self._lock:
            self._client.delete_collection(name)
            del self._indexes[name]

    def assign(self, aliases: Mapping[str, str | None]) -> None:
        with self._lock:
            kept = {a: c for a, c in self._aliases.items() if a not in aliases}
            self._aliases = kept | {a: c for a, c in aliases.items() if c is not None}

    def close(self) -> None:
        self._client.close()
