"""Collections and aliases of a Qdrant server, made in strict mode with every payload index first."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from urllib.parse import urlsplit

from qdrant_client import QdrantClient, models

from contracts.errors import ConfigError, IndexError_
from contracts.settings import Settings
from store.engine import CollectionSpec, EngineKind
from store.faults import retrying, translated
from store.remote import STRICT, ServerEngine, Version
from store.schema import DENSE, INDEXED, SPARSE
from store.tuning import EF_CONSTRUCT, INDEXING_THRESHOLD_KB, M

T = TypeVar("T")


def collection_config(spec: CollectionSpec) -> dict[str, Any]:
    """The arguments of `create_collection`.

    Strict mode refuses filters without an index, for reads and updates, so that a local server fails
    where Qdrant Cloud would. A write is acknowledged by the majority of its copies.
    """
    return {
        "vectors_config": {DENSE: models.VectorParams(size=spec.dimension, distance=models.Distance.COSINE)},
        "sparse_vectors_config": {SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)},
        "hnsw_config": models.HnswConfigDiff(m=M, ef_construct=EF_CONSTRUCT, full_scan_threshold=INDEXING_THRESHOLD_KB),
        "optimizers_config": models.OptimizersConfigDiff(indexing_threshold=INDEXING_THRESHOLD_KB),
        "quantization_config": _quantization(spec.quantization),
        "shard_number": spec.shards,
        "replication_factor": spec.replication,
        "write_consistency_factor": spec.replication // 2 + 1,
        "strict_mode_config": STRICT,
    }


def _quantization(name: str) -> Any:
    if name == "scalar":
        return models.ScalarQuantization(
            scalar=models.ScalarQuantizationConfig(type=models.ScalarType.INT8, quantile=0.99, always_ram=True)
        )
    if name == "binary":
        return models.BinaryQuantization(binary=models.BinaryQuantizationConfig(always_ram=True))
    return None


class ServerCatalogue:
    """The collections of one server. Raises `ConfigError` for a bad URL or key, `StoreUnavailable` when it cannot be
    reached."""

    kind: EngineKind = "server"

    def __init__(self, settings: Settings) -> None:
        assert settings.qdrant_url is not None, "open.py picks this catalogue only with a URL"
        key = settings.qdrant_api_key
        self.location = checked_url(settings.qdrant_url)
        self._timeout_s = settings.qdrant_timeout_s
        with warnings.catch_warnings():
            # A key over plain http is right inside a private network; docs/store.md says to use https elsewhere.
            warnings.filterwarnings("ignore", message="Api key is used with an insecure connection")
            self._client = QdrantClient(
                url=self.location,
                api_key=key.get_secret_value() if key else None,
                prefer_grpc=settings.qdrant_prefer_grpc,
                grpc_port=settings.qdrant_grpc_port,
                timeout=max(1, round(settings.qdrant_timeout_s)),
                check_compatibility=False,  # checked below, with our own words and without a warning
            )
        self._version = _parsed(self._read(self._client.info).version)

    def names(self) -> tuple[str, ...]:
        return tuple(sorted(c.name for c in self._read(self._client.get_collections).collections))

    def aliases(self) -> dict[str, str]:
        return {a.alias_name: a.collection_name for a in self._read(self._client.get_aliases).aliases}

    def create(self, name: str, spec: CollectionSpec) -> ServerEngine:
        self._once(lambda: self._client.create_collection(name, **collection_config(spec)))
        engine = self._engine(name)
        engine.create_indexes(INDEXED)
        return engine

    def open(self, name: str) -> ServerEngine:
        if not self._read(lambda: self._client.collection_exists(name)):
            raise IndexError_(f"{self.location}: there is no collection `{name}`.", "`allrows doctor` shows what is.")
        return self._engine(name)

    def lookup(self, alias: str) -> ServerEngine:
        """By the alias itself: the server resolves it with each request."""
        return self._engine(alias)

    def drop(self, name: str) -> None:
        self._once(lambda: self._client.delete_collection(name))

    def assign(self, aliases: Mapping[str, str | None]) -> None:
        """One request: the server applies all its actions together."""
        known = self.aliases()
        changes: list[Any] = [
            models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=alias))
            for alias in aliases
            if alias in known
        ]
        changes += [
            models.CreateAliasOperation(create_alias=models.CreateAlias(collection_name=name, alias_name=alias))
            for alias, name in aliases.items()
            if name is not None
        ]
        if changes:
            self._once(lambda: self._client.update_collection_aliases(changes))

    def close(self) -> None:
        self._client.close()

    def _engine(self, name: str) -> ServerEngine:
        return ServerEngine(self._client, self.location, name, self._timeout_s, self._version)

    def _read(self, call: Callable[[], T]) -> T:
        return retrying(lambda: self._once(call), budget_s=self._timeout_s, attempts=3)

    def _once(self, call: Callable[[], T]) -> T:
        """Creating, dropping and switching are not repeated: a lost answer may mean it was done."""
        with translated(self.location):
            return call()


def checked_url(url: str) -> str:
    """Raises `ConfigError` for what is no URL of a server, before the client fails over it in words of its own."""
    try:
        parts = urlsplit(url)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # the port is no number below 65536
        sound = False
    if not sound:
        raise ConfigError(
            f"`{url}` is no URL of a Qdrant server.",
            "Write it as http://host:6333 or https://host (ALLROWS_QDRANT_URL, --target or --against).",
        )
    return url


def _parsed(version: str) -> Version:
    """Major and minor; a version that cannot be read counts as old, so that nothing unknown is sent."""
    found = re.match(r"v?(\d+)\.(\d+)", version)
    return (int(found[1]), int(found[2])) if found else (0, 0)
