"""The weights of `serve.confidence`, fitted: a logistic regression on what speaks for the best sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.optimize import minimize

from serve.confidence import LOGIT_RANGE

NAMES = ("bias", "logit", "coverage", "typed", "subject")
PENALTY = 0.01
"""Of the squared weights, on the mean loss."""


def print_fit(examples: Sequence[tuple[Mapping[str, float], bool]]) -> None:
    """`examples`: `Weighed.evidence` of the best sentence, and whether the question can be answered."""
    weights = fit(examples)
    print("\nfitted: " + ", ".join(f"{n} {w:+.2f}" for n, w in zip(NAMES, weights, strict=True)))


def fit(examples: Sequence[tuple[Mapping[str, float], bool]]) -> list[float]:
    """The weights, in the order of `NAMES`."""
    low, high = LOGIT_RANGE
    x = np.array([[1.0, min(high, max(low, _reads(e))), e["coverage"], e["typed"], e["subject"]] for e, _ in examples])
    sign = np.array([1.0 if answerable else -1.0 for _, answerable in examples])

    def loss(weights: np.ndarray) -> float:
        return float(np.mean(np.log1p(np.exp(-sign * (x @ weights)))) + PENALTY * np.sum(weights**2))

    return [float(w) for w in minimize(loss, np.zeros(len(NAMES))).x]


def _reads(evidence: Mapping[str, float]) -> float:
    read = [evidence[k] for k in ("logit", "passage_logit") if k in evidence]
    return max(read, default=0.0)
