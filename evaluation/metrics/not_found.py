"""Precision and recall of "not found": is it said only where it is true, and everywhere where it is?"""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.metrics.share import share
from evaluation.outcomes import Metric, Outcome


def not_found_precision(outcomes: Sequence[Outcome]) -> Metric:
    """Of the answers "not found", the share on questions that have no answer."""
    said = [o for o in outcomes if o.answer.not_found]
    return share("not_found_precision", [float(not o.question.answerable) for o in said])


def not_found_recall(outcomes: Sequence[Outcome]) -> Metric:
    """Of the questions without an answer, the share that got "not found"."""
    absent = [o for o in outcomes if not o.question.answerable]
    return share("not_found_recall", [float(o.answer.not_found) for o in absent])
