"""A share of questions with its interval: what most metrics are."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.bootstrap import interval
from evaluation.outcomes import Metric


def share(name: str, values: Sequence[float], better: str = "higher", parts: dict[str, float] | None = None) -> Metric:
    """The mean of values in [0, 1], None when there are none."""
    low, high = interval(values)
    return Metric(name=name, value=mean(values), n=len(values), better=better, low=low, high=high, parts=parts or {})


def mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 4) if values else None
