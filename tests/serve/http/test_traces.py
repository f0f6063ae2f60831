from __future__ import annotations

import io
import json
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import openpyxl

from contracts.answers import Answer
from serve.http.traces import seconds
from tests.serve.http.conftest import World


def ask(world: World, question: str = "How many?") -> str:
    trace_id: str = world.client().post("/ask", json={"question": question}).json()["trace_id"]
    return trace_id


def test_a_trace_is_the_whole_answer(world: World) -> None:
    client = world.client()
    given = client.post("/ask", json={"question": "How many?"}).json()
    found = client.get(f"/traces/{given['trace_id']}").json()
    assert Answer.model_validate(found["answer"]) == Answer.model_validate(given)
    assert found["caller"] == {"name": "local", "role": "admin", "groups": None}


def test_the_export_holds_what_the_list_shows(world: World) -> None:
    traces = [ask(world, q) for q in ("How many?", "=1+1", "Who?")]
    client = world.client()
    listed = [t["trace_id"] for t in client.get("/traces").json()]
    exported = client.get("/traces/export")
    assert listed == [t["trace_id"] for t in exported.json()] == traces[::-1]
    assert "attachment" in exported.headers["content-disposition"]
    assert [t["trace_id"] for t in client.get("/traces/export?text=Who").json()] == [traces[2]]


def test_a_worksheet_has_a_line_for_each_answer_and_no_formulas(world: World) -> None:
    traces = [ask(world, q) for q in ("How many?", "=HYPERLINK(1)")]
    content = world.client().get("/traces/export?format=xlsx").content
    sheet = openpyxl.load_workbook(io.BytesIO(content)).active
    assert sheet is not None
    rows = list(sheet.iter_rows(values_only=True))
    head = {name: at for at, name in enumerate(rows[0])}
    assert [row[head["trace"]] for row in rows[1:]] == traces[::-1]
    assert rows[1][head["question"]] == "=HYPERLINK(1)"
    assert sheet.cell(2, head["question"] + 1).data_type == "s"
    assert (rows[1][head["rows used"]], rows[1][head["rows extracted"]], rows[1][head["complete"]]) == (4, 4, True)
    assert rows[1][head["marks"]] == "rerank_timeout"


def test_judged_answers_are_candidates_for_the_golden_set(world: World) -> None:
    right, wrong, _ = (ask(world, q) for q in ("one", "two", "three"))
    client = world.client(world.key("ann", "operator", "payroll", "finance"))
    for trace, verdict in ((right, {"verdict": "right"}), (wrong, {"verdict": "wrong", "why": "It is 12."})):
        assert client.post(f"/traces/{trace}/feedback", json=verdict).status_code == 204
    world.client().post(f"/traces/{wrong}/feedback", json={"verdict": "right"})
    found = {g["question"]: g for g in client.get("/feedback/golden").json()}
    assert found.keys() == {"one", "two"}
    assert (found["one"]["verdict"], found["one"]["value"]) == ("right", "4")
    assert (found["two"]["verdict"], found["two"]["why"]) == ("wrong", ["It is 12."])
    assert found["two"]["documents"] == ["april.pdf", "invoice.pdf"]


def test_a_replay_is_passed_on_and_logged(world: World) -> None:
    trace, seen = ask(world), []
    real = world.engine.replay

    def replay(trace_id: str, generation_only: bool) -> Any:
        seen.append((trace_id, generation_only))
        return real(trace_id, generation_only)

    world.engine.replay = replay  # type: ignore[method-assign]
    client = world.client()
    assert client.post(f"/traces/{trace}/replay", json={"generation_only": False}).json()["same"] is True
    assert client.post(f"/traces/{trace}/replay", json={}).status_code == 200
    assert seen == [(trace, False), (trace, True)]
    assert [e["action"] for e in client.get("/audit").json()[:2]] == ["replay", "replay"]
    assert client.post("/traces/nothing/replay", json={}).status_code == 404


def test_the_audit_log_goes_on_where_it_stopped(world: World) -> None:
    for number in range(5):
        ask(world, f"question {number}")
    client = world.client()
    first = client.get("/audit?limit=2").json()
    rest = client.get(f"/audit?before={first[-1]['id']}").json()
    assert [e["detail"] for e in first + rest] == [f"question {n}" for n in (4, 3, 2, 1, 0)]
    assert json.dumps(first).count("request_id") == 2


def test_a_day_is_whole(world: World) -> None:
    ask(world)
    client = world.client()
    day = datetime.now(UTC).date()

    def found(**query: str) -> int:
        response = client.get("/traces", params=query)
        assert response.status_code == 200, response.text
        return len(response.json())

    assert found(since=day.isoformat(), until=day.isoformat()) == 1
    assert found(since=(day + timedelta(days=1)).isoformat()) == 0
    assert found(until=(day - timedelta(days=1)).isoformat()) == 0
    assert found(since="0", until="4000000000") == 1
    assert found(since=datetime.now(UTC).replace(year=day.year + 1, day=1).isoformat()) == 0
    page = client.get(f"/console/traces?since={day}&until=&mark=&text=", headers={"Accept": "text/html"})
    assert f'value="{day}"' in page.text
    assert f"/traces/export?since={day}" in page.text


def test_seconds_of_a_day() -> None:
    assert seconds(date(1970, 1, 2)) == 86_400
    assert seconds(date(1970, 1, 1), end=True) == 86_400 - 1e-6
    assert seconds(datetime(1970, 1, 1, 1), end=True) == 3600
    assert seconds(datetime(1970, 1, 1, 1, tzinfo=timezone(timedelta(hours=1)))) == 0
    assert seconds(None) is None
