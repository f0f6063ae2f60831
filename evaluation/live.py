"""A golden set asked of the live index: here, or by the server that holds it.

The embedded index has one owner. The stages are looked into where they run, and only the report travels, so the
figures, ablations included, are those of the configuration that answers the users.
"""

from __future__ import annotations

from pydantic import ValidationError

from contracts.base import JsonValue, Record
from contracts.errors import UsageError
from contracts.settings import Settings
from evaluation.ablation import ablate
from evaluation.baseline import Baseline
from evaluation.collect import Progress
from evaluation.configured import drift
from evaluation.golden import GoldenSet
from evaluation.report import EvalReport
from evaluation.run import report_on
from serve.client import ServerClient, find_server
from serve.services import Services


class Wanted(Record):
    """What is to be measured, and what it is held against."""

    golden: GoldenSet
    baseline: Baseline | None = None
    documented: dict[str, JsonValue] = {}
    """Setting to the value that must be in force where the questions are answered."""
    ablations: bool = False
    """Whether stages are left out, too."""


def evaluate(services: Services, wanted: Wanted, progress: Progress | None = None) -> EvalReport:
    """The report over services that are open."""
    differences = drift(services.settings, wanted.documented)
    report = report_on(wanted.golden, services, wanted.baseline, differences, progress)
    variants = ablate(wanted.golden, services, progress=progress) if wanted.ablations else ()
    return report.model_copy(update={"variants": variants})


def evaluate_for_service(services: Services, wanted: dict[str, JsonValue], progress: Progress) -> dict[str, JsonValue]:
    """`evaluate` for a server, which may not import this package: JSON in, JSON out.

    Raises:
        UsageError: `wanted` is not a `Wanted`; the command line and the server are of different versions.
    """
    try:
        known = Wanted.model_validate(wanted)
    except ValidationError as error:
        raise UsageError(f"The golden set cannot be read: {error}", "Start the server again after an update.") from None
    return evaluate(services, known, progress).model_dump(mode="json")


def evaluate_there(server: ServerClient, wanted: Wanted, progress: Progress | None = None) -> EvalReport:
    """`evaluate` over the index that a server holds.

    Raises:
        AllrowsError: as the evaluation raises it, or DependencyError when the server has gone.
    """
    report = server.evaluate(wanted.golden.name, wanted.model_dump(mode="json"), progress or (lambda done, total: None))
    return EvalReport.model_validate(report)


def holder(golden: GoldenSet, settings: Settings) -> ServerClient | None:
    """The server that holds the index which the set is about; None when the set has a corpus or nobody holds it."""
    return find_server(settings) if golden.corpus is None else None
