"""A model server that does not answer, under the real stages: whoever needs no model is not kept waiting."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from contracts.marks import Mark
from contracts.settings import load_settings
from evaluation.corpus import SAMPLES, ingested
from serve.http.app import create_app
from serve.llm.client import LanguageModel
from serve.services import Services
from tests.serve.http.conftest import BASE
from tests.serve.llm.scripted import scripted

PROSE = "What is the liability cap?"
COUNT = "How many employees are in the April 2025 salary register?"


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    settings, _ = load_settings({"ALLROWS_WORKERS": "1", "ALLROWS_QUEUE_LIMIT": "3"})
    folder = Path(tmp_path_factory.mktemp("slow"))
    with ingested([SAMPLES / "contracts", SAMPLES / "payroll"], settings, folder) as made:
        yield made


class Stalled:
    """A model server that holds every call until it is released, then says nothing usable."""

    def __init__(self) -> None:
        self.calls = threading.Semaphore(0)
        self.released = threading.Event()

    def __call__(self, body: dict[str, Any]) -> str:
        self.calls.release()
        self.released.wait(60)
        return "{}"


def with_model(services: Services, url: str, folder: Path) -> Services:
    environ = {"OPENAI_BASE_URL": url, "OPENAI_MODEL": "m", "OPENAI_MAX_RETRIES": "0", "OPENAI_TIMEOUT_S": "60"}
    model, _ = load_settings(environ)
    settings = services.settings.model_copy(update={"data_dir": folder})
    return replace(services, settings=settings, model=LanguageModel(model))


def test_questions_at_a_stalled_model_stop_no_others(services: Services, tmp_path: Path) -> None:
    """One place, three questions at the model: computed questions, retrieval of them, and everything else go through."""
    stalled = Stalled()
    with scripted(stalled) as server, ThreadPoolExecutor(3) as people:
        app = create_app(with_model(services, server.url, tmp_path))
        with TestClient(app, base_url=BASE) as client:
            waiting = [people.submit(client.post, "/ask", json={"question": PROSE}) for _ in range(3)]
            for _ in waiting:
                assert stalled.calls.acquire(timeout=60), "every one of them has reached the model"
            counted = client.post("/ask", json={"question": COUNT})
            found = client.post("/retrieve", json={"question": COUNT})
            gauges = client.get("/metrics").text
            refused = _one_too_many(client)
            assert not any(w.done() for w in waiting), "nobody waited for them"
            stalled.released.set()
            answers = [w.result(60).json() for w in waiting]
    assert counted.json()["computed"]["value"] == "12"
    assert Mark.ARBITER_FALLBACK not in counted.json()["degraded"]
    assert found.json()["result"]["candidates"]
    assert "allrows_questions_at_model 3" in gauges
    assert "allrows_questions_inside 0" in gauges
    assert {Mark.ARBITER_FALLBACK, Mark.MODEL_UNAVAILABLE} <= set(refused["degraded"])
    assert all("50,00,000" in a["answer"] for a in (*answers, refused))


def _one_too_many(client: TestClient) -> dict[str, Any]:
    """Three are at the model, which is the limit: the next is answered by the rules at once."""
    answer: dict[str, Any] = client.post("/ask", json={"question": PROSE}).json()
    return answer
