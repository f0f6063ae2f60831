"""The embedded engine: Qdrant's own segments and indexes in this process (`qdrant-edge-py`)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Literal

import qdrant_edge as qe

from contracts.chunks import SparseVector
from contracts.errors import IndexError_, StoreUnavailable
from contracts.filters import Condition, Match, Range
from store.engine import CollectionSpec, Facts, Found, Payload, Point, Search, Where
from store.schema import DENSE, SPARSE
from store.tuning import ACORN_SELECTIVITY, EF_CONSTRUCT, EF_SEARCH, INDEXING_THRESHOLD_KB, OVERSAMPLING, M

PAGE = 500
_KINDS = {"keyword": qe.PayloadSchemaType.Keyword, "integer": qe.PayloadSchemaType.Integer}
_REFUSED = ("Vector dimension error", "Validation failed", "Wrong input", "Bad request", "Not existing vector name")
"""How the engine's messages begin when the request is at fault; trying again would not help."""


class EdgeEngine:
    """One shard in one folder, held by this process alone."""

    kind: Literal["embedded"] = "embedded"

    def __init__(self, folder: Path, shard: Any) -> None:
        self._folder = folder
        self._shard = shard

    @classmethod
    def create(cls, folder: Path, spec: CollectionSpec) -> EdgeEngine:
        folder.mkdir(parents=True)
        with _translated(folder):
            return cls(folder, qe.EdgeShard.create(str(folder), _config(spec)))

    @classmethod
    def load(cls, folder: Path) -> EdgeEngine:
        if not (folder / "edge_config.json").is_file():
            raise IndexError_(
                f"{folder}: there is no index.", "`allrows doctor --fix` goes back to a whole one, `ingest` makes one."
            )
        with _translated(folder):
            return cls(folder, qe.EdgeShard.load(str(folder)))

    @property
    def location(self) -> str:
        return str(self._folder)

    @property
    def collection(self) -> str:
        return self._folder.name

    def upsert(self, points: Sequence[Point]) -> None:
        if points:
            self._update(qe.UpdateOperation.upsert_points([_point(p) for p in points]))

    def set_payload(self, target: Where, payload: Payload) -> None:
        if not target.impossible:
            self._update(qe.UpdateOperation.set_payload_by_filter(_filter(target), payload))

    def delete(self, target: Where) -> None:
        if not target.impossible:
            self._update(qe.UpdateOperation.delete_points_by_filter(_filter(target)))

    def search(self, searches: Sequence[Search]) -> list[list[Found]]:
        wanted = [i for i, s in enumerate(searches) if not s.futile]
        results: list[list[Found]] = [[] for _ in searches]
        if wanted:
            request = qe.QueryBatchRequest([_query(searches[i]) for i in wanted])
            for i, hits in zip(wanted, self._ask(lambda: self._shard.query_batch(request)), strict=True):
                results[i] = [Found(str(h.id), h.score, h.payload or {}) for h in hits]
        return results

    def retrieve(self, ids: Sequence[str], vectors: bool = False) -> list[Point]:
        return [_record(r) for r in self._ask(lambda: self._shard.retrieve(list(ids), True, vectors))]

    def scroll(self, target: Where, fields: Sequence[str] | None = None, vectors: bool = False) -> Iterator[Point]:
        if target.impossible:
            return
        offset: Any = None
        chosen: Any = True if fields is None else qe.PayloadSelector.Include(list(fields))
        while True:
            request = qe.ScrollRequest(
                offset=offset, limit=PAGE, filter=_filter(target), with_payload=chosen, with_vector=vectors
            )
            records, offset = self._ask(partial(self._shard.scroll, request))
            yield from (_record(r) for r in records)
            if offset is None:
                return

    def count(self, target: Where) -> int:
        if target.impossible:
            return 0
        return int(self._ask(lambda: self._shard.count(qe.CountRequest(exact=True, filter=_filter(target)))))

    def facet(self, field: str, target: Where, limit: int) -> dict[str, int]:
        if target.impossible:
            return {}
        request = qe.FacetRequest(key=field, limit=limit, exact=True, filter=_filter(target))
        return {str(hit.value): hit.count for hit in self._ask(lambda: self._shard.facet(request)).hits}

    def facts(self) -> Facts:
        info = self._ask(lambda: self._shard.info())
        config = json.loads((self._folder / "edge_config.json").read_text(encoding="utf-8"))
        return Facts(
            dimension=config["vectors"][DENSE]["size"],
            distance=config["vectors"][DENSE]["distance"].lower(),
            idf=(config["sparse_vectors"][SPARSE].get("modifier") or "").lower() == "idf",
            indexes={name: _kind_name(i.data_type) for name, i in info.payload_schema.items()},
            detail={
                "points": info.points_count,
                "segments": info.segments_count,
                "indexed_vectors": info.indexed_vectors_count,
            },
        )

    def create_indexes(self, indexes: Mapping[str, str]) -> None:
        for name, kind in indexes.items():
            self._update(qe.UpdateOperation.create_field_index(name, _KINDS[kind]))

    def patient(self) -> EdgeEngine:
        return self

    def harden(self) -> None:
        """`store.schema` alone refuses unindexed filters here; the engine has no such mode."""

    def finish(self) -> None:
        self._ask(lambda: self._shard.optimize())
        self._ask(lambda: self._shard.flush())

    def close(self) -> None:
        if self._shard is not None:
            self._ask(lambda: self._shard.close())
            self._shard = None

    def _update(self, operation: Any) -> None:
        self._ask(lambda: self._shard.update(operation))

    def _ask(self, call: Callable[[], Any]) -> Any:
        with _translated(self._folder):
            return call()


@contextmanager
def _translated(folder: Path) -> Iterator[None]:
    """The engine raises bare `Exception`; it becomes ours, anything more specific passes."""
    try:
        yield
    except Exception as error:
        if type(error) is not Exception:
            raise
        if any(mark in str(error) for mark in _REFUSED):
            raise IndexError_(f"{folder}: refused: {error}.", "`allrows doctor` checks the index.") from error
        raise StoreUnavailable(
            f"{folder}: the embedded engine fails: {error}.", "`allrows doctor` checks it."
        ) from error


def _kind_name(kind: Any) -> str:
    return next((name for name, value in _KINDS.items() if value == kind), str(kind))


def _config(spec: CollectionSpec) -> Any:
    return qe.EdgeConfig(
        vectors={DENSE: qe.EdgeVectorParams(size=spec.dimension, distance=qe.Distance.Cosine)},
        sparse_vectors={SPARSE: qe.EdgeSparseVectorParams(modifier=qe.Modifier.Idf)},
        hnsw_config=qe.HnswIndexConfig(m=M, ef_construct=EF_CONSTRUCT, full_scan_threshold=INDEXING_THRESHOLD_KB),
        quantization_config=_quantization(spec.quantization),
        optimizers=qe.EdgeOptimizersConfig(indexing_threshold=INDEXING_THRESHOLD_KB),
    )


def _quantization(name: str) -> Any:
    if name == "scalar":
        return qe.ScalarQuantizationConfig(type=qe.ScalarType.Int8, quantile=0.99, always_ram=True)
    if name == "binary":
        return qe.BinaryQuantizationConfig(always_ram=True)
    return None


def _point(point: Point) -> Any:
    vector: dict[str, Any] = {}
    if point.dense is not None:
        vector[DENSE] = list(point.dense)
    if point.sparse is not None:
        vector[SPARSE] = qe.SparseVector(list(point.sparse.indices), list(point.sparse.values))
    return qe.Point(id=point.id, vector=vector, payload=point.payload)


def _record(record: Any) -> Point:
    vectors = record.vector or {}
    sparse = vectors.get(SPARSE)
    return Point(
        id=str(record.id),
        payload=record.payload or {},
        dense=tuple(vectors[DENSE]) if DENSE in vectors else None,
        sparse=SparseVector(indices=tuple(sparse.indices), values=tuple(sparse.values)) if sparse else None,
    )


def _query(search: Search) -> Any:
    if search.dense is not None:
        query = qe.Query.Nearest(list(search.dense), using=DENSE)
    else:
        assert search.sparse is not None, "a search has a dense or a sparse vector"
        vector = qe.SparseVector(list(search.sparse.indices), list(search.sparse.values))
        query = qe.Query.Nearest(vector, using=SPARSE)
    params = qe.SearchParams(
        exact=search.exact,
        hnsw_ef=EF_SEARCH,
        quantization=qe.QuantizationSearchParams(rescore=True, oversampling=OVERSAMPLING),
        acorn=qe.AcornSearchParams(enable=True, max_selectivity=ACORN_SELECTIVITY),
        idf=qe.IdfParams(_filter(search.corpus)) if search.corpus is not None else None,
    )
    return qe.QueryRequest(
        limit=search.limit, query=query, with_payload=search.payload, filter=_filter(search.where), params=params
    )


def _filter(target: Where) -> Any:
    must = [_condition(c) for c in target.scope.must]
    if target.ids is not None:
        must.append(qe.HasIdCondition(set(target.ids)))
    return qe.Filter(must=must, must_not=[_condition(c) for c in target.scope.must_not])


def _condition(condition: Condition) -> Any:
    if isinstance(condition, Range):
        return qe.FieldCondition(key=condition.field, range=qe.RangeFloat(gte=condition.gte, lte=condition.lte))
    assert isinstance(condition, Match)
    values: Any = list(condition.any_of)
    return qe.FieldCondition(key=condition.field, match=qe.MatchAny(values))
