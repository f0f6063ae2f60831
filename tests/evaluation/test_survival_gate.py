"""The gate that this product stands on: ST001 to ST012 are followed from the PDF to the prompt.

The first test must never fail; the second proves that it could.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.console import Console

from evaluation.collect import collect
from evaluation.golden import GoldenSet, select
from evaluation.outcomes import Outcome
from evaluation.survival import losses, render_survival, survival_svg
from serve.services import Services

TWELVE = tuple(f"ST{n:03}" for n in range(1, 13))
STAGES = ["extraction", "chunks", "retrieval", "rerank", "compression", "prompt"]


def follow(golden: GoldenSet, services: Services, ids: Sequence[str] = ("count-april",)) -> tuple[Outcome, ...]:
    return collect(select(golden, ids), services)


def test_twelve_employees_reach_the_prompt(sample_services: Services, golden_set: GoldenSet) -> None:
    outcomes = follow(golden_set, sample_services)
    render_survival(outcomes, Console(width=140))  # shown by pytest when it fails
    (outcome,) = outcomes
    assert outcome.survival.identifiers == TWELVE
    assert list(outcome.survival.stages) == STAGES
    assert {stage: present for stage, present in outcome.survival.stages.items() if present != TWELVE} == {}
    assert losses(outcomes) == ()


def test_the_gate_fails_when_rows_are_compressed_as_sentences(sample_services: Services, golden_set: GoldenSet) -> None:
    settings = sample_services.settings.model_copy(update={"compress_rows_as_sentences": True})
    broken = replace(sample_services, settings=settings)
    outcomes = follow(golden_set, broken)
    (outcome,) = outcomes
    assert outcome.survival.stages["rerank"] == TWELVE  # what retrieval found is still whole
    assert len(outcome.survival.stages["compression"]) < 12
    assert set(outcome.survival.first_drop().values()) == {"compression"}
    assert all("missing from compression on" in line for line in losses(outcomes))
    assert survival_svg(outcomes).count("#c53030") >= 2  # red in the plot, at compression and prompt


def test_every_identifier_of_the_sample_set_survives(sample_services: Services, golden_set: GoldenSet) -> None:
    watched = [q.id for q in golden_set.questions if q.identifiers]
    assert len(watched) >= 30
    assert losses(follow(golden_set, sample_services, watched)) == ()
