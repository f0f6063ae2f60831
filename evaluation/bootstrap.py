"""Confidence intervals by the percentile bootstrap (Efron 1979)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

ENOUGH = 20
"""Fewer values give an interval that says nothing."""


def interval(values: Sequence[float], resamples: int = 2000) -> tuple[float | None, float | None]:
    """95 % interval of the mean; (None, None) below 20 values. The seed is fixed: same values, same interval."""
    if len(values) < ENOUGH:
        return None, None
    data = np.asarray(values, dtype=np.float64)
    picks = np.random.default_rng(7).integers(0, len(data), size=(resamples, len(data)))
    low, high = np.percentile(data[picks].mean(axis=1), [2.5, 97.5])
    return round(float(low), 4), round(float(high), 4)
