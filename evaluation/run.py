"""Evaluates the running configuration on a golden set: ask, measure, gate."""

from __future__ import annotations

import importlib.metadata
import time
from pathlib import Path

from contracts.settings import Settings
from evaluation.baseline import Baseline, machine
from evaluation.collect import Progress, collect
from evaluation.configured import DOCUMENTED, drift, load_documented
from evaluation.corpus import corpus_services
from evaluation.gates import check
from evaluation.golden import GoldenSet, load_golden
from evaluation.metrics import measure
from evaluation.report import EvalReport
from serve.services import Services

VERSIONS = ("allrows", "qdrant-edge-py", "qdrant-client", "onnxruntime", "duckdb", "pypdfium2")


def evaluate(
    golden_path: Path,
    settings: Settings,
    baseline: Baseline | None = None,
    documented: Path = DOCUMENTED,
    progress: Progress | None = None,
) -> EvalReport:
    """The report of a golden set over its own corpus, or over the index when it names none.

    Raises:
        InputError: the set, its corpus or the documented configuration is faulty.
        DependencyError: the engine cannot be reached.
    """
    golden = load_golden(golden_path)
    differences = drift(settings, load_documented(documented))
    with corpus_services(golden, golden_path, settings) as services:
        return report_on(golden, services, baseline, differences, progress)


def report_on(
    golden: GoldenSet,
    services: Services,
    baseline: Baseline | None = None,
    differences: tuple[str, ...] = (),
    progress: Progress | None = None,
) -> EvalReport:
    """The report over services that are open already."""
    services.dense.get()
    services.reranker()  # models load before the clock starts
    start = time.perf_counter()
    outcomes = collect(golden, services, progress)
    metrics = measure(outcomes)
    return EvalReport(
        golden=golden.name,
        questions=len(outcomes),
        seconds=round(time.perf_counter() - start, 2),
        metrics=metrics,
        gates=check(metrics, outcomes, baseline, differences),
        outcomes=outcomes,
        settings=services.settings.public(),
        versions={name: importlib.metadata.version(name) for name in VERSIONS},
        machine=machine(),
    )
