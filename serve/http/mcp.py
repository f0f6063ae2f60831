"""`/mcp`: the MCP server over streamable HTTP, behind the same access rules as every other route."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from mcp.server.mcpserver import Context
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from contracts.answers import Answer
from contracts.errors import AccessDenied
from contracts.filters import Caller
from serve import pages
from serve.http import asking
from serve.http.pages import draw
from serve.http.state import State
from serve.mcp_server import make_server

router = APIRouter(include_in_schema=False)


class HttpTools:
    """The tools for the caller whose key came with the message."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def ask(self, context: Context[Any, Any], question: str, filters: dict[str, list[str]]) -> Answer:
        return await asking.ask(self._state, self._request(context, question, filters))

    async def retrieve(
        self, context: Context[Any, Any], question: str, filters: dict[str, list[str]]
    ) -> dict[str, Any]:
        if _caller(context).role == "reader":
            raise AccessDenied(
                "The role reader may not retrieve.", "Use the tool `ask`, or a key of the role operator."
            )
        result, audit = await asking.retrieve(self._state, self._request(context, question, filters))
        return {"result": result.model_dump(mode="json"), "audit": audit.model_dump(mode="json")}

    async def page(
        self, context: Context[Any, Any], doc_id: str, page: int, table_id: str | None, rows: list[int]
    ) -> bytes:
        marked = pages.Marked(table_id=table_id, rows=tuple(rows))
        view = await self._state.reads.run(partial(draw, self._state, _caller(context), doc_id, page, marked))
        return view.png

    def _request(self, context: Context[Any, Any], question: str, filters: dict[str, list[str]]) -> Any:
        narrowed = {field: tuple(values) for field, values in filters.items()}
        return asking.make_request(
            self._state, _caller(context), question, narrowed, request_id=_message(context).state.request_id
        )


class Mcp:
    """The session manager of one application. Stateless: every message brings its key."""

    def __init__(self, state: State, version: str) -> None:
        server = make_server(HttpTools(state), version)
        self._manager = StreamableHTTPSessionManager(app=server._lowlevel_server, stateless=True, json_response=False)

    def run(self) -> AbstractAsyncContextManager[None]:
        return self._manager.run()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._manager.handle_request(scope, receive, send)


class _Handover(Response):
    """A response that lets another ASGI application answer, after the route's access rule has passed."""

    def __init__(self, app: Mcp) -> None:
        self._app = app
        self.background = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)


@router.post("/mcp")
async def mcp(request: Request) -> Response:
    """Messages only: without sessions there is no stream of the server's own to open."""
    return _Handover(request.app.state.mcp)


def _caller(context: Context[Any, Any]) -> Caller:
    """Whom `enforce` took the message's request for."""
    caller: Caller = _message(context).state.caller
    return caller


def _message(context: Context[Any, Any]) -> Request:
    """The HTTP request that brought the message."""
    request: Request = context.request_context.request  # type: ignore[assignment]
    return request
