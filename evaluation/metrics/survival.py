"""Survival: of the identifiers that must reach the prompt, the share that is there, and at each stage."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.metrics.share import share
from evaluation.outcomes import Metric, Outcome

STAGES = ("extraction", "chunks", "retrieval", "rerank", "compression", "prompt")


def survival(outcomes: Sequence[Outcome]) -> Metric:
    """Over questions with identifiers. The value is the prompt's share; `parts` has every stage."""
    watched = [o for o in outcomes if o.survival.identifiers]
    parts = {}
    for stage in STAGES:
        kept = sum(len(o.survival.stages.get(stage, ())) for o in watched)
        total = sum(len(o.survival.identifiers) for o in watched)
        parts[stage] = round(kept / total, 4) if total else 0.0
    shares = [len(o.survival.stages.get("prompt", ())) / len(o.survival.identifiers) for o in watched]
    return share("identifier_survival", shares, parts=parts if watched else {})
