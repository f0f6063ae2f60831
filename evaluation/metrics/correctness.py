"""Share of right answers, over all questions and by kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from evaluation.metrics.share import share
from evaluation.outcomes import Metric, Outcome


def correctness(outcomes: Sequence[Outcome]) -> Metric:
    kinds: dict[str, list[float]] = defaultdict(list)
    for outcome in outcomes:
        kinds[outcome.question.expect.kind].append(float(outcome.judgement.correct))
    every = [value for values in kinds.values() for value in values]
    return share("correct", every, parts={kind: round(sum(v) / len(v), 4) for kind, v in sorted(kinds.items())})
