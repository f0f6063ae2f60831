"""The server engine: one collection of a Qdrant server or cloud, over REST or gRPC."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from qdrant_client import QdrantClient, models

from contracts.chunks import SparseVector
from contracts.filters import Condition, Match, Range
from store.engine import EngineKind, Facts, Found, Payload, Point, Search, Where
from store.faults import retrying, translated
from store.schema import DENSE, SPARSE
from store.tuning import ACORN_SELECTIVITY, BATCH_POINTS, EF_SEARCH, MOST_ASKED, MOST_NAMED, OVERSAMPLING

T = TypeVar("T")
STRICT = models.StrictModeConfig(
    enabled=True,
    unindexed_filtering_retrieve=False,
    unindexed_filtering_update=False,
    search_allow_exact=True,
    max_query_limit=MOST_ASKED,
    search_max_hnsw_ef=EF_SEARCH,
    search_max_oversampling=OVERSAMPLING,
    upsert_max_batchsize=BATCH_POINTS,
    condition_max_size=MOST_NAMED,
)
"""Filters without an index are refused. The limits are what our own requests need: said in every collection, because a
cluster's defaults for new collections, or another tool, may have set lower ones."""
LIMITS = (
    "max_query_limit",
    "search_max_hnsw_ef",
    "search_max_oversampling",
    "upsert_max_batchsize",
    "condition_max_size",
)
Version = tuple[int, int]
IDF_CORPUS_SINCE: Version = (1, 19)
"""From this server version on BM25's statistics can be bound to the chunks of one granularity."""
STATISTICS_BEFORE = "of the whole collection, windows and deleted chunks too: the server is older than 1.19"
ACORN_SINCE: Version = (1, 16)
PAGE = 500
WRITE_PATIENCE_S = 60.0
"""An ingestion may wait this long for a busy server; a question only its request's time-out."""
READ_ATTEMPTS, WRITE_ATTEMPTS = 3, 8


class ServerEngine:
    """One collection, by its own name, never by an alias: a reader keeps its version."""

    kind: EngineKind = "server"

    def __init__(
        self, client: QdrantClient, location: str, collection: str, patience_s: float, version: Version
    ) -> None:
        self._client = client
        self._location = location
        self._name = collection
        self._patience_s = patience_s
        self._attempts = READ_ATTEMPTS
        self._version = version

    @property
    def location(self) -> str:
        return self._location

    @property
    def collection(self) -> str:
        return self._name

    def upsert(self, points: Sequence[Point]) -> None:
        if points:
            structs = [_point(p) for p in points]
            self._write(lambda: self._client.upsert(self._name, structs, wait=True))

    def set_payload(self, target: Where, payload: Payload) -> None:
        if not target.impossible:
            chosen = models.FilterSelector(filter=to_filter(target))
            self._write(lambda: self._client.set_payload(self._name, payload, points=chosen, wait=True))

    def delete(self, target: Where) -> None:
        if not target.impossible:
            chosen = models.FilterSelector(filter=to_filter(target))
            self._write(lambda: self._client.delete(self._name, chosen, wait=True))

    def search(self, searches: Sequence[Search]) -> list[list[Found]]:
        wanted = [i for i, s in enumerate(searches) if not s.futile]
        results: list[list[Found]] = [[] for _ in searches]
        if wanted:
            requests = [self._request(searches[i]) for i in wanted]
            answers = self._read(lambda: self._client.query_batch_points(self._name, requests))
            for i, answer in zip(wanted, answers, strict=True):
                results[i] = [Found(str(h.id), h.score, h.payload or {}) for h in answer.points]
        return results

    def retrieve(self, ids: Sequence[str], vectors: bool = False) -> list[Point]:
        records = self._read(
            lambda: self._client.retrieve(self._name, list(ids), with_payload=True, with_vectors=vectors)
        )
        return [_record(r) for r in records]

    def scroll(self, target: Where, fields: Sequence[str] | None = None, vectors: bool = False) -> Iterator[Point]:
        if target.impossible:
            return
        offset: Any = None
        while True:
            records, offset = self._read(partial(self._scroll, target, fields, vectors, offset))
            yield from (_record(r) for r in records)
            if offset is None:
                return

    def _scroll(self, target: Where, fields: Sequence[str] | None, vectors: bool, offset: Any) -> Any:
        return self._client.scroll(
            self._name,
            scroll_filter=to_filter(target),
            limit=PAGE,
            offset=offset,
            with_payload=True if fields is None else list(fields),
            with_vectors=vectors,
        )

    def count(self, target: Where) -> int:
        if target.impossible:
            return 0
        return self._read(lambda: self._client.count(self._name, count_filter=to_filter(target), exact=True)).count

    def facet(self, field: str, target: Where, limit: int) -> dict[str, int]:
        if target.impossible:
            return {}
        answer = self._read(
            lambda: self._client.facet(self._name, key=field, facet_filter=to_filter(target), limit=limit, exact=True)
        )
        return {str(hit.value): hit.count for hit in answer.hits}

    def facts(self) -> Facts:
        info = self._read(lambda: self._client.get_collection(self._name))
        dense = (info.config.params.vectors or {}).get(DENSE)  # type: ignore[union-attr]
        sparse = (info.config.params.sparse_vectors or {}).get(SPARSE)
        return Facts(
            dimension=dense.size if dense else None,
            distance=dense.distance.value.lower() if dense else "",
            idf=sparse is not None and sparse.modifier == models.Modifier.IDF,
            indexes=self._indexes(info),
            detail={
                "points": info.points_count,
                "segments": info.segments_count,
                "indexed_vectors": info.indexed_vectors_count,
                "status": str(getattr(info.status, "value", info.status)),
                **self._promises(info),
            },
        )

    def _promises(self, info: models.CollectionInfo) -> dict[str, Any]:
        strict = info.config.strict_mode_config
        refuses = (
            strict is not None and strict.unindexed_filtering_retrieve is strict.unindexed_filtering_update is False
        )
        on = bool(strict and strict.enabled)
        return {
            "strict": bool(refuses and on),
            "too_strict": _too_strict(strict) if strict and on else [],
            "idf_corpus": (bounded := self._version >= IDF_CORPUS_SINCE),
            **({} if bounded else {"bm25_statistics": STATISTICS_BEFORE}),
        }

    def _indexes(self, info: models.CollectionInfo) -> dict[str, str]:
        return {name: index.data_type.value for name, index in info.payload_schema.items()}

    def create_indexes(self, indexes: Mapping[str, str]) -> None:
        for name, kind in indexes.items():
            schema = models.PayloadSchemaType(kind)
            create = partial(self._client.create_payload_index, self._name, name, schema, wait=True)
            self._write(create)

    def patient(self) -> ServerEngine:
        engine = ServerEngine(self._client, self._location, self._name, WRITE_PATIENCE_S, self._version)
        engine._attempts = WRITE_ATTEMPTS
        return engine

    def harden(self) -> None:
        self._write(partial(self._client.update_collection, self._name, strict_mode_config=STRICT))

    def finish(self) -> None:
        """A server flushes and optimises by itself; every write here was already acknowledged."""

    def close(self) -> None:
        """The client belongs to the catalogue."""

    def _params(self, search: Search) -> models.SearchParams | None:
        if search.sparse is not None:
            return models.SearchParams(idf=_idf(search) if self._version >= IDF_CORPUS_SINCE else None)
        acorn = models.AcornSearchParams(enable=True, max_selectivity=ACORN_SELECTIVITY)
        return models.SearchParams(
            exact=search.exact,
            hnsw_ef=None if search.exact else EF_SEARCH,
            quantization=models.QuantizationSearchParams(rescore=True, oversampling=OVERSAMPLING),
            acorn=acorn if self._version >= ACORN_SINCE else None,
        )

    def _request(self, search: Search) -> models.QueryRequest:
        query: Any
        if search.dense is not None:
            query = list(search.dense)
        else:
            assert search.sparse is not None, "a search has a dense or a sparse vector"
            query = models.SparseVector(indices=list(search.sparse.indices), values=list(search.sparse.values))
        return models.QueryRequest(
            query=query,
            using=DENSE if search.dense is not None else SPARSE,
            filter=to_filter(search.where),
            params=self._params(search),
            limit=search.limit,
            with_payload=search.payload,
        )

    def _read(self, call: Callable[[], T]) -> T:
        return retrying(lambda: self._once(call), budget_s=self._patience_s, attempts=self._attempts)

    def _write(self, call: Callable[[], T]) -> T:
        """Every write names its points by id or filter: repeating it changes nothing."""
        return retrying(lambda: self._once(call), budget_s=WRITE_PATIENCE_S, attempts=WRITE_ATTEMPTS)

    def _once(self, call: Callable[[], T]) -> T:
        with translated(self._location):
            return call()


def _too_strict(strict: Any) -> list[str]:
    """Limits below what our own requests need, one text each."""
    found = [
        f"{name} is {allowed:g}, not {needed:g}"
        for name in LIMITS
        if (allowed := getattr(strict, name)) is not None and allowed < (needed := getattr(STRICT, name))
    ]
    return found + (["search_allow_exact is off"] if strict.search_allow_exact is False else [])


def _idf(search: Search) -> models.IdfCorpusParams | None:
    return None if search.corpus is None else models.IdfCorpusParams(corpus=to_filter(search.corpus))


def _point(point: Point) -> models.PointStruct:
    vector: dict[str, Any] = {}
    if point.dense is not None:
        vector[DENSE] = list(point.dense)
    if point.sparse is not None:
        vector[SPARSE] = models.SparseVector(indices=list(point.sparse.indices), values=list(point.sparse.values))
    return models.PointStruct(id=point.id, vector=vector, payload=point.payload)


def _record(record: models.Record) -> Point:
    vectors: Any = record.vector or {}
    sparse = vectors.get(SPARSE)
    return Point(
        id=str(record.id),
        payload=record.payload or {},
        dense=tuple(vectors[DENSE]) if vectors.get(DENSE) is not None else None,
        sparse=SparseVector(indices=tuple(sparse.indices), values=tuple(sparse.values)) if sparse else None,
    )


def to_filter(target: Where) -> models.Filter:
    must: list[Any] = [_condition(c) for c in target.scope.must]
    if target.ids is not None:
        must.append(models.HasIdCondition(has_id=list(target.ids)))
    return models.Filter(must=must, must_not=[_condition(c) for c in target.scope.must_not])


def _condition(condition: Condition) -> models.FieldCondition:
    if isinstance(condition, Range):
        return models.FieldCondition(key=condition.field, range=models.Range(gte=condition.gte, lte=condition.lte))
    assert isinstance(condition, Match)
    values: Any = list(condition.any_of)
    return models.FieldCondition(key=condition.field, match=models.MatchAny(any=values))
