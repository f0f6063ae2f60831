"""`/jobs`: how far an upload is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.responses import StreamingResponse

from contracts.base import JsonValue
from contracts.filters import Caller
from serve.http import sse
from serve.http.access import CallerDep
from serve.http.problem import not_found, problems
from serve.http.state import State, StateDep
from serve.jobs import FINISHED, Job, JobState

router = APIRouter()
POLL_S = 0.25


class JobView(BaseModel):
    """A job as its owner sees it."""

    job_id: str
    state: JobState
    names: list[str]
    stage: str
    done: int
    total: int
    """Steps of the stage; 0 when not known."""
    created_at: float
    updated_at: float
    documents: list[str] = []
    failed: dict[str, str] = {}
    error: str = ""
    detail: dict[str, JsonValue] = {}

    @classmethod
    def of(cls, job: Job) -> JobView:
        fields = ("job_id", "state", "stage", "done", "total", "created_at", "updated_at", "error")
        outcome = job.outcome.model_dump(mode="json") if job.outcome else {}
        return cls(**{f: getattr(job, f) for f in fields}, names=list(job.names), **outcome)


@router.get("/jobs", responses=problems(), summary="Jobs of the caller's groups, newest first")
async def list_jobs(state: StateDep, caller: CallerDep) -> list[JobView]:
    found = await state.reads.run(partial(state.jobs.store.list, caller))
    return [JobView.of(job) for job in found]


@router.get("/jobs/{job_id}", responses=problems(404), summary="One job")
async def one_job(job_id: str, state: StateDep, caller: CallerDep) -> JobView:
    return JobView.of(await _job(state, job_id, caller))


@router.get(
    "/jobs/{job_id}/events",
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}, **problems(404)},
    response_class=StreamingResponse,
    summary="Progress as server-sent events",
)
async def job_events(job_id: str, state: StateDep, caller: CallerDep) -> StreamingResponse:
    """The event `job` at each change; the stream ends with the job."""
    return sse.stream(_events(state, await _job(state, job_id, caller), caller))


async def _job(state: State, job_id: str, caller: Caller) -> Job:
    job = await state.reads.run(partial(state.jobs.store.get, job_id, caller))
    if job is None:
        raise not_found("job")
    return job


async def _events(state: State, job: Job, caller: Caller) -> AsyncIterator[str]:
    yield sse.event("job", JobView.of(job).model_dump_json())
    while job.state not in FINISHED:
        await asyncio.sleep(POLL_S)
        now = await _job(state, job.job_id, caller)
        if now != job:
            job = now
            yield sse.event("job", JobView.of(job).model_dump_json())
