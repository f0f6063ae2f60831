"""What every request gets: an id, a size limit, a line in the log, and headers that browsers obey."""

from __future__ import annotations

import logging
import re
import time
import uuid

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from serve.http.problem import unexpected
from serve.metrics import Metrics

log = logging.getLogger("allrows.access")
API_VERSION = "1"
MEGABYTE = 1 << 20
BODY_LIMIT = MEGABYTE
_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")

HEADERS = {
    "allrows-api-version": API_VERSION,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "content-security-policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; "
    "object-src 'none'",
    "cross-origin-resource-policy": "same-origin",
}


class Envelope:
    """Plain ASGI, so that streams pass through untouched."""

    def __init__(self, app: ASGIApp, metrics: Metrics, upload_limit: int) -> None:
        self._app = app
        self._metrics = metrics
        self._upload_limit = upload_limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = _request_id(scope)
        scope.setdefault("state", {})["request_id"] = request_id
        status, started = 500, False
        start = time.perf_counter()

        async def sending(message: Message) -> None:
            nonlocal status, started
            if message["type"] == "http.response.start":
                status, started = message["status"], True
                message["headers"] = _with_headers(message.get("headers", []), request_id)
            await send(message)

        try:
            await self._app(scope, self._limited(scope, receive), sending)
        except Exception as error:  # nothing leaves the service but as a problem, with its id and headers
            response = unexpected(Request(scope), error)
            if started:
                raise  # the server cuts the connection, so that nobody takes half a body for the whole
            await response(scope, receive, sending)
        finally:
            self._count(scope, status, time.perf_counter() - start, request_id)

    def _limited(self, scope: Scope, receive: Receive) -> Receive:
        """`receive` that stops a body over the limit, whether or not its length was announced."""
        limit = self._upload_limit if scope["path"] == "/documents" else BODY_LIMIT
        seen = 0

        async def receiving() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > limit:
                raise HTTPException(413, f"The request is larger than {limit / MEGABYTE:.0f} MB.")
            return message

        return receiving

    def _count(self, scope: Scope, status: int, seconds: float, request_id: str) -> None:
        """The path without its query: a query may hold what somebody looks for."""
        route = getattr(scope.get("route"), "path", "other")
        self._metrics.requests.labels(route, scope["method"], str(status)).inc()
        self._metrics.request_seconds.labels(route).observe(seconds)
        caller = scope["state"].get("caller")
        log.info(
            "%s %s %d %.1f ms request=%s caller=%s",
            scope["method"],
            scope["path"],
            status,
            seconds * 1000,
            request_id,
            caller.name if caller else "-",
        )


def _request_id(scope: Scope) -> str:
    sent = next((v.decode("latin-1") for k, v in scope["headers"] if k == b"x-request-id"), "")
    return sent if _ID.fullmatch(sent) else uuid.uuid4().hex


def _with_headers(present: list[tuple[bytes, bytes]], request_id: str) -> list[tuple[bytes, bytes]]:
    names = {name for name, _ in present}
    added = {**HEADERS, "x-request-id": request_id}
    return [*present, *((k.encode(), v.encode()) for k, v in added.items() if k.encode() not in names)]
