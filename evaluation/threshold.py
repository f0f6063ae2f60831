"""Precision and recall of "not found" were a confidence threshold to decide it."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.base import Record
from evaluation.outcomes import Outcome


class ThresholdPoint(Record):
    threshold: float
    precision: float
    recall: float


def threshold_curve(outcomes: Sequence[Outcome], steps: int = 20) -> tuple[ThresholdPoint, ...]:
    """Per threshold t: an answer counts as "not found" when it says so or its confidence is below t.

    Precision is 1 where nothing is called not found. Empty without an unanswerable question.
    """
    absent = sum(not o.question.answerable for o in outcomes)
    if not absent:
        return ()
    points = []
    for t in (n / steps for n in range(steps + 1)):
        said = [o for o in outcomes if o.answer.not_found or o.answer.confidence < t]
        hits = sum(not o.question.answerable for o in said)
        points.append(
            ThresholdPoint(
                threshold=t, precision=round(hits / len(said), 4) if said else 1.0, recall=round(hits / absent, 4)
            )
        )
    return tuple(points)
