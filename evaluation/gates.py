"""What makes `allrows eval` fail: harm always, everything else when it falls behind the baseline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaluation.baseline import Baseline, machine
from evaluation.outcomes import Metric, Outcome, silent_losses
from evaluation.report import Gate

TOLERANCE = 0.02
"""Shares may fall by two points: less is a single question. `still_right` names every question that was lost."""
SLOWER = 1.5
"""Times may grow by half, and never fail below 50 ms of growth: machines are shared."""
SLACK_MS = 50.0


def check(
    metrics: Sequence[Metric], outcomes: Sequence[Outcome], baseline: Baseline | None, drift: Sequence[str]
) -> tuple[Gate, ...]:
    """Hard gates first. `drift` holds the settings that differ from the documented ones."""
    by_name = {m.name: m for m in metrics}
    hard = (
        _no_harm(by_name["wrong_and_unmarked"], outcomes),
        _all_survive(by_name["identifier_survival"], outcomes),
        Gate(
            name="documented_configuration",
            passed=not drift,
            hard=True,
            detail="; ".join(drift) or "the settings in force are the documented ones",
        ),
    )
    return (*hard, *(_against(by_name, outcomes, baseline) if baseline is not None else ()))


def _no_harm(metric: Metric, outcomes: Sequence[Outcome]) -> Gate:
    wrong = [o.question.id for o in outcomes if o.judgement.wrong_unmarked]
    detail = f"wrong without a mark: {', '.join(wrong)}" if wrong else f"0 of {metric.n} answers"
    return Gate(name="wrong_and_unmarked", passed=not wrong, hard=True, detail=detail)


def _all_survive(metric: Metric, outcomes: Sequence[Outcome]) -> Gate:
    lost = [
        f"{o.question.id} loses {identifier} at {stage}"
        for o in outcomes
        for identifier, stage in silent_losses(o).items()
    ]
    lost += [f"{o.question.id} has no trace" for o in outcomes if o.question.identifiers and o.error is not None]
    named = sum(len(o.announced) for o in outcomes)
    kept = f"every identifier of {metric.n} questions reached the prompt"
    kept += f" or is named there as left out ({named})" if named else ""
    detail = "; ".join(lost) or kept
    return Gate(name="identifier_survival", passed=not lost, hard=True, detail=detail)


def _against(by_name: dict[str, Metric], outcomes: Sequence[Outcome], baseline: Baseline) -> Iterator[Gate]:
    yield _still_right(outcomes, baseline)
    for name, was in baseline.values.items():
        metric = by_name.get(name)
        if metric is not None and metric.value is None and metric.note:
            yield Gate(name=name, passed=True, hard=False, detail=f"not compared: {metric.note}")
        elif metric is None or metric.value is None:
            yield Gate(name=name, passed=False, hard=False, detail=f"was {was:g}, is no longer measured")
        elif metric.better != "neither" and not (metric.unit == "ms" and baseline.machine != machine()):
            yield _compare(metric, metric.value, was)


def _still_right(outcomes: Sequence[Outcome], baseline: Baseline) -> Gate:
    """One question lost and another won leaves every share as it was; this sees it."""
    known = {o.question.id: o.judgement for o in outcomes}
    broken = [f"{i} ({known[i].reason})" for i in baseline.correct if i in known and not known[i].correct]
    detail = f"no longer right: {'; '.join(broken)}" if broken else f"{len(baseline.correct)} right as before"
    return Gate(name="still_right", passed=not broken, hard=False, detail=detail)


def _compare(metric: Metric, value: float, was: float) -> Gate:
    if metric.unit == "ms":
        passed = value <= max(was * SLOWER, was + SLACK_MS)
    elif metric.unit:
        passed = value <= was * (1 + TOLERANCE)
    elif metric.better == "lower":
        passed = value <= was + TOLERANCE
    else:
        passed = value >= was - TOLERANCE
    return Gate(name=metric.name, passed=passed, hard=False, detail=f"was {was:g}, is {value:g}")
