"""Shared by all tests: the environment is ours alone, and the run ends by naming the engines tested."""

from __future__ import annotations

import os
from collections import Counter

import pytest

EXPECTED = ("embedded", "memory", "rest-stub", "server", "server-grpc")
"""Every engine of the conformance suite; `tests/store/conftest.py` marks each test with its own."""


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """A developer's own settings must not change what a test sees."""
    for name in list(os.environ):
        if name.startswith(("ALLROWS_", "OPENAI_")) and not name.startswith(("ALLROWS_TEST_", "ALLROWS_BENCH_")):
            monkeypatch.delenv(name)


def pytest_terminal_summary(terminalreporter) -> None:
    """A server that nobody tested must not go unseen."""
    passed: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for outcome, counter in (("passed", passed), ("failed", failed), ("error", failed)):
        for report in terminalreporter.stats.get(outcome, []):
            counter.update(value for name, value in getattr(report, "user_properties", ()) if name == "engine")
    if not passed and not failed:
        return
    terminalreporter.section("Qdrant engines tested")
    for engine in EXPECTED:
        if passed[engine] or failed[engine]:
            terminalreporter.line(f"{engine}: {passed[engine]} passed, {failed[engine]} failed")
        else:
            terminalreporter.line(f"{engine}: NOT TESTED{_how(engine)}")


def _how(engine: str) -> str:
    wanted = {
        "server": "ALLROWS_TEST_QDRANT_URL (and ALLROWS_TEST_QDRANT_API_KEY)",
        "server-grpc": "ALLROWS_TEST_QDRANT_URL and ALLROWS_TEST_QDRANT_GRPC_PORT",
    }
    return f" (set {wanted[engine]})" if engine in wanted else ""
