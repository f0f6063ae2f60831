"""Shared by all tests: the environment is ours alone, and the run ends by naming the engines tested."""

from __future__ import annotations

import os

import pytest

ENGINES = pytest.StashKey[set[str]]()


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """A developer's own settings must not change what a test sees."""
    for name in list(os.environ):
        if name.startswith(("ALLROWS_", "OPENAI_")) and not name.startswith(("ALLROWS_TEST_", "ALLROWS_BENCH_")):
            monkeypatch.delenv(name)
