"""The official clients of OpenAI and MCP, and any HTTP client with bad manners, against a listening server."""

from __future__ import annotations

import asyncio
import base64
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
import openai
import pytest
import uvicorn
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from tests.serve.http.conftest import World
from tests.serve.http.fakes import doc_id

QUESTION = "How many employees?"


@pytest.fixture
def url(world: World) -> Iterator[str]:
    """The world behind a real socket; its lifespan is run by the fixture `world`."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        server = uvicorn.Server(uvicorn.Config(world.app, lifespan="off", log_config=None))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{port}"
        server.should_exit = True
        thread.join()


def key_of(headers: dict[str, str]) -> str:
    return headers["Authorization"].removeprefix("Bearer ")


def test_the_openai_client_gets_the_answer_with_its_sources(world: World, url: str) -> None:
    with openai.OpenAI(base_url=f"{url}/v1", api_key=key_of(world.key("chat", "reader", "payroll"))) as client:
        assert [m.id for m in client.models.list()] == ["allrows"]
        found = client.chat.completions.create(
            model="allrows",
            messages=[{"role": "system", "content": "Be brief."}, {"role": "user", "content": QUESTION}],
            temperature=0,
        )
    text = found.choices[0].message.content
    assert text is not None
    assert text.startswith("4 employees in april.pdf.\n\nRows used: 4 of 4; footing agrees in 1 of 1 columns.")
    assert "1. april.pdf, page 1, 2 rows (lines 2–3)" in text
    assert "Note (rerank_timeout)" in text
    assert "invoice" not in text
    extra: Any = found.model_extra
    assert extra["allrows"]["coverage"]["rows_used"] == 4
    assert extra["allrows"]["pipeline"] is None


def test_the_openai_client_streams(world: World, url: str) -> None:
    key = key_of(world.key("chat", "reader", "payroll"))
    with openai.OpenAI(base_url=f"{url}/v1", api_key=key) as client:
        messages: Any = [{"role": "user", "content": [{"type": "text", "text": QUESTION}]}]
        plain = client.chat.completions.create(model="allrows", messages=messages)
        pieces = list(client.chat.completions.create(model="allrows", messages=messages, stream=True))
    assert "".join(p.choices[0].delta.content or "" for p in pieces) == plain.choices[0].message.content
    assert pieces[0].choices[0].delta.role == "assistant"
    assert [p.choices[0].finish_reason for p in pieces[-2:]] == [None, "stop"]


def test_the_openai_client_understands_refusals(world: World, url: str) -> None:
    world.key("chat", "reader", "payroll")
    with (
        openai.OpenAI(base_url=f"{url}/v1", api_key="wrong", max_retries=0) as client,
        pytest.raises(openai.AuthenticationError, match="key is missing or wrong"),
    ):
        client.models.list()
    key = key_of(world.key("b", "reader", "hr"))
    with (
        openai.OpenAI(base_url=f"{url}/v1", api_key=key) as client,
        pytest.raises(openai.UnprocessableEntityError, match="no message of the role user"),
    ):
        client.chat.completions.create(model="allrows", messages=[{"role": "system", "content": "x"}])


async def mcp_calls(
    url: str, headers: dict[str, str], *calls: tuple[str, dict[str, Any]]
) -> tuple[set[str], list[Any]]:
    """Names of the tools, and the result of each call."""
    import httpx2

    async with httpx2.AsyncClient(headers=headers) as http:
        transport: Any = streamable_http_client(f"{url}/mcp", http_client=http)
        async with Client(transport) as client:
            tools = await client.list_tools()
            return {t.name for t in tools.tools}, [await client.call_tool(name, args) for name, args in calls]


def test_the_mcp_client_calls_the_tools(world: World, url: str) -> None:
    headers = world.key("agent", "operator", "payroll")
    page = {"doc_id": doc_id("april.pdf"), "page": 1, "table_id": f"table-{doc_id('april.pdf')[:8]}", "rows": [1, 2]}
    tools, (asked, retrieved, seen) = asyncio.run(
        mcp_calls(
            url, headers, ("ask", {"question": QUESTION}), ("retrieve", {"question": QUESTION}), ("get_page", page)
        )
    )
    assert tools == {"ask", "retrieve", "get_page"}
    answer = asked.structured_content
    assert answer["answer"] == "4 employees in april.pdf."
    assert answer["coverage"]["rows_used"] == 4
    assert "pipeline" not in answer
    assert [c["doc_name"] for c in retrieved.structured_content["result"]["candidates"]] == ["april.pdf"]
    assert base64.b64decode(seen.content[0].data)[:8] == b"\x89PNG\r\n\x1a\n"


def test_the_mcp_tools_keep_to_the_callers_documents(world: World, url: str) -> None:
    headers = world.key("agent", "reader", "hr")
    foreign = {"doc_id": doc_id("april.pdf"), "page": 1}
    _, (asked, retrieved, seen) = asyncio.run(
        mcp_calls(
            url, headers, ("ask", {"question": QUESTION}), ("retrieve", {"question": QUESTION}), ("get_page", foreign)
        )
    )
    assert asked.structured_content["not_found"] is True
    assert retrieved.is_error
    assert "may not retrieve" in retrieved.content[0].text
    assert seen.is_error
    assert "There is no such page." in seen.content[0].text
    assert "april" not in str((asked, retrieved, seen))


def test_the_mcp_server_needs_a_key_when_there_are_keys(world: World, url: str) -> None:
    world.key("agent", "reader", "payroll")
    with pytest.raises((MCPError, httpx.HTTPError, ExceptionGroup)):
        asyncio.run(mcp_calls(url, {}, ("ask", {"question": QUESTION})))


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [
        ("GET", {"Host": "evil.example"}, 403),
        ("GET", {"Host": "127.0.0.1:1"}, 200),
        ("GET", {"Host": "localhost"}, 200),
        ("POST", {"Origin": "http://evil.example"}, 403),
        ("POST", {"Origin": "null"}, 403),
        ("POST", {}, 200),
    ],
)
def test_other_web_pages_cannot_use_a_server_without_keys(
    url: str, method: str, headers: dict[str, str], status: int
) -> None:
    """Neither by posting to it nor by a name of theirs that points to it."""
    if method == "GET":
        assert httpx.get(f"{url}/documents", headers=headers).status_code == status
    else:
        assert httpx.post(f"{url}/ask", json={"question": QUESTION}, headers=headers).status_code == status


def test_the_version_of_the_api_is_told(url: str) -> None:
    assert httpx.get(f"{url}/healthz").headers["allrows-api-version"] == "1"
