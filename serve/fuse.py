"""Weighted and reciprocal-rank fusion over one pool.

Weighted: `w_dense · minmax(dense) + w_bm25 · minmax(bm25)`, min-max over the pool (Bruch et al. 2023,
"An Analysis of Fusion Functions for Hybrid Retrieval"). RRF: `Σ 1 / (k + rank)` (Cormack et al. 2009).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from contracts.base import Record
from contracts.evidence import Candidate, Method, Score


class Fused(Record):
    """The pool, best first, with normalised scores and what could not be normalised."""

    candidates: tuple[Candidate, ...]
    weights: dict[str, float]
    degenerate: dict[str, str] = {}
    """Method to why its min-max tells nothing."""


def fuse(candidates: Sequence[Candidate], weights: Mapping[Method, float]) -> Fused:
    """Weighted fusion. A method whose scores are all equal contributes 0 and is reported as degenerate."""
    normalised = {method: _minmax(candidates, method) for method in weights}
    scored = []
    for i, candidate in enumerate(candidates):
        scores = dict(candidate.scores)
        for method, values in normalised.items():
            old = scores.get(method, Score(raw=0.0, normalised=0.0))
            scores[method] = old.model_copy(update={"normalised": values[i]})
        total = sum(weight * normalised[method][i] for method, weight in weights.items())
        scored.append(candidate.model_copy(update={"scores": scores, "fused": total}))
    degenerate = {m: why for m in weights if (why := _degenerate(candidates, m))}
    return Fused(candidates=_best_first(scored), weights=dict(weights), degenerate=degenerate)


def fuse_by_rank(candidates: Sequence[Candidate], k: int) -> Fused:
    """Reciprocal rank fusion over the ranks that each method gave by itself."""
    scored = []
    for candidate in candidates:
        ranks = [s.rank for s in candidate.scores.values() if s.rank is not None]
        scored.append(candidate.model_copy(update={"fused": sum(1.0 / (k + rank) for rank in ranks)}))
    return Fused(candidates=_best_first(scored), weights={"rrf_k": float(k)})


def _best_first(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    return tuple(sorted(candidates, key=lambda c: (-c.fused, c.candidate_id)))


def _raw(candidates: Sequence[Candidate], method: Method) -> list[float]:
    return [c.scores[method].raw if method in c.scores else 0.0 for c in candidates]


def _minmax(candidates: Sequence[Candidate], method: Method) -> list[float]:
    raw = _raw(candidates, method)
    low, high = min(raw, default=0.0), max(raw, default=0.0)
    if high <= low:
        return [0.0] * len(raw)
    return [(value - low) / (high - low) for value in raw]


def _degenerate(candidates: Sequence[Candidate], method: Method) -> str:
    raw = _raw(candidates, method)
    if len(raw) == 1:
        return "a single candidate"
    if raw and max(raw) == min(raw):
        return "no candidate shares a term with the question" if max(raw) == 0 else f"all scores equal {raw[0]:g}"
    return ""
