"""The survival gate: follows each identifier of a golden set from extraction to the prompt."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from contracts.settings import Settings
from evaluation.collect import Progress, collect
from evaluation.corpus import corpus_services
from evaluation.golden import load_golden
from evaluation.live import Wanted, evaluate_there, holder
from evaluation.outcomes import Outcome, silent_losses
from evaluation.plots import survival_chart


def follow_identifiers(golden_path: Path, settings: Settings, progress: Progress | None = None) -> tuple[Outcome, ...]:
    """Outcomes of the questions that name identifiers, with their presence at each stage.

    Raises:
        InputError: the set or its corpus is faulty.
    """
    golden = load_golden(golden_path)
    watched = golden.model_copy(update={"questions": tuple(q for q in golden.questions if q.identifiers)})
    if not watched.questions:
        return ()
    server = holder(golden, settings)
    if server is not None:
        return evaluate_there(server, Wanted(golden=watched), progress).outcomes
    with corpus_services(golden, golden_path, settings) as services:
        return collect(watched, services, progress)


def losses(outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    """One line for each identifier that was lost in silence, naming the first stage without it."""
    lost = [
        f"{o.question.id}: {identifier} is missing from {stage} on"
        for o in outcomes
        for identifier, stage in silent_losses(o).items()
    ]
    return (*lost, *(f"{o.question.id}: {o.error}" for o in outcomes if o.error is not None))


def render_survival(outcomes: Sequence[Outcome], console: Console) -> None:
    """A row for each question, a column for each stage with how many identifiers are there."""
    stages = list(dict.fromkeys(stage for o in outcomes for stage in o.survival.stages))
    table = Table("question", "identifiers", *stages, title="Identifiers that survive each stage")
    for outcome in outcomes:
        survival = outcome.survival
        total = len(survival.identifiers)
        cells = [_cell(len(survival.stages.get(stage, ())), total) for stage in stages]
        table.add_row(outcome.question.id, _short(survival.identifiers), *cells)
    console.print(table)
    for line in losses(outcomes):
        console.print(f"[red]{line}[/red]", highlight=False)


def _cell(present: int, total: int) -> str:
    return f"[{'green' if present == total else 'red'}]{present}/{total}[/]"


def _short(identifiers: Sequence[str]) -> str:
    return ", ".join(identifiers) if len(identifiers) <= 3 else f"{identifiers[0]} … {identifiers[-1]}"


def survival_svg(outcomes: Sequence[Outcome]) -> str:
    """Identifiers × stages, one matrix for each question."""
    return survival_chart(
        [(f"{o.question.id}: {o.question.question}", o.survival.identifiers, o.survival.stages) for o in outcomes]
    )


def survival_json(outcomes: Sequence[Outcome]) -> str:
    """`{"questions": [{"id", "question", "identifiers", "stages"}], "losses": […]}`."""
    questions = [{"id": o.question.id, "question": o.question.question, **o.survival.model_dump()} for o in outcomes]
    return json.dumps({"questions": questions, "losses": losses(outcomes)}, ensure_ascii=False)
