"""Time of answers, stored and compared: `allrows bench --against previous.json`."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError
from rich.console import Console
from rich.table import Table

from contracts.base import Record
from contracts.errors import InputError
from evaluation.baseline import machine

SLOWER = 1.25
"""A median may grow by a quarter, and by 10 ms in any case; machines are not still."""
SLACK_MS = 10.0


class Timing(Record):
    """Milliseconds."""

    p50: float
    p95: float
    p99: float
    n: int


class BenchResult(Record):
    machine: str
    timings: dict[str, Timing]


def summarise(times: dict[str, list[float]]) -> BenchResult:
    return BenchResult(machine=machine(), timings={name: _timing(values) for name, values in times.items()})


def _timing(values: Sequence[float]) -> Timing:
    cuts = statistics.quantiles(values, n=100, method="inclusive") if len(values) > 1 else list(values) * 99
    return Timing(p50=round(cuts[49], 2), p95=round(cuts[94], 2), p99=round(cuts[98], 2), n=len(values))


def load_bench(path: Path) -> BenchResult:
    """A result that was stored before.

    Raises:
        InputError: the file is missing or no such result.
    """
    try:
        return BenchResult.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise InputError(str(path), f"no stored timings: {error}", "`allrows bench --json > FILE` makes one.") from None


def slower(now: BenchResult, before: BenchResult) -> tuple[str, ...]:
    """What got slower than tolerated. Empty for another kind of machine: those times say nothing."""
    if now.machine != before.machine:
        return ()
    return tuple(
        f"{name}: p50 was {was.p50:g} ms, is {timing.p50:g} ms"
        for name, timing in now.timings.items()
        if (was := before.timings.get(name)) is not None and timing.p50 > max(was.p50 * SLOWER, was.p50 + SLACK_MS)
    )


def render_bench(now: BenchResult, before: BenchResult | None, console: Console) -> None:
    table = Table("stage", "n", "p50 ms", "p95 ms", "p99 ms", "p50 before", title=now.machine)
    for name, timing in now.timings.items():
        was = before.timings.get(name) if before is not None else None
        figures = (f"{timing.p50:g}", f"{timing.p95:g}", f"{timing.p99:g}", f"{was.p50:g}" if was else "")
        table.add_row(name, str(timing.n), *figures)
    console.print(table)
    if before is not None and before.machine != now.machine:
        console.print(f"measured before on another machine ({before.machine}): not compared", highlight=False)
