"""Ablation and sweeps: what is tried, and that nothing is embedded twice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from contracts.errors import ConfigError, UsageError
from contracts.protocols import Floats
from evaluation.ablation import STEPS, ablate, reopened, sweep
from evaluation.corpus import SAMPLES
from evaluation.embedcache import CachedDense
from evaluation.golden import GoldenSet, select
from serve.services import Services


def never(settings: object) -> object:
    raise AssertionError("this setting needs no other index")


def test_the_steps_build_up_to_the_whole_and_show_the_past() -> None:
    assert [s.name for s in STEPS[:7]] == [
        "dense only",
        "BM25 only",
        "hybrid",
        "+ rerank",
        "+ outline and keywords",
        "+ arbiter",
        "+ dispatcher",
    ]


def test_ablation_measures_each_step(sample_services: Services, golden_set: GoldenSet) -> None:
    small = select(golden_set, ["count-april", "absent-employee"])
    whole, before = ablate(small, sample_services, [STEPS[5], STEPS[8]])
    assert whole.metric("correct").value == 1.0  # type: ignore[union-attr]
    assert whole.metric("identifier_survival").value == 1.0  # type: ignore[union-attr]
    assert before.metric("identifier_survival").value < 1.0  # type: ignore[union-attr, operator]


def test_a_sweep_over_a_weight_moves_the_other_and_keeps_the_index(
    sample_services: Services, golden_set: GoldenSet
) -> None:
    small = select(golden_set, ["absent-employee"])
    variants = sweep(small, sample_services, "weight_dense", ["0.2", "0.8"], never)  # type: ignore[arg-type]
    assert [v.name for v in variants] == ["weight_dense=0.2", "weight_dense=0.8"]


@pytest.mark.parametrize(
    ("name", "value", "error"), [("weight_sparse", "0.2", UsageError), ("rrf_k", "0", ConfigError)]
)
def test_wrong_sweeps_are_refused(
    name: str, value: str, error: type[Exception], sample_services: Services, golden_set: GoldenSet
) -> None:
    with pytest.raises(error):
        sweep(golden_set, sample_services, name, [value], never)  # type: ignore[arg-type]


def test_another_chunk_size_gets_another_index(sample_services: Services, tmp_path: Path) -> None:
    settings = sample_services.settings.model_copy(update={"chunk_size": 400, "chunk_overlap": 60})
    with reopened([SAMPLES / "policies"], settings, sample_services, tmp_path) as other:
        sizes = [len(c.text) for c in other.index.chunks() if c.kind == "prose"]
    assert max(sizes) <= 400
    assert (tmp_path / "vectors.npz").is_file()


class Counting:
    """Embeds a text as its length, and counts the calls."""

    name, dimension, fingerprint = "counting", 2, "v1"

    def __init__(self) -> None:
        self.texts: list[str] = []

    def encode(self, texts: Sequence[str]) -> tuple[Floats, list[int]]:
        self.texts += texts
        return np.array([[len(t), 1.0] for t in texts], np.float32), [len(t) % 2 for t in texts]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(t) for t in texts]


def test_the_cache_embeds_each_text_once_and_survives(tmp_path: Path) -> None:
    inner = Counting()
    cached = CachedDense(inner, tmp_path / "v.npz")
    vectors, cut = cached.encode(["a", "bb", "a"])
    assert vectors.tolist() == [[1.0, 1.0], [2.0, 1.0], [1.0, 1.0]]
    assert cut == [1, 0, 1]
    cached.save()
    again = CachedDense(inner, tmp_path / "v.npz")
    assert again.encode(["bb", "ccc"])[0].tolist() == [[2.0, 1.0], [3.0, 1.0]]
    assert inner.texts == ["a", "bb", "ccc"]
    assert again.encode([])[0].shape == (0, 2)
