"""`/traces`: find answers, look into them, replay them, say whether they were right, take them along."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from starlette.responses import Response

from contracts.filters import Caller
from serve.export import GoldenCandidate, golden_candidates, to_xlsx
from serve.http.access import CallerDep
from serve.http.problem import not_found, problems
from serve.http.state import State, StateDep
from serve.replay import ReplayReport
from serve.tracestore import StoredTrace, TraceFilter, TraceSummary

router = APIRouter()
EXPORT_LIMIT = 5_000
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
Moment = Annotated[
    date | datetime | None,
    BeforeValidator(lambda value: value or None),  # a form sends its empty fields too
    Query(description="a day (whole, UTC), a time, or seconds since 1970"),
]


class Verdict(BaseModel):
    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"verdict": "wrong", "why": "It is 12."}]}
    )

    verdict: Literal["right", "wrong"]
    why: str = Field("", max_length=4000)


class ReplayBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    generation_only: bool = Field(True, description="generation on the stored evidence; false: the whole graph")


def wanted(
    since: Moment = None,
    until: Moment = None,
    mark: Annotated[str, Query(max_length=80)] = "",
    doc_id: Annotated[str, Query(max_length=80)] = "",
    mode: Annotated[str, Query(max_length=20)] = "",
    not_found: bool | None = None,
    drops: Annotated[bool | None, Query(description="whether identifiers were lost")] = None,
    caller: Annotated[str, Query(max_length=200)] = "",
    text: Annotated[str, Query(max_length=1000, description="a part of the question")] = "",
    limit: Annotated[int, Query(ge=1, le=1000)] = 50,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> TraceFilter:
    return TraceFilter(
        since=seconds(since),
        until=seconds(until, end=True),
        mark=mark,
        doc_id=doc_id,
        mode=mode,
        not_found=not_found,
        drops=drops,
        caller=caller,
        text=text,
        limit=limit,
        offset=offset,
    )


def seconds(moment: datetime | date | None, end: bool = False) -> float | None:
    """Seconds since 1970. A day alone is its first moment or, at the `end`, its last; without a zone it is UTC."""
    if moment is None:
        return None
    if not isinstance(moment, datetime):
        moment = datetime.combine(moment, time.max if end else time.min)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


FilterDep = Annotated[TraceFilter, Depends(wanted)]


@router.get("/traces", responses=problems(), summary="Answers given, newest first")
async def list_traces(state: StateDep, caller: CallerDep, filters: FilterDep) -> list[TraceSummary]:
    """Only traces whose every document the caller may read."""
    return list(await state.reads.run(partial(state.traces.list, filters, caller)))


@router.get(
    "/traces/export",
    responses={200: {"content": {XLSX: {"schema": {"type": "string", "format": "binary"}}}}, **problems()},
    response_model=list[StoredTrace],
    summary="Traces as JSON or XLSX",
)
async def export(
    state: StateDep,
    caller: CallerDep,
    filters: FilterDep,
    format: Annotated[Literal["json", "xlsx"], Query()] = "json",
) -> Response:
    """JSON holds everything, XLSX one line for each answer."""
    found = await state.reads.run(partial(_whole, state, filters, caller))
    if format == "xlsx":
        body = await state.reads.run(partial(to_xlsx, found))
        headers = {"Content-Disposition": 'attachment; filename="allrows-traces.xlsx"'}
        return Response(body, media_type=XLSX, headers=headers)
    return Response(
        "[" + ",".join(t.model_dump_json() for t in found) + "]",
        media_type="application/json",
        headers={"Content-Disposition": 'attachment; filename="allrows-traces.json"'},
    )


@router.get("/traces/{trace_id}", responses=problems(404), response_model=StoredTrace, summary="One answer, whole")
async def one_trace(trace_id: str, state: StateDep, caller: CallerDep) -> Response:
    """With the pipeline, the prompt and the settings it was made with."""
    return Response((await find(state, trace_id, caller)).model_dump_json(), media_type="application/json")


@router.post("/traces/{trace_id}/replay", responses=problems(404), summary="Answer again and compare")
async def replay_trace(
    trace_id: str, body: ReplayBody, request: Request, state: StateDep, caller: CallerDep
) -> ReplayReport:
    """What differs between the stored answer and the one made now."""
    return await replay(state, trace_id, caller, body.generation_only, request.state.request_id)


@router.post("/traces/{trace_id}/feedback", status_code=204, responses=problems(404), summary="Right or wrong?")
async def feedback(trace_id: str, body: Verdict, request: Request, state: StateDep, caller: CallerDep) -> Response:
    """One verdict for each person, the last one counts. Readers judge their own answers."""
    if not await state.reads.run(partial(_judge, state, trace_id, caller, body)):
        raise not_found("trace")
    return Response(status_code=204)


@router.get("/feedback/golden", responses=problems(), summary="Judged answers as candidates for a golden set")
async def golden(state: StateDep, caller: CallerDep) -> list[GoldenCandidate]:
    """One for each judged answer: the question, what was answered, and what people said of it."""
    found = await state.reads.run(partial(_whole, state, TraceFilter(limit=EXPORT_LIMIT, judged=True), caller))
    return golden_candidates(found)


async def find(state: State, trace_id: str, caller: Caller) -> StoredTrace:
    """The trace.

    Raises:
        NotFound: there is none that this caller may see.
    """
    found = await state.reads.run(partial(state.traces.get, trace_id, caller))
    if found is None:
        raise not_found("trace")
    return found


async def replay(state: State, trace_id: str, caller: Caller, generation_only: bool, request_id: str) -> ReplayReport:
    """The replay report, for those who may see the trace; the whole graph runs as the person who asked."""
    await find(state, trace_id, caller)
    report = await state.pool.run(partial(state.engine.replay, trace_id, generation_only))
    await state.reads.run(partial(state.audit.record, caller, "replay", "", (), trace_id, request_id))
    return report


def _whole(state: State, filters: TraceFilter, caller: Caller) -> list[StoredTrace]:
    summaries = state.traces.list(filters, caller)
    return [t for s in summaries if (t := state.traces.get(s.trace_id, caller)) is not None]


def _judge(state: State, trace_id: str, caller: Caller, body: Verdict) -> bool:
    if caller.role == "reader":
        found = state.traces.get(trace_id, caller)
        if found is None or found.caller.name != caller.name:
            return False
    return state.traces.add_feedback(trace_id, caller, body.verdict, body.why)
