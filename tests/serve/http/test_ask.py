from __future__ import annotations

import json
from typing import Any

import pytest

from contracts.errors import ModelUnavailable
from tests.serve.http.conftest import World

QUESTION = {"question": "How many employees?"}


def events(text: str) -> list[tuple[str, Any]]:
    """(name, value) of each event, comments left out."""
    found = []
    for block in text.strip().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))
        if lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found


def test_stages_then_tokens_then_the_answer(world: World) -> None:
    response = world.client().post("/ask", json=QUESTION, headers={"Accept": "text/event-stream"})
    assert response.headers["content-type"].startswith("text/event-stream")
    found = events(response.text)
    names = [name for name, _ in found]
    assert names == ["stage"] * 3 + ["token"] * 4 + ["answer"]
    assert [value["name"] for name, value in found if name == "stage"] == ["retrieve", "rerank", "compress"]
    assert found[0][1] | {"ms": 0} == {"name": "retrieve", "ms": 0, "in": 4, "out": 4}
    assert "".join(value for name, value in found if name == "token") == "4 employees in april.pdf."
    plain = world.client().post("/ask", json=QUESTION).json()
    assert found[-1][1]["answer"] == plain["answer"]


def test_an_error_while_streaming_is_the_last_event(world: World) -> None:
    def fail() -> None:
        raise ModelUnavailable("The model does not answer.", "Start it.")

    world.engine.before_answer = fail
    found = events(world.client().post("/ask", json=QUESTION, headers={"Accept": "text/event-stream"}).text)
    assert found[-1] == (
        "error",
        {"type": "model-unavailable", "status": 503, "detail": "The model does not answer.", "remedy": "Start it."},
    )


def test_a_store_that_is_down_is_a_problem_with_a_remedy(world: World) -> None:
    world.index.down = True
    client = world.client()
    asked, ready = client.post("/ask", json=QUESTION), client.get("/readyz")
    assert asked.status_code == 503
    assert asked.json() | {"request_id": ""} == {
        "type": "urn:allrows:problem:store-unavailable",
        "title": "Store unavailable",
        "status": 503,
        "detail": "Qdrant at http://qdrant cannot be reached.",
        "remedy": "Start it.",
        "request_id": "",
        "errors": [],
    }
    assert ready.status_code == 503
    assert ready.json()["not_ready"][0]["part"] == "index"
    assert client.get("/healthz").json() == {"status": "alive"}


def test_an_unexpected_error_tells_nothing_but_its_request(world: World, caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> None:
        raise RuntimeError("salary of ST001 is 50000")

    world.engine.before_answer = fail
    response = world.client().post("/ask", json=QUESTION, headers={"X-Request-ID": "req-7"})
    assert response.status_code == 500
    assert "50000" not in response.text
    assert response.json()["request_id"] == response.headers["x-request-id"] == "req-7"
    assert any("req-7" in record.getMessage() for record in caplog.records)


def test_what_was_sent_is_not_repeated_in_a_problem(world: World) -> None:
    response = world.client().post("/ask", json={"question": "x", "password": "hunter2"})
    assert response.status_code == 422
    assert response.json()["errors"] == [{"field": "body.password", "message": "Extra inputs are not permitted"}]
    assert "hunter2" not in response.text


@pytest.mark.parametrize("sent", ["", "a b", "x" * 65, "a\\u0000"])
def test_a_request_id_that_is_none_gets_a_new_one(world: World, sent: str) -> None:
    given = world.client().get("/healthz", headers={"X-Request-ID": sent}).headers["x-request-id"]
    assert len(given) == 32
    assert given != sent


def test_filters_and_the_strategy_reach_the_engine(world: World) -> None:
    seen = []
    real = world.engine.retrieve
    world.engine.retrieve = lambda request, listener=None: (seen.append(request), real(request))[1]  # type: ignore[method-assign]
    body = {"question": "x", "filters": {"doc_type": ["invoice", "contract"]}, "strategy": "rrf"}
    response = world.client(world.key("ann", "operator", "payroll")).post("/retrieve", json=body)
    assert response.status_code == 200
    assert seen[0].filters == {"doc_type": ("invoice", "contract")}
    assert seen[0].strategy == "rrf"
    assert seen[0].caller.groups == ("payroll",)
    assert [c["doc_name"] for c in response.json()["result"]["candidates"]] == ["april.pdf"]


def test_nobody_names_their_own_groups(world: World) -> None:
    body = {"question": "x", "caller": {"name": "boss", "role": "admin", "groups": None}}
    response = world.client(world.key("ann", "reader", "payroll")).post("/ask", json=body)
    assert response.status_code == 422


def test_metrics_count_answers_marks_and_losses(world: World) -> None:
    client = world.client()
    client.post("/ask", json=QUESTION)
    lines = client.get("/metrics").text.splitlines()
    for line in (
        'allrows_answers_total{mode="computed"} 1.0',
        'allrows_marks_total{mark="rerank_timeout"} 1.0',
        'allrows_survival_drops_total{stage="compress"} 2.0',
        'allrows_stage_seconds_count{stage="rerank"} 1.0',
        'allrows_requests_total{method="POST",route="/ask",status="200"} 1.0',
        "allrows_questions_inside 0.0",
    ):
        assert line in lines, line
    assert "april" not in client.get("/metrics").text


def test_an_unexpected_error_ends_a_stream_in_order(world: World, caplog: pytest.LogCaptureFixture) -> None:
    """A broken connection would read as a lost network, and people would ask again."""

    def fail() -> None:
        raise RuntimeError("salary of ST001 is 50000")

    world.engine.before_answer = fail
    headers = {"Accept": "text/event-stream", "X-Request-ID": "req-8"}
    streamed = world.client().post("/ask", json=QUESTION, headers=headers)
    name, problem = events(streamed.text)[-1]
    assert (name, problem["type"]) == ("error", "internal-error")
    assert "req-8" in problem["remedy"]
    assert "50000" not in streamed.text
    assert "req-8" in caplog.text
