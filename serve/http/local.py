"""`/local`: the door of the command line of the user who started the server, which works here while the server holds
the index."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import StreamingResponse

from contracts.base import JsonValue
from contracts.errors import Busy, UsageError
from serve.http import library, sse
from serve.http.access import CallerDep
from serve.http.jobs import JobView
from serve.http.problem import problems
from serve.http.state import State, StateDep
from serve.jobs import IngestOptions

router = APIRouter()


class PathsBody(BaseModel):
    """Absolute paths of files and folders on this machine, and how to take them in."""

    model_config = ConfigDict(extra="forbid")
    paths: list[str]
    options: IngestOptions = IngestOptions()


class EvaluationBody(BaseModel):
    """What is to be evaluated, as `evaluation.live` writes it."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(description="of the golden set, for the audit log")
    wanted: dict[str, Any] = Field(description="the golden set with what it is held against")


@router.post("/local/ingest", status_code=202, responses=problems(), summary="Ingest paths, for the local user only")
async def ingest_paths(body: PathsBody, state: StateDep, caller: CallerDep) -> JobView:
    paths = [Path(p) for p in body.paths]
    return JobView.of(await state.reads.run(partial(library.ingest_paths, state, caller, paths, body.options)))


@router.post(
    "/local/evaluate",
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}, **problems()},
    response_class=StreamingResponse,
    summary="Evaluate a golden set, for the local user only",
)
async def evaluate(body: EvaluationBody, request: Request, state: StateDep, caller: CallerDep) -> StreamingResponse:
    """The event `progress` after each question, then `report`. It takes one place among the questions and lets
    waiting ones go first after each of its own; it ends when nobody listens any more."""
    if state.evaluator is None:
        raise Busy("This server was started without evaluation.", "Start it with `allrows serve`.")
    await state.reads.run(partial(state.audit.record, caller, "evaluate", body.name))
    return sse.stream(_Evaluation(state, body.wanted, request.state.request_id).events())


class _Evaluation:
    """A running evaluation as a stream of events."""

    def __init__(self, state: State, wanted: dict[str, JsonValue], request_id: str) -> None:
        self._state = state
        self._request_id = request_id
        self._heard = True
        self._steps: asyncio.Queue[tuple[int, int] | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._report = state.pool.submit(partial(self._run, wanted))

    async def events(self) -> AsyncIterator[str]:
        try:
            while (step := await self._steps.get()) is not None:
                yield sse.event("progress", json.dumps(step))
            yield sse.event("report", json.dumps(await self._report))
        except Exception as error:  # noqa: BLE001 - told as the last event
            yield sse.failure(error, self._request_id)
        finally:
            self._heard = False

    def _run(self, wanted: dict[str, JsonValue]) -> dict[str, JsonValue]:
        assert self._state.evaluator is not None
        try:
            return self._state.evaluator(self._state.services, wanted, self._progress)
        finally:
            self._post(None)

    def _progress(self, done: int, total: int) -> None:
        if not self._heard:
            raise UsageError("Nobody listens to this evaluation any more.")
        self._post((done, total))
        with self._state.pool.step_outside():
            pass  # whoever waits has the place first

    def _post(self, step: tuple[int, int] | None) -> None:
        put: Callable[[], None] = partial(self._steps.put_nowait, step)
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(put)
