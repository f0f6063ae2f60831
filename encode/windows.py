"""How a text longer than an encoder's window is read: in overlapping windows, averaged by their tokens."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from contracts.protocols import Floats

OVERLAP = 32
"""Tokens that neighbouring windows share, so that a sentence across the seam is seen whole by one of them."""


def plan_windows(tokens: int, window: int, overlap: int = OVERLAP) -> list[tuple[int, int]]:
    """Half-open token ranges of at most `window` that together cover all `tokens`; one empty range for none.

    The ranges are spread evenly, so that the last is not a stub that would weigh in as noise.
    """
    if tokens <= window:
        return [(0, tokens)]
    overlap = min(overlap, window // 2)
    count = -(-(tokens - overlap) // (window - overlap))
    starts = [round(i * (tokens - window) / (count - 1)) for i in range(count)]
    return [(start, start + window) for start in starts]


def average(vectors: Floats, weights: Sequence[int]) -> Floats:
    """Mean of unit vectors, shape (windows, dimension), weighted by tokens; unit length again."""
    mean = np.average(vectors, axis=0, weights=np.maximum(np.asarray(weights, dtype=np.float64), 1e-9))
    return np.asarray(unit(mean[np.newaxis, :])[0], dtype=np.float32)


def unit(vectors: Floats) -> Floats:
    """Rows scaled to length 1; a zero row stays zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12), dtype=np.float32)
