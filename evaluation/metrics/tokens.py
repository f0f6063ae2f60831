"""What answering costs with a language model: tokens and money for each question; 0 without one."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.metrics.share import mean
from evaluation.outcomes import Metric, Outcome


def tokens(outcomes: Sequence[Outcome]) -> Metric:
    """Mean over questions of all tokens sent and received."""
    used = [float(sum(o.answer.pipeline.tokens.values())) for o in outcomes if o.answer.pipeline is not None]
    return Metric(name="tokens_per_question", value=mean(used), n=len(used), unit="tokens", better="lower")


def cost(outcomes: Sequence[Outcome]) -> Metric:
    """Sum over the set, in the currency of the price table of the settings."""
    spent = [o.answer.pipeline.cost for o in outcomes if o.answer.pipeline is not None]
    return Metric(name="cost", value=round(sum(spent), 6), n=len(spent), unit="currency", better="lower")
