"""The cross-encoder reads the best few candidates and reorders them, within a time budget."""

from __future__ import annotations

import math
from collections.abc import Sequence

from contracts.base import Record
from contracts.evidence import Candidate, DroppedItem
from contracts.protocols import CrossEncoder


class Reranked(Record):
    """`kept` best first; a table's chunks stand or fall together."""

    kept: tuple[Candidate, ...]
    dropped: tuple[DroppedItem, ...] = ()
    timed_out: bool = False


def rerank(
    question: str,
    fused: Sequence[Candidate],
    encoder: CrossEncoder | None,
    *,
    read: int,
    keep: int,
    budget_ms: float,
    pinned: frozenset[str] = frozenset(),
) -> Reranked:
    """Scores the best `read` units and keeps the best `keep`; the rest are dropped with a reason.

    A unit is a prose chunk, or all chunks of one table in the pool: cutting between the chunks of a
    table would cut its rows. A table is read through its best-fused chunk. `pinned` are tables that a
    plan computes over: they are kept whatever their rank, since the answer stands on them.
    Past the budget (or without an encoder) the fused order stands.
    """
    units = _units(fused)
    logits = None
    if encoder is not None and units:
        logits = encoder.score(question, [_readable(u[0]) for u in units[:read]], budget_ms)
    scored = units[:read] if logits is None else _by_logit(units[:read], logits)
    kept = scored[:keep]
    cut: list[list[Candidate]] = []
    for unit in scored[keep:] + units[read:]:
        (kept if unit[0].chunk.table_id in pinned else cut).append(unit)
    return Reranked(
        kept=tuple(c for unit in kept for c in unit),
        dropped=tuple(
            DroppedItem(item=c.candidate_id, reason=_reason(c, read, keep), detail=c.doc_name)
            for unit in cut
            for c in unit
        ),
        timed_out=encoder is not None and bool(units) and logits is None,
    )


def _units(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    units: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        units.setdefault(candidate.chunk.table_id or candidate.candidate_id, []).append(candidate)
    return list(units.values())


def _readable(candidate: Candidate) -> str:
    title = candidate.chunk.section_title
    return f"{title}\n{candidate.chunk.text}" if title else candidate.chunk.text


def _by_logit(units: list[list[Candidate]], logits: Sequence[float]) -> list[list[Candidate]]:
    scored = [
        [c.model_copy(update={"rerank_logit": logit, "rerank_score": sigmoid(logit)}) for c in unit]
        for unit, logit in zip(units, logits, strict=True)
    ]
    return sorted(scored, key=lambda unit: (-(unit[0].rerank_logit or 0.0), unit[0].candidate_id))


def sigmoid(logit: float) -> float:
    """Probability of a logit, without overflow for large magnitudes."""
    if logit >= 0:
        return 1.0 / (1.0 + math.exp(-logit))
    return math.exp(logit) / (1.0 + math.exp(logit))


def _reason(candidate: Candidate, read: int, keep: int) -> str:
    if candidate.rerank_logit is not None:
        return f"cross-encoder {candidate.rerank_logit:.2f}, not among the best {keep}"
    return f"fused {candidate.fused:.3f}, not among the best {read} read or {keep} kept"
