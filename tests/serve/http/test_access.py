"""Every route × every role × every group. A route without a rule cannot be served, so none is left out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from contracts.errors import ConfigError
from serve.http import app
from serve.http.access import RULES, Level
from tests.serve.http.conftest import BASE, World, make_world
from tests.serve.http.fakes import doc_id

OWN, FOREIGN = "april.pdf", "invoice.pdf"
ROLES = ("nobody", "reader", "operator", "admin")
GROUPS = {"payroll": ("payroll",), "finance": ("finance",), "both": ("payroll", "finance"), "hr": ("hr",)}
DOCUMENTS = {"payroll": {OWN}, "finance": {FOREIGN}, "both": {OWN, FOREIGN}, "hr": set[str](), "all": {OWN, FOREIGN}}


def level(role: str, group: str) -> Level:
    """What covers every group (metrics, audit, the index's counts) is for admins of every group."""
    if role == "admin":
        return Level.ADMIN if group == "all" else Level.OPERATOR
    return {"nobody": Level.PUBLIC, "reader": Level.READER, "operator": Level.OPERATOR}[role]


class House:
    """A world with a key for every role and group, and one trace and one job of each group."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.headers: dict[tuple[str, str], dict[str, str]] = {}
        for group, members in GROUPS.items():
            self.headers["nobody", group] = {}
            for role in ROLES[1:]:
                self.headers[role, group] = world.key(f"{role}-{group}", role, *members)
        self.headers["admin", "all"] = world.key("admin-all", "admin")
        self.client = TestClient(world.app, base_url=BASE, raise_server_exceptions=False, follow_redirects=False)
        self.traces = {
            name: self.client.post(
                "/ask", json={"question": "How many?"}, headers=self.headers["reader", group]
            ).json()["trace_id"]
            for name, group in ((OWN, "payroll"), (FOREIGN, "finance"))
        }
        self.jobs = {name: self._job(name, group) for name, group in ((OWN, "payroll"), (FOREIGN, "finance"))}

    def _job(self, name: str, group: str) -> str:
        file = {"file": (f"extra-{name}.bad", name.encode())}
        found = self.client.post("/documents", files=file, headers=self.headers["operator", group])
        assert found.status_code == 202, found.text
        job_id: str = found.json()["job_id"]
        return job_id

    def call(self, rule: str, target: str, headers: dict[str, str]) -> Any:
        """Calls a route about the document `target`, with everything else that it needs."""
        method, path = rule.split(" ")
        table = f"table-{doc_id(target)[:8]}"
        filled = (
            path.replace("{doc_id}", doc_id(target))
            .replace("{table_id}", table)
            .replace("{trace_id}", self.traces[target])
            .replace("{job_id}", self.jobs[target])
            .replace("{page}", "1")
            .replace("{name}", "console.css")
        )
        more = dict(BODIES.get(rule, {}))
        if path == "/console/compare":
            more["params"] = {"id": [self.traces[target]] * 2}
        if "/page" in path:
            more["params"] = {"table": table, "rows": "1-2"}
        return self.client.request(method, filled, headers={**headers, **more.pop("headers", {})}, **more)


BODIES: dict[str, dict[str, Any]] = {
    "POST /ask": {"json": {"question": "How many?"}},
    "POST /retrieve": {"json": {"question": "How many?"}},
    "POST /console/ask": {"data": {"question": "How many?"}},
    "POST /v1/chat/completions": {"json": {"messages": [{"role": "user", "content": "How many?"}]}},
    "POST /traces/{trace_id}/feedback": {"json": {"verdict": "right"}},
    "POST /traces/{trace_id}/replay": {"json": {}},
    "POST /console/traces/{trace_id}/replay": {"data": {"generation_only": "true"}},
    "POST /documents": {"files": {"file": ("new.bad", b"new")}},
    "POST /local/ingest": {"json": {"paths": []}},
    "POST /login": {"data": {"key": "ar_wrong_key"}},
    "POST /mcp": {
        "headers": {"Accept": "application/json, text/event-stream"},
        "json": {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "ask", "arguments": {"question": "How many?"}},
        },
    },
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    world = make_world(tmp_path_factory.mktemp("house"))
    with world.client():
        yield House(world)


def routes_of_the_application(application: Any) -> set[str]:
    """As the running application has them, mounts and plain routes too."""
    found = set()
    for router in app.ROUTERS:
        for route in router.routes:
            assert isinstance(route, APIRoute), f"{route} runs no access rule"
            found |= {f"{method} {route.path}" for method in route.methods or ()}
    plain = [r for r in application.routes if type(r).__name__ not in ("_IncludedRouter", "APIRoute")]
    assert not plain, f"{plain} run no access rule"
    return found


def test_every_route_has_a_rule_and_is_tested(house: House) -> None:
    assert routes_of_the_application(house.world.app) == RULES.keys()


def test_a_new_route_without_a_rule_stops_the_application(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    router = APIRouter()
    router.add_api_route("/salaries", lambda: "all of them", methods=["GET"])
    monkeypatch.setattr(app, "ROUTERS", (*app.ROUTERS, router))
    with pytest.raises(ConfigError, match="GET /salaries"):
        make_world(tmp_path)


@pytest.mark.parametrize("rule", sorted(RULES))
def test_roles(house: House, rule: str) -> None:
    """Refused below the rule's level, whatever is asked for; let in at it."""
    for (role, group), headers in house.headers.items():
        if not DOCUMENTS[group]:
            continue
        target = OWN if OWN in DOCUMENTS[group] else FOREIGN
        called = rule.replace("{doc_id}", "f" * 64) if rule.startswith("DELETE") else rule  # nothing is to go
        response = house.call(called, target, headers)
        if level(role, group) >= RULES[rule]:
            assert response.status_code != 403, (rule, role, group, response.text)
            assert response.status_code != 401 or rule == "POST /login"
        else:
            assert response.status_code == (401 if role == "nobody" else 403), (rule, role, group, response.text)


@pytest.mark.parametrize("rule", sorted(RULES))
def test_nothing_of_a_foreign_document_comes_back(house: House, rule: str) -> None:
    """No name, no id, no text, and for a foreign id the very answer that an unknown id gets."""
    for (role, group), headers in house.headers.items():
        for foreign in {OWN, FOREIGN} - DOCUMENTS[group]:
            response = house.call(rule, foreign, headers)
            said = response.text + json.dumps(dict(response.headers))
            sent = rule + str(BODIES.get(rule, ""))
            for secret in (foreign, f"Text of {foreign}", f"extra-{foreign}"):
                assert secret not in said or secret in sent, (rule, role, group, secret)
            if doc_id(foreign) in said:
                assert response.status_code in (303, 401, 403, 404), (rule, role, group)


@pytest.mark.parametrize("rule", sorted(r for r in RULES if "{" in r and "{name}" not in r))
def test_a_foreign_id_is_answered_like_an_unknown_one(house: House, rule: str) -> None:
    headers = house.headers["operator", "payroll"]
    foreign = house.call(rule, FOREIGN, headers)
    unknown_house = {**house.traces, FOREIGN: "0" * 32}, {**house.jobs, FOREIGN: "0" * 32}
    known = house.traces, house.jobs
    house.traces, house.jobs = unknown_house
    try:
        method, path = rule.split(" ")
        unknown = (
            house.call(f"{method} {path}".replace("{doc_id}", "f" * 64), FOREIGN, headers)
            if ("{doc_id}" in path)
            else house.call(rule, FOREIGN, headers)
        )
    finally:
        house.traces, house.jobs = known
    assert foreign.status_code == unknown.status_code == 404
    assert _plain(foreign.text) == _plain(unknown.text)


def _plain(text: str) -> str:
    return re.sub(r'"request_id":"[^"]*"', "", text)


def test_counts_cover_the_own_documents_only(house: House) -> None:
    seen = {}
    for group in GROUPS:
        headers = house.headers["operator", group]
        listed = house.client.get("/documents", headers=headers).json()
        page = house.client.get("/console/health", headers=headers).text
        seen[group] = (len(listed), int(re.findall(r"Documents you may read</dt><dd>(\d+)", page)[0]))
    assert seen == {"payroll": (1, 1), "finance": (1, 1), "both": (2, 2), "hr": (0, 0)}


def test_a_reader_sees_the_answer_without_the_pipeline(house: House) -> None:
    answers = {
        role: house.client.post("/ask", json={"question": "How many?"}, headers=house.headers[role, "payroll"]).json()
        for role in ROLES[1:]
    }
    assert answers["reader"]["pipeline"] is None
    assert answers["reader"]["citations"][0]["doc_name"] == OWN
    assert answers["operator"]["pipeline"]["prompt"] == "PROMPT"
    assert answers["admin"]["pipeline"]["prompt"] == "PROMPT"
    asked = {"question": "How many?"}
    page = house.client.post("/console/ask", data=asked, headers=house.headers["reader", "payroll"]).text
    assert "4 employees in april.pdf." in page
    assert "PROMPT" not in page
    assert "/console/traces" not in page


def test_a_reader_judges_only_their_own_answers(house: House) -> None:
    headers = house.headers["reader", "both"]
    own = house.client.post("/ask", json={"question": "How many?"}, headers=headers).json()["trace_id"]
    status = {
        trace: house.client.post(f"/traces/{trace}/feedback", json={"verdict": "wrong"}, headers=headers).status_code
        for trace in (own, house.traces[OWN])
    }
    assert status == {own: 204, house.traces[OWN]: 404}


def test_the_audit_log_says_who_saw_what(house: House) -> None:
    asked = house.client.post("/ask", json={"question": "Who gets most?"}, headers=house.headers["reader", "finance"])
    entries = house.client.get("/audit", headers=house.headers["admin", "all"]).json()
    entry = next(e for e in entries if e["trace_id"] == asked.json()["trace_id"])
    assert (entry["caller"], entry["action"], entry["detail"]) == ("reader-finance", "ask", "Who gets most?")
    assert entry["doc_ids"] == [doc_id(FOREIGN)]
    assert entry["request_id"] == asked.headers["x-request-id"]
