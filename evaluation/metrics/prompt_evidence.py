"""Share of questions all of whose evidence (rows, figures, sentences) stands in the prompt."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.metrics.share import share
from evaluation.outcomes import Metric, Outcome


def prompt_evidence(outcomes: Sequence[Outcome]) -> Metric:
    asked = [o.evidence for o in outcomes if o.evidence.needles]
    return share("evidence_complete_in_prompt", [float(e.in_prompt == e.needles) for e in asked])
