"""The exit code: harm always fails, everything else only against the baseline."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.answers import Survival
from contracts.errors import InputError
from evaluation.baseline import baseline_path, load_baseline, machine, make_baseline, save_baseline
from evaluation.gates import check
from evaluation.metrics import measure
from evaluation.outcomes import Outcome
from tests.evaluation.builders import computed, golden, outcome, refused

COUNT = golden({"kind": "count", "value": 12})
RIGHT = outcome(COUNT, computed("12", "12"), "a")
OTHER = outcome(COUNT, computed("12", "12"), "b")
MISSED = outcome(COUNT, refused(), "b")
HARM = outcome(COUNT, computed("1", "1"), "c")


def failed(outcomes: list[Outcome], before: list[Outcome] | None = None, drift: tuple[str, ...] = ()) -> list[str]:
    base = None
    if before is not None:
        base = make_baseline("t", measure(before), [o.question.id for o in before if o.judgement.correct])
    return [g.name for g in check(measure(outcomes), outcomes, base, drift) if not g.passed]


def test_a_clean_run_passes_with_and_without_a_baseline() -> None:
    assert failed([RIGHT, OTHER]) == []
    assert failed([RIGHT, OTHER], [RIGHT, OTHER]) == []


def test_harm_fails_without_a_baseline_and_a_false_not_found_does_not() -> None:
    assert failed([RIGHT, HARM]) == ["wrong_and_unmarked"]
    assert failed([RIGHT, MISSED]) == []


def test_a_lost_identifier_fails() -> None:
    lost = Survival(identifiers=("ST001",), stages={"extraction": ("ST001",), "prompt": ()})
    gates = check(measure([RIGHT]), [RIGHT.model_copy(update={"survival": lost})], None, ())
    (gate,) = [g for g in gates if not g.passed]
    assert gate.detail == "a loses ST001 at prompt"


def test_an_undocumented_configuration_fails() -> None:
    assert failed([RIGHT], drift=("weight_dense is 0.5, documented as 0.65",)) == ["documented_configuration"]


def test_a_regression_is_seen_even_when_the_share_is_the_same() -> None:
    assert failed([RIGHT, MISSED], [RIGHT, OTHER]) == ["still_right", "correct"]
    swapped = [RIGHT.model_copy(update={"question": OTHER.question}), outcome(COUNT, refused(), "a")]
    assert "still_right" in failed(swapped, [RIGHT, MISSED])


def test_time_is_compared_on_the_same_machine_only() -> None:
    slow = RIGHT.model_copy(update={"ms": 500.0})
    assert failed([slow], [RIGHT]) == ["latency"]
    base = make_baseline("t", measure([RIGHT]), ["a"]).model_copy(update={"machine": "another"})
    assert all(g.passed for g in check(measure([slow]), [slow], base, ()))


def test_baselines_are_stored_beside_the_set(tmp_path: Path) -> None:
    path = baseline_path(tmp_path / "golden.yaml")
    assert path.name == "golden.baseline.json"
    assert load_baseline(path) is None
    base = make_baseline("t", measure([RIGHT]), ["a"])
    save_baseline(base, path)
    assert load_baseline(path) == base
    assert base.machine == machine()
    path.write_text("{}")
    with pytest.raises(InputError, match="not a baseline"):
        load_baseline(path)


def test_a_metric_that_needs_an_extra_is_not_compared_and_says_so() -> None:
    base = make_baseline("t", measure([RIGHT]), ["a"])
    base = base.model_copy(update={"values": {**base.values, "evidence_mrr": 0.9, "gone": 1.0}})
    metrics = [
        m.model_copy(update={"note": "needs the extra `eval`"}) if m.name == "evidence_mrr" else m
        for m in measure([RIGHT])
    ]
    gates = {g.name: g for g in check(metrics, [RIGHT], base, ())}
    assert gates["evidence_mrr"].passed
    assert "needs the extra" in gates["evidence_mrr"].detail
    assert not gates["gone"].passed  # a figure that vanished without a reason
