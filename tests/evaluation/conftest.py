"""The sample corpus, ingested once for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contracts.settings import Settings
from evaluation.corpus import GOLDEN, SAMPLES, ingested
from evaluation.golden import GoldenSet, load_golden
from serve.services import Services


@pytest.fixture(scope="session")
def golden_set() -> GoldenSet:
    return load_golden(GOLDEN)


@pytest.fixture(scope="session")
def sample_services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    # A large budget: a slow machine must not change what is tested.
    settings = Settings(rerank_budget_ms=60_000)
    data: Path = tmp_path_factory.mktemp("samples")
    with ingested([SAMPLES], settings, data) as services:
        yield services
