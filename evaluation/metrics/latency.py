"""Milliseconds for one answer: median, 95th percentile, and the median of each stage."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from evaluation.outcomes import Metric, Outcome


def latency(outcomes: Sequence[Outcome]) -> Metric:
    """The value is the median of whole answers; `parts` has `p95` and each stage's median."""
    times = [o.ms for o in outcomes if o.error is None]
    if not times:
        return Metric(name="latency", value=None, n=0, unit="ms", better="lower")
    parts = {"p95": round(float(np.percentile(times, 95)), 1), **_stages(outcomes)}
    return Metric(
        name="latency", value=round(float(np.median(times)), 1), n=len(times), unit="ms", better="lower", parts=parts
    )


def _stages(outcomes: Sequence[Outcome]) -> dict[str, float]:
    stages: dict[str, list[float]] = defaultdict(list)
    for outcome in outcomes:
        for stage in outcome.answer.pipeline.stages if outcome.answer.pipeline is not None else ():
            stages[stage.name].append(stage.ms)
    return {name: round(float(np.median(times)), 2) for name, times in stages.items()}
