"""What is measured, one file for each metric; `MEASURES` lists them in the order of the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evaluation.metrics.citations import citation_precision, citation_recall, document_precision
from evaluation.metrics.compression import compression_ratio
from evaluation.metrics.correctness import correctness
from evaluation.metrics.latency import latency
from evaluation.metrics.not_found import not_found_precision, not_found_recall
from evaluation.metrics.prompt_evidence import prompt_evidence
from evaluation.metrics.ranking import ranking
from evaluation.metrics.survival import survival
from evaluation.metrics.tokens import cost, tokens
from evaluation.metrics.wrong_unmarked import wrong_unmarked
from evaluation.outcomes import Metric, Outcome

Measure = Callable[[Sequence[Outcome]], Metric]

MEASURES: tuple[Measure, ...] = (
    wrong_unmarked,
    survival,
    correctness,
    not_found_precision,
    not_found_recall,
    citation_precision,
    citation_recall,
    document_precision,
    prompt_evidence,
    compression_ratio,
    latency,
    tokens,
    cost,
)


def measure(outcomes: Sequence[Outcome]) -> tuple[Metric, ...]:
    """Every metric over the outcomes; ranking metrics come last, several from one pass."""
    return (*(m(outcomes) for m in MEASURES), *ranking(outcomes))
