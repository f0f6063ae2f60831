"""The benchmark of the store measures what it says, on a size that takes no time."""

from __future__ import annotations

import numpy as np

from evaluation.bench_store import KINDS, costs, measure, table
from evaluation.synthetic import World, points


def test_points_are_the_same_each_time_and_of_unit_length() -> None:
    one, two = ([p for batch in points(World.make(), 30) for p in batch] for _ in range(2))
    assert one == two and len({p.id for p in one}) == 30
    assert np.allclose([np.linalg.norm(p.dense) for p in one], 1.0, atol=1e-5)
    assert all(p.sparse is not None and 0 < len(p.sparse.indices) <= 60 for p in one)
    assert len({p.payload["doc_id"] for p in one}) == 2  # 20 chunks a document


def test_a_small_index_is_exact_and_everything_is_measured() -> None:
    found = measure(200, "embedded", "none", queries=3)
    assert found["recall"] == {"all": 1.0, "filtered": 1.0}  # below the threshold everything is scanned
    assert set(found["ms"]) == set(KINDS)
    assert all(0 < t["p50"] <= t["p95"] and t["cpu"] >= 0 for t in found["ms"].values())


def test_the_table_tells_growth_in_processor_time() -> None:
    def result(size: int, cpu: float) -> dict:
        times = {kind: {"p50": 1.0, "p95": 2.0, "cpu": cpu} for kind in KINDS}
        sizes = {"build_s": 1.0, "optimise_s": 1.0, "cpu_s": 1.0, "disk_mb": 5, "memory_mb": 6, "queries_s": 1.0}
        recall = {"all": 0.995, "filtered": 1.0}
        return {"points": size, "engine": "embedded", "quantization": "none", "ms": times, "recall": recall, **sizes}

    lines = table([result(1000, 2.0), result(10_000, 3.0)]).splitlines()
    assert lines[0] == "| p50 / p95 (CPU of all threads), ms | 1,000 embedded | 10,000 embedded |"
    assert "| dense | 1.00 / 2.00 (2.00) | 1.00 / 2.00 (3.00) |" in lines
    assert lines[-1].startswith("| points × 10, CPU | dense × 1.5,")


def test_costs_are_in_proportion() -> None:
    """100,000 points in 720 s: 2 hours for a million, at 0.05 an hour 0.1; 200 MB and 300 MB ten times."""
    run = {"points": 100_000, "engine": "embedded", "cpu_s": 720.0, "disk_mb": 200, "memory_mb": 300}
    assert costs([run], 0.05).splitlines()[-1] == "| 100,000 embedded | 2.00 | 0.100 | 2.0 | 3.0 |"
