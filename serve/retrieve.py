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


def search(index: Index, vectors: Vectors, scope: Scope, limit: int) -> tuple[Candidate, ...]:
    """The union of `limit` hits per vector method, in one batched search."""
    methods: list[Method] = list(vectors)
    pool: dict[str, Candidate] = {}
    queries = [_query(vectors[m], scope, limit) for m in methods]
    for method, hits in zip(methods, index.search(queries) if queries else [], strict=True):
        for rank, hit in enumerate(hits, 1):
            old = pool.get(hit.chunk.chunk_id) or candidate_of(hit)
            pool[old.candidate_id] = with_score(old, method, Score(raw=hit.score, normalised=0.0, rank=rank))
    return tuple(pool.values())


def merge(pool: Sequence[Candidate], found: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """One candidate for each chunk, with the methods, scores and keywords of both lists."""
    merged = {c.candidate_id: c for c in pool}
    for other in found:
        mine = merged.get(other.candidate_id)
        if mine is None:
            merged[other.candidate_id] = other
            continue
        merged[other.candidate_id] = mine.model_copy(
            update={
                "methods": tuple(dict.fromkeys((*mine.methods, *other.methods))),
                "scores": {**mine.scores, **other.scores},
                "matched_keywords": tuple(dict.fromkeys((*mine.matched_keywords, *other.matched_keywords))),
            }
        )
    return tuple(merged.values())


def _query(vector: tuple[float, ...] | SparseVector, scope: Scope, limit: int) -> VectorQuery:
    if isinstance(vector, SparseVector):
        return VectorQuery(sparse=vector, scope=scope, limit=limit)
    return VectorQuery(dense=vector, scope=scope, limit=limit)


def candidate_of(hit: Hit) -> Candidate:
    return Candidate(
        candidate_id=hit.chunk.chunk_id,
        chunk=hit.chunk,
        doc_name=hit.doc_name,
        doc_type=hit.doc_type,
        period=hit.period,
    )


def with_score(candidate: Candidate, method: Method, score: Score) -> Candidate:
    methods = candidate.methods if method in candidate.methods else (*candidate.methods, method)
    return candidate.model_copy(update={"scores": {**candidate.scores, method: score}, "methods": methods})


def fill_missing(index: Index, vectors: Vectors, scope: Scope, pool: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The pool with every score that another method's find left open, fetched from the engine."""
    filled = {c.candidate_id: c for c in pool}
    missing = {m: tuple(i for i, c in filled.items() if m not in c.scores) for m in vectors}
    asked = [m for m in vectors if missing[m]]
    queries = [
        _query(vectors[m], scope, len(missing[m])).model_copy(update={"ids": missing[m], "exact": True}) for m in asked
    ]
    for method, hits in zip(asked, index.search(queries) if queries else [], strict=True):
        raw = {hit.chunk.chunk_id: hit.score for hit in hits}
        for candidate_id in missing[method]:
            old = filled[candidate_id]
            score = Score(raw=raw.get(candidate_id, 0.0), normalised=0.0)
            filled[candidate_id] = old.model_copy(update={"scores": {**old.scores, method: score}})
    return tuple(filled.values())
