"""The OpenAPI document against the service: whatever is sent, no 5xx, and answers are what it says."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections.abc import Iterator

import httpx
import pytest
import schemathesis
import uvicorn
from hypothesis import HealthCheck, given, settings
from schemathesis.specs.openapi import checks

from serve.http.access import RULES
from tests.serve.http.conftest import make_world

EXAMPLES = 8
"""Requests generated for each operation; every role sends each of them."""
CALM = list(HealthCheck)
CHECKS = [
    schemathesis.checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]


class Live:
    def __init__(self, url: str, keys: dict[str, dict[str, str]]) -> None:
        self.url = url
        self.keys = keys


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    world = make_world(tmp_path_factory.mktemp("schema"))
    keys = {
        "nobody": {},
        "reader": world.key("reader", "reader", "payroll"),
        "operator": world.key("operator", "operator", "payroll"),
        "admin": world.key("admin", "admin"),
    }
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(world.app, log_config=None))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield Live(f"http://127.0.0.1:{listener.getsockname()[1]}", keys)
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def api(live: Live) -> schemathesis.BaseSchema:
    document = httpx.get(f"{live.url}/openapi.json").json()
    schema = schemathesis.openapi.from_dict(document)
    schema.config.update(base_url=live.url)
    return schema


OPERATIONS = sorted(
    rule for rule in RULES if not re.search(r" (/console|/static|/login|/logout|/mcp|/openapi.json|/$)", rule)
)


@pytest.mark.parametrize("rule", OPERATIONS)
def test_answers_are_what_the_document_says(api: schemathesis.BaseSchema, live: Live, rule: str) -> None:
    """Each request is sent by nobody, a reader, an operator and an admin."""
    method, path = rule.split(" ")

    @settings(max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, suppress_health_check=CALM)
    @given(case=api[path][method].as_strategy())
    def hold(case: schemathesis.Case) -> None:
        for headers in live.keys.values():
            case.call_and_validate(checks=CHECKS, headers=headers, timeout=30)

    hold()


def test_the_document_names_every_public_address_with_examples(live: Live) -> None:
    document = httpx.get(f"{live.url}/openapi.json").json()
    assert {"/ask", "/retrieve", "/documents", "/jobs", "/traces", "/v1/chat/completions", "/metrics"} <= set(
        document["paths"]
    )
    described = {f"{method.upper()} {path}" for path, item in document["paths"].items() for method in item}
    assert described == set(OPERATIONS)
    body = document["components"]["schemas"]["AskBody"]
    assert body["examples"][0] == {"question": "How many employees are in the April 2025 salary register?"}
    problem = document["paths"]["/ask"]["post"]["responses"]["503"]["content"]
    assert list(problem) == ["application/problem+json"], json.dumps(problem)
