"""Each metric on a handful of outcomes whose figures are worked out by hand."""

from __future__ import annotations

import pytest

from contracts.answers import Survival
from evaluation.bootstrap import interval
from evaluation.metrics import measure
from evaluation.metrics.citations import citation_precision, citation_recall, document_precision
from evaluation.metrics.compression import compression_ratio
from evaluation.metrics.correctness import correctness
from evaluation.metrics.latency import latency
from evaluation.metrics.not_found import not_found_precision, not_found_recall
from evaluation.metrics.prompt_evidence import prompt_evidence
from evaluation.metrics.ranking import rank_metrics, ranking
from evaluation.metrics.survival import survival
from evaluation.metrics.tokens import cost, tokens
from evaluation.metrics.wrong_unmarked import wrong_unmarked
from evaluation.outcomes import Evidence
from tests.evaluation.builders import citing, computed, golden, outcome, pipeline, quoted, refused, row

COUNT = golden({"kind": "count", "value": 12})
ABSENT = golden({"kind": "not_found"}, documents=[])
FOUR = [
    outcome(COUNT, computed("12", "12"), "right"),
    outcome(COUNT, computed("1", "1"), "wrong"),
    outcome(COUNT, refused(), "missed"),
    outcome(ABSENT, refused(), "absent"),
]


def test_correctness_and_harm() -> None:
    metric = correctness(FOUR)
    assert (metric.value, metric.n, metric.parts) == (0.5, 4, {"count": 0.3333, "not_found": 1.0})
    assert (wrong_unmarked(FOUR).value, wrong_unmarked(FOUR).better) == (0.25, "lower")


def test_not_found_precision_and_recall() -> None:
    invented = outcome(ABSENT, quoted("30 days"), "invented")
    assert not_found_precision(FOUR).value == 0.5
    assert not_found_recall([*FOUR, invented]).value == 0.5
    assert not_found_precision([FOUR[0]]).value is None


def test_citations_by_row_and_document() -> None:
    question = golden({"kind": "count", "value": 2}, rows=["X1", "X2"])
    cited = (row("X1", "5"), row("X9", "6", index=1), row("X2", doc="b.pdf"))
    one = outcome(question, computed("2", "2", citations=citing("a.pdf", "b.pdf")), cited_rows=cited)
    none = outcome(question, computed("2", "2"))
    assert citation_precision([one, none]).value == pytest.approx(1 / 3, abs=1e-4)  # X2 of b.pdf proves nothing
    assert citation_recall([one, none]).value == 0.25  # (1 of 2 + 0 of 2) / 2
    assert document_precision([one, none]).value == 0.5


def test_survival_by_stage() -> None:
    stages = {"extraction": ("A1", "A2"), "chunks": ("A1", "A2"), "retrieval": ("A1", "A2"), "rerank": ("A1",)}
    partly = Survival(identifiers=("A1", "A2"), stages={**stages, "compression": ("A1",), "prompt": ("A1",)})
    whole = Survival(identifiers=("B1",), stages=dict.fromkeys((*stages, "compression", "prompt"), ("B1",)))
    metric = survival([outcome(COUNT, refused(), survival=s) for s in (partly, whole, Survival())])
    assert (metric.value, metric.n) == (0.75, 2)
    assert metric.parts["retrieval"] == 1.0
    assert metric.parts["prompt"] == 0.6667


def test_prompt_evidence_and_compression_ratio_count_only_whole_evidence() -> None:
    whole = outcome(
        COUNT, quoted("12", pipeline=pipeline(1000, 400)), evidence=Evidence(needles=2, in_prompt=2, ranked=("c",))
    )
    half = outcome(COUNT, quoted("12", pipeline=pipeline(1000, 100)), evidence=Evidence(needles=2, in_prompt=1))
    assert prompt_evidence([whole, half]).value == 0.5
    assert (compression_ratio([whole, half]).value, compression_ratio([whole, half]).n) == (0.4, 1)


def test_latency_tokens_and_cost() -> None:
    made = [
        outcome(
            COUNT, quoted("12", pipeline=pipeline(stages={"fuse": ms}, tokens={"in": 10, "out": 2}, cost=0.5)), ms=t
        )
        for ms, t in ((1.0, 10.0), (3.0, 20.0), (8.0, 90.0))
    ]
    assert latency(made).value == 20.0
    assert latency(made).parts["fuse"] == 3.0
    assert (tokens(made).value, cost(made).value) == (12.0, 1.5)


def test_ranking_by_hand() -> None:
    first = Evidence(relevant=("a", "b"), ranked=("x", "a", "y", "b"))  # recall@1 0, @3 1/2, @5 1, RR 1/2
    second = Evidence(relevant=("c",), ranked=("c",))  # 1, 1, 1, RR 1
    lost = Evidence(relevant=("d",), ranked=())  # 0 everywhere
    made = [outcome(COUNT, refused(), name, evidence=e) for name, e in (("1", first), ("2", second), ("3", lost))]
    values = {m.name: m.value for m in ranking(made)}
    assert values == {
        "evidence_recall@1": 0.3333,
        "evidence_recall@3": 0.5,
        "evidence_recall@5": 0.6667,
        "evidence_mrr": 0.5,
    }


def test_ranking_without_questions_is_not_measured() -> None:
    assert [m.value for m in rank_metrics({}, {})] == [None] * 4


def test_bootstrap_needs_twenty_values_and_holds_the_mean() -> None:
    assert interval([1.0] * 19) == (None, None)
    assert interval([1.0] * 20) == (1.0, 1.0)
    low, high = interval([0.0, 1.0] * 50)
    # the standard error of a proportion of 1/2 over 100 values is 0.05: about 0.40 to 0.60
    assert low == pytest.approx(0.40, abs=0.03)
    assert high == pytest.approx(0.60, abs=0.03)


def test_the_report_names_each_metric_once() -> None:
    names = [m.name for m in measure(FOUR)]
    assert len(names) == len(set(names)) == 17
