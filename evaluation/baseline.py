"""The figures that an evaluation must not fall behind, stored beside the golden set."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from contracts.base import Record
from contracts.errors import InputError
from evaluation.outcomes import Metric


class Baseline(Record):
    golden: str
    machine: str
    """Times are compared on the same kind of machine only."""
    values: dict[str, float]
    better: dict[str, str]
    units: dict[str, str]
    correct: tuple[str, ...]
    """Ids of the questions answered right."""


def machine() -> str:
    """Processor and cores, enough to tell whether two times can be compared."""
    return f"{_processor()}, {os.cpu_count()} cores"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def baseline_path(golden: Path) -> Path:
    """`golden.yaml` → `golden.baseline.json`."""
    return golden.with_suffix(".baseline.json")


def load_baseline(path: Path) -> Baseline | None:
    """None when there is none yet.

    Raises:
        InputError: the file is not a baseline.
    """
    if not path.is_file():
        return None
    try:
        return Baseline.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise InputError(str(path), f"not a baseline: {error}", "`allrows eval --save-baseline` makes one.") from None


def make_baseline(golden: str, metrics: Sequence[Metric], correct: Sequence[str]) -> Baseline:
    known = [m for m in metrics if m.value is not None]
    return Baseline(
        golden=golden,
        machine=machine(),
        values={m.name: m.value for m in known if m.value is not None},
        better={m.name: m.better for m in known},
        units={m.name: m.unit for m in known},
        correct=tuple(sorted(correct)),
    )


def save_baseline(baseline: Baseline, path: Path) -> None:
    path.write_text(baseline.model_dump_json(indent=1) + "\n", encoding="utf-8")
