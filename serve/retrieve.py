"""One pool for all methods, in which every candidate has every score.

A candidate that only one of dense and BM25 found gets its missing score from the engine; it is never
taken as 0 (a BM25 score of 0 then means: shares no term with the question).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from contracts.chunks import SparseVector
from contracts.evidence import Candidate, Method, Score
from contracts.filters import Scope
from contracts.protocols import Hit, Index, VectorQuery

Vectors = Mapping[Method, tuple[float, ...] | SparseVector]
"""The question's vector for each vector method."""


def retrieve(
    index: Index,
    vectors: Vectors,
    scope: Scope,
    limit: int,
    found: Sequence[Candidate] = (),
) -> tuple[Candidate, ...]:
    """The union of `limit` hits per vector method and of what other detectors `found`, all scores filled in."""
    methods: list[Method] = list(vectors)
    lists = index.search([_query(vectors[m], scope, limit) for m in methods])
    pool = {c.candidate_id: c for c in found}
    for method, hits in zip(methods, lists, strict=True):
        for rank, hit in enumerate(hits, 1):
            old = pool.get(hit.chunk.chunk_id) or _candidate(hit)
            pool[old.candidate_id] = _with_score(old, method, Score(raw=hit.score, normalised=0.0, rank=rank))
    return _fill_missing(index, vectors, scope, pool)


def _query(vector: tuple[float, ...] | SparseVector, scope: Scope, limit: int) -> VectorQuery:
    if isinstance(vector, SparseVector):
        return VectorQuery(sparse=vector, scope=scope, limit=limit)
    return VectorQuery(dense=vector, scope=scope, limit=limit)


def _candidate(hit: Hit) -> Candidate:
    return Candidate(
        candidate_id=hit.chunk.chunk_id,
        chunk=hit.chunk,
        doc_name=hit.doc_name,
        doc_type=hit.doc_type,
        period=hit.period,
    )


def _with_score(candidate: Candidate, method: Method, score: Score) -> Candidate:
    methods = candidate.methods if method in candidate.methods else (*candidate.methods, method)
    return candidate.model_copy(update={"scores": {**candidate.scores, method: score}, "methods": methods})


def _fill_missing(index: Index, vectors: Vectors, scope: Scope, pool: dict[str, Candidate]) -> tuple[Candidate, ...]:
    missing = {m: tuple(i for i, c in pool.items() if m not in c.scores) for m in vectors}
    asked = [m for m in vectors if missing[m]]
    queries = [
        _query(vectors[m], scope, len(missing[m])).model_copy(update={"ids": missing[m], "exact": True}) for m in asked
    ]
    for method, hits in zip(asked, index.search(queries) if queries else [], strict=True):
        raw = {hit.chunk.chunk_id: hit.score for hit in hits}
        for candidate_id in missing[method]:
            old = pool[candidate_id]
            score = Score(raw=raw.get(candidate_id, 0.0), normalised=0.0)
            pool[candidate_id] = old.model_copy(update={"scores": {**old.scores, method: score}})
    return tuple(pool.values())
