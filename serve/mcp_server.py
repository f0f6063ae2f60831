"""The MCP server: `ask`, `retrieve` and `get_page` as tools, over standard input or the service's `/mcp`.

The tools see what their caller sees: over HTTP the key in the request's header decides, call by call; over
standard input it is the local user.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver import Context, Image
from mcp.server.mcpserver.exceptions import ToolError

from contracts.answers import Answer
from contracts.errors import AllrowsError

T = TypeVar("T")
INSTRUCTIONS = (
    "Answers from payroll and finance documents. `ask` gives an answer with the rows it used and the checks that "
    "back it; say so when `degraded` is not empty or `not_found` is true, and never add up rows yourself. "
    "`retrieve` shows the evidence without an answer, `get_page` a cited page with its rows marked."
)


class Tools(Protocol):
    """What the tools do, for the caller that a context belongs to."""

    async def ask(self, context: Context[Any, Any], question: str, filters: dict[str, list[str]]) -> Answer: ...

    async def retrieve(
        self, context: Context[Any, Any], question: str, filters: dict[str, list[str]]
    ) -> dict[str, Any]: ...

    async def page(
        self, context: Context[Any, Any], doc_id: str, page: int, table_id: str | None, rows: list[int]
    ) -> bytes: ...


def make_server(tools: Tools, version: str) -> MCPServer[Any]:
    """The server over some tools."""
    server: MCPServer[Any] = MCPServer("allrows", version=version, instructions=INSTRUCTIONS, log_level="WARNING")

    @server.tool(description="Answer a question over the documents, with citations, coverage and marks.")
    async def ask(question: str, ctx: Context[Any, Any], filters: dict[str, list[str]] | None = None) -> dict[str, Any]:
        answer = await _translated(lambda: tools.ask(ctx, question, filters or {}))
        return answer.model_dump(mode="json", exclude={"pipeline"})

    @server.tool(description="The candidates an answer would be made from, with roles and reasons. For operators.")
    async def retrieve(
        question: str, ctx: Context[Any, Any], filters: dict[str, list[str]] | None = None
    ) -> dict[str, Any]:
        return await _translated(lambda: tools.retrieve(ctx, question, filters or {}))

    @server.tool(description="A page of a document as a picture; `rows` of the table `table_id` are marked on it.")
    async def get_page(
        doc_id: str, page: int, ctx: Context[Any, Any], table_id: str | None = None, rows: list[int] | None = None
    ) -> Image:
        return Image(data=await _translated(lambda: tools.page(ctx, doc_id, page, table_id, rows or [])), format="png")

    return server


async def _translated(work: Callable[[], Awaitable[T]]) -> T:
    """Our errors as the tool's error, with the remedy; anything else stays inside."""
    try:
        return await work()
    except AllrowsError as error:
        raise ToolError(str(error)) from None
