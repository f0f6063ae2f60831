"""The one tolerance of the suite, and an independent computation of what a search must find."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from contracts.chunks import SparseVector
from store.engine import Found

TOLERANCE = 2e-6
"""Scores are rounded to 6 decimals; engines differ by the last bits of a float32 before that."""

Expected = list[tuple[str, float]]


def assert_agree(found: Sequence[Found], expected: Expected) -> None:
    """Same ids in the same order, and scores within the tolerance."""
    assert [f.id for f in found] == [i for i, _ in expected]
    for hit, (_, score) in zip(found, expected, strict=True):
        assert math.isclose(hit.score, score, abs_tol=TOLERANCE, rel_tol=TOLERANCE)


def by_cosine(query: Sequence[float], vectors: Mapping[str, Sequence[float]]) -> Expected:
    def cosine(vector: Sequence[float]) -> float:
        dot = math.fsum(a * b for a, b in zip(query, vector, strict=True))
        return dot / (math.hypot(*query) * math.hypot(*vector))

    return _best({i: cosine(v) for i, v in vectors.items()})


def by_bm25(query: SparseVector, vectors: Mapping[str, SparseVector]) -> Expected:
    """Sum over shared tokens of query weight × document weight × log(1 + (N − n + 0.5) / (n + 0.5))."""
    total = len(vectors)

    def idf(token: int) -> float:
        holding = sum(token in v.indices for v in vectors.values())
        return math.log(1 + (total - holding + 0.5) / (holding + 0.5))

    scores = {}
    for point, vector in vectors.items():
        weights = dict(zip(vector.indices, vector.values, strict=True))
        shared = [(t, w) for t, w in zip(query.indices, query.values, strict=True) if t in weights]
        if shared:
            scores[point] = math.fsum(w * weights[t] * idf(t) for t, w in shared)
    return _best(scores)


def _best(scores: Mapping[str, float]) -> Expected:
    return sorted(((i, s) for i, s in scores.items()), key=lambda pair: (-round(pair[1], 6), pair[0]))
