"""Server-sent events: stages as they finish, then the words of the verified answer, then all of it."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import AsyncIterator, Callable
from typing import Any

from starlette.responses import StreamingResponse

from contracts.answers import Answer, StageRecord
from contracts.errors import AllrowsError
from contracts.questions import AskRequest
from serve.http import asking
from serve.http.problem import kind_of
from serve.http.state import State

log = logging.getLogger("allrows.http")
HEARTBEAT_S = 15.0
"""A comment now and then keeps proxies from closing a quiet connection."""


def event(name: str, data: str) -> str:
    """One event; data over several lines stays one event."""
    lines = "".join(f"data: {line}\n" for line in data.split("\n"))
    return f"event: {name}\n{lines}\n"


def failure(error: Exception, request_id: str | None) -> str:
    """The headers are gone, so an error is the last event. What nobody foresaw is logged, not told."""
    if isinstance(error, AllrowsError):
        problem = {"type": kind_of(error), "status": error.status, "detail": error.message, "remedy": error.remedy}
    else:
        log.error("request=%s failed", request_id, exc_info=error)
        problem = {
            "type": "internal-error",
            "status": 500,
            "detail": "Something went wrong inside the service.",
            "remedy": f"Its log has the reason under the request id {request_id}.",
        }
    return event("error", json.dumps(problem))


def stream(events: AsyncIterator[str]) -> StreamingResponse:
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)


def stage_view(stage: StageRecord) -> dict[str, object]:
    """What everybody may see of a running answer: no text of documents."""
    return {"name": stage.name, "ms": stage.ms, "in": stage.count_in, "out": stage.count_out}


def words(text: str) -> list[str]:
    """The text in pieces that a client can show one after the other; joined, they are the text."""
    return re.findall(r"\S+\s*|\s+", text)


class AnswerStream:
    """A running answer as a stream of events.

    The tokens are those of the verified answer: what a model writes is not shown before its numbers were
    checked, because a number once read is not unread.
    """

    def __init__(self, state: State, request: AskRequest) -> None:
        self._request_id = request.request_id
        self._stages: asyncio.Queue[StageRecord] = asyncio.Queue()
        loop = asyncio.get_running_loop()
        self._answer = asking.start(state, request, lambda stage: _post(loop, lambda: self._stages.put_nowait(stage)))

    async def stages(self) -> AsyncIterator[StageRecord | None]:
        """Each finished stage; None when nothing happened for a while."""
        while not (self._answer.done() and self._stages.empty()):
            waiting = asyncio.ensure_future(self._stages.get())
            both: set[asyncio.Future[Any]] = {waiting, self._answer}
            await asyncio.wait(both, timeout=HEARTBEAT_S, return_when=asyncio.FIRST_COMPLETED)
            if waiting.done():
                yield waiting.result()
            else:
                waiting.cancel()
                if not self._answer.done():
                    yield None
                else:
                    await asyncio.sleep(0)  # stages posted before the answer come first

    @property
    def succeeded(self) -> bool:
        return self._answer.done() and not self._answer.cancelled() and self._answer.exception() is None

    async def answer(self) -> Answer:
        return await asyncio.shield(self._answer)

    async def events(self, last: Callable[[Answer], str] | None = None) -> AsyncIterator[str]:
        """The stream as text; `last` renders the final event."""
        async for stage in self.stages():
            yield ": still working\n\n" if stage is None else event("stage", json.dumps(stage_view(stage)))
        try:
            answer = await self.answer()
        except Exception as error:  # noqa: BLE001 - told as the last event
            yield failure(error, self._request_id)
            return
        for piece in words(answer.answer):
            yield event("token", json.dumps(piece))
        yield last(answer) if last else event("answer", answer.model_dump_json())


def _post(loop: asyncio.AbstractEventLoop, put: Callable[[], None]) -> None:
    """A stage that ends after the loop has gone is nobody's any more."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(put)
