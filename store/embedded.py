"""Collections and aliases in a local folder, held by one process at a time.

data_dir/index/catalog.json    aliases, replaced in one step
data_dir/index/lock, holder    who has the folder
data_dir/index/COLLECTION/     one Qdrant shard
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from contracts.errors import IndexError_
from store.edge import EdgeEngine
from store.engine import CollectionSpec, EngineKind
from store.locks import FolderLock
from store.schema import INDEXED


class EmbeddedCatalogue:
    """Raises `IndexLocked` when another process has the folder."""

    kind: EngineKind = "embedded"

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lock = FolderLock(root)
        self._open: dict[str, EdgeEngine] = {}
        self._aliases = self._stored()

    @property
    def location(self) -> str:
        return str(self._root)

    def names(self) -> tuple[str, ...]:
        return tuple(sorted(p.parent.name for p in self._root.glob("*/edge_config.json")))

    def aliases(self) -> dict[str, str]:
        return dict(self._aliases)

    def _stored(self) -> dict[str, str]:
        path = self._root / "catalog.json"
        if not path.is_file():
            return {}
        stored: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
        return stored

    def create(self, name: str, spec: CollectionSpec) -> EdgeEngine:
        engine = EdgeEngine.create(self._root / name, spec)
        engine.create_indexes(INDEXED)
        self._open[name] = engine
        return engine

    def open(self, name: str) -> EdgeEngine:
        if name not in self._open:
            self._open[name] = EdgeEngine.load(self._root / name)
        return self._open[name]

    def lookup(self, alias: str) -> EdgeEngine:
        name = self._aliases.get(alias)
        if name is None:
            raise IndexError_(f"{self._root}: there is no index `{alias}`.", "`allrows ingest` makes one.")
        return self.open(name)

    def drop(self, name: str) -> None:
        if name in self._open:
            self._open.pop(name).close()
        shutil.rmtree(self._root / name)

    def assign(self, aliases: Mapping[str, str | None]) -> None:
        """A new file takes the old one's place, after it is on the disk."""
        merged = {a: c for a, c in {**self._aliases, **aliases}.items() if c is not None}
        fresh = self._root / "catalog.json.new"
        with fresh.open("w", encoding="utf-8") as file:
            json.dump(merged, file)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._root / "catalog.json")
        self._aliases = merged

    def close(self) -> None:
        for engine in self._open.values():
            engine.close()
        self._open.clear()
        self._lock.release()
