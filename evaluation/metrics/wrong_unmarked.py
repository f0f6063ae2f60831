"""The metric that matters most: wrong answers that carry no warning and do not say "not found"."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.metrics.share import share
from evaluation.outcomes import Metric, Outcome


def wrong_unmarked(outcomes: Sequence[Outcome]) -> Metric:
    return share("wrong_and_unmarked", [float(o.judgement.wrong_unmarked) for o in outcomes], better="lower")
