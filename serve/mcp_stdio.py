"""The MCP server over standard input and output, for the local user."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from mcp.server.mcpserver import Context

from contracts.answers import Answer
from contracts.errors import NotFound
from contracts.questions import AskRequest
from serve import pages
from serve.client import ServerClient
from serve.files import FileVault
from serve.mcp_server import make_server
from serve.services import Services


class LocalTools:
    """The tools over services of this process."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._files = FileVault(services.settings.data_dir / "files")

    async def ask(self, context: Context[Any, Any], question: str, filters: dict[str, list[str]]) -> Answer:
        from serve.graph import ask

        return await asyncio.to_thread(partial(ask, _request(question, filters), self._services))

    async def retrieve(
        self, context: Context[Any, Any], question: str, filters: dict[str, list[str]]
    ) -> dict[str, Any]:
        from serve.graph import retrieve

        result, audit = await asyncio.to_thread(partial(retrieve, _request(question, filters), self._services))
        return {"result": result.model_dump(mode="json"), "audit": audit.model_dump(mode="json")}

    async def page(
        self, context: Context[Any, Any], doc_id: str, page: int, table_id: str | None, rows: list[int]
    ) -> bytes:
        return await asyncio.to_thread(self._draw, doc_id, page, pages.Marked(table_id=table_id, rows=tuple(rows)))

    def _draw(self, doc_id: str, page: int, marked: pages.Marked) -> bytes:
        document = self._services.index.document(doc_id)
        path = self._files.find(document) if document else None
        view = pages.render(document, page, marked, self._services.index, path=path) if document else None
        if view is None:
            raise NotFound("There is no such page.", "Check the id.")
        return view.png


class RemoteTools:
    """The tools over a server that holds the index."""

    def __init__(self, client: ServerClient) -> None:
        self._client = client

    async def ask(self, context: Context[Any, Any], question: str, filters: dict[str, list[str]]) -> Answer:
        return await asyncio.to_thread(self._client.ask, _request(question, filters))

    async def retrieve(
        self, context: Context[Any, Any], question: str, filters: dict[str, list[str]]
    ) -> dict[str, Any]:
        result, audit = await asyncio.to_thread(self._client.retrieve, _request(question, filters))
        return {"result": result.model_dump(mode="json"), "audit": audit.model_dump(mode="json")}

    async def page(
        self, context: Context[Any, Any], doc_id: str, page: int, table_id: str | None, rows: list[int]
    ) -> bytes:
        return await asyncio.to_thread(self._client.page, doc_id, page, table_id, tuple(rows))


def run(tools: LocalTools | RemoteTools, version: str) -> None:
    """Serves standard input until it closes."""
    make_server(tools, version).run("stdio")


def _request(question: str, filters: dict[str, list[str]]) -> AskRequest:
    return AskRequest(question=question, filters={field: tuple(values) for field, values in filters.items()})
