"""Is it alive, is it ready, what does it count, who did what."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel
from starlette.responses import JSONResponse, Response

from contracts.errors import AllrowsError
from contracts.protocols import IndexState
from serve.audit import AuditEntry
from serve.http.access import CallerDep
from serve.http.problem import problems
from serve.http.schema import describe
from serve.http.state import State, StateDep
from serve.readiness import NotReady, not_ready

router = APIRouter()


class Alive(BaseModel):
    status: Literal["alive"] = "alive"


class Ready(BaseModel):
    ready: bool
    not_ready: list[NotReady] = []


class Me(BaseModel):
    """Who the service takes the caller for."""

    name: str
    role: str
    groups: list[str] | None
    """None: every document."""


@router.get("/healthz", summary="Is the process alive?")
async def healthz() -> Alive:
    """Answers whatever else is slow or down."""
    return Alive()


@router.get("/readyz", responses={503: {"model": Ready, "description": "Not ready"}}, summary="Can it answer?")
async def readyz(state: StateDep) -> Response:
    """503 with the names of what is not ready, and why."""
    missing = await readiness(state)
    body = Ready(ready=not missing, not_ready=missing)
    return JSONResponse(body.model_dump(mode="json"), status_code=503 if missing else 200)


async def readiness(state: State) -> list[NotReady]:
    try:
        return await state.reads.run(partial(not_ready, state.services, state.traces))
    except AllrowsError as error:
        return [NotReady(part="service", reason=error.message, remedy=error.remedy)]


@router.get("/me", responses=problems(), summary="Who am I?")
async def me(caller: CallerDep) -> Me:
    return Me(name=caller.name, role=caller.role, groups=None if caller.groups is None else list(caller.groups))


@router.get("/state", responses=problems(), summary="What the index holds")
async def index_state(state: StateDep, caller: CallerDep) -> IndexState:
    return await state.reads.run(state.services.index.state)


@router.get("/metrics", responses=problems(), summary="Prometheus metrics", response_class=Response)
async def metrics(state: StateDep, caller: CallerDep) -> Response:
    return Response(state.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


@router.get("/audit", responses=problems(), summary="Who asked what and saw which documents")
async def audit(
    state: StateDep,
    caller: CallerDep,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    before: Annotated[int | None, Query(ge=0, le=2**53, description="go on from this id")] = None,
) -> list[AuditEntry]:
    return list(await state.reads.run(partial(state.audit.list, limit, before)))


@router.get("/openapi.json", include_in_schema=False)
async def openapi(request: Request) -> Response:
    return JSONResponse(describe(request.app))
