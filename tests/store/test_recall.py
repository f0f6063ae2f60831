"""The approximate index against exact search on the vectors of `evaluation.synthetic`, with and without a filter.

The graph is built from 1 MB on instead of 20, so that a small collection already has one.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from contracts.filters import Match
from evaluation.synthetic import World, points
from store import edge
from store.edge import EdgeEngine
from store.engine import CollectionSpec, Search, Where, where
from store.schema import INDEXED

COUNT, LIMIT, QUERIES = 6000, 20, 60
FILTERED = where(Match(field="doc_type", any_of=("type-1", "type-4", "type-7")))


@pytest.mark.slow
@pytest.mark.parametrize("quantization", ["none", "scalar"])
def test_recall_at_twenty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quantization: str, record_property) -> None:
    record_property("engine", "embedded")
    monkeypatch.setattr(edge, "INDEXING_THRESHOLD_KB", 1000)
    engine = EdgeEngine.create(tmp_path / "c", CollectionSpec(384, quantization))
    engine.create_indexes({f: INDEXED[f] for f in ("doc_type", "kind")})
    world = World.make()
    for batch in points(world, COUNT):
        engine.upsert(batch)
    engine.finish()
    assert engine.facts().detail["indexed_vectors"] >= COUNT, "without a graph nothing is approximate"
    queries = [tuple(v.tolist()) for v in world.vectors(np.random.default_rng(5), QUERIES)]
    for target in (where(), FILTERED):
        assert recall(engine, target, queries) >= 0.99
    engine.close()


def recall(engine: EdgeEngine, target: Where, queries: list[tuple[float, ...]]) -> float:
    approximate = engine.search([Search(target, LIMIT, dense=q) for q in queries])
    exact = engine.search([Search(target, LIMIT, dense=q, exact=True) for q in queries])
    assert all(len(found) == LIMIT for found in exact)
    return float(
        np.mean([len({f.id for f in a} & {f.id for f in e}) / LIMIT for a, e in zip(approximate, exact, strict=True)])
    )
