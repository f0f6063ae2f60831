"""Recall@k and MRR of the evidence in the fused ranking, computed by ir-measures (extra `eval`)."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.bootstrap import interval
from evaluation.outcomes import Metric, Outcome

CUTS = (1, 3, 5)
WITHOUT = "needs the extra `eval`: pip install 'allrows[eval]'"


def ranking(outcomes: Sequence[Outcome]) -> tuple[Metric, ...]:
    """Over questions that have relevant chunks in the index."""
    asked = {o.question.id: o.evidence for o in outcomes if o.evidence.relevant}
    qrels = {name: dict.fromkeys(e.relevant, 1) for name, e in asked.items()}
    runs = {name: {c: -float(n) for n, c in enumerate(e.ranked)} for name, e in asked.items()}
    return rank_metrics(qrels, runs)


def rank_metrics(
    qrels: dict[str, dict[str, int]], runs: dict[str, dict[str, float]], cuts: Sequence[int] = CUTS
) -> tuple[Metric, ...]:
    """`evidence_recall@k` for each cut and `evidence_mrr`; queries without a run count as 0.

    Args:
        qrels: query to relevant item to grade.
        runs: query to item to score, higher is better.
    """
    names = [*(f"evidence_recall@{k}" for k in cuts), "evidence_mrr"]
    try:
        from ir_measures import RR, R, iter_calc
    except ImportError:
        return tuple(Metric(name=name, value=None, n=0, note=WITHOUT) for name in names)
    measures = [*(R @ k for k in cuts), RR]
    values: dict[str, dict[str, float]] = {str(m): dict.fromkeys(qrels, 0.0) for m in measures}
    if qrels:
        for item in iter_calc(measures, qrels, runs):
            values[str(item.measure)][item.query_id] = item.value
    return tuple(_metric(name, list(values[str(m)].values())) for name, m in zip(names, measures, strict=True))


def _metric(name: str, values: list[float]) -> Metric:
    low, high = interval(values)
    value = round(sum(values) / len(values), 4) if values else None
    return Metric(name=name, value=value, n=len(values), low=low, high=high)
