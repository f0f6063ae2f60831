"""Stored timings: percentiles by hand, and what counts as slower."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from contracts.errors import InputError
from evaluation.bench import BenchResult, Timing, load_bench, render_bench, slower, summarise


def result(p50: float, machine: str = "m") -> BenchResult:
    return BenchResult(machine=machine, timings={"rerank": Timing(p50=p50, p95=0, p99=0, n=9)})


def test_percentiles_by_hand() -> None:
    timing = summarise({"fuse": [float(n) for n in range(101)], "one": [7.0]}).timings
    assert (timing["fuse"].p50, timing["fuse"].p95, timing["fuse"].p99, timing["fuse"].n) == (50.0, 95.0, 99.0, 101)
    assert timing["one"].p50 == 7.0


@pytest.mark.parametrize(
    ("now", "before", "count"), [(130, 100, 1), (120, 100, 0), (19, 10, 0), (21, 10, 1), (5, 9, 0)]
)
def test_slower_by_a_quarter_and_ten_milliseconds(now: float, before: float, count: int) -> None:
    assert len(slower(result(now), result(before))) == count


def test_another_machine_is_not_compared_and_says_so() -> None:
    assert slower(result(900), result(1, "other")) == ()
    stream = io.StringIO()
    render_bench(result(900), result(1, "other"), Console(file=stream, width=120))
    assert "another machine" in stream.getvalue()


def test_results_are_stored_as_json(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    path.write_text(result(3).model_dump_json())
    assert load_bench(path) == result(3)
    with pytest.raises(InputError, match="no stored timings"):
        load_bench(tmp_path / "none.json")
