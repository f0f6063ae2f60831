"""How much smaller the context gets where nothing needed is lost."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.metrics.share import mean
from evaluation.outcomes import Metric, Outcome


def compression_ratio(outcomes: Sequence[Outcome]) -> Metric:
    """Characters after / before compression, over questions whose evidence all stands in the prompt.

    Judged together with survival: a small ratio alone is easy to get by losing rows.
    """
    ratios = [
        o.answer.pipeline.chars_after_compression / o.answer.pipeline.chars_before_compression
        for o in outcomes
        if o.answer.pipeline is not None
        and o.answer.pipeline.chars_before_compression
        and o.evidence.needles
        and o.evidence.in_prompt == o.evidence.needles
    ]
    return Metric(name="compression_ratio", value=mean(ratios), n=len(ratios), better="neither")
