"""The application: its parts are made here, once, and every route is checked to have an access rule."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

from fastapi import APIRouter, Depends, FastAPI
from fastapi.routing import APIRoute

from serve.audit import AuditLog
from serve.files import FileVault
from serve.http import (
    access,
    ask,
    console,
    console_staff,
    documents,
    health,
    jobs,
    local,
    openai,
    pages,
    problem,
    traces,
)
from serve.http import mcp as mcp_routes
from serve.http.envelope import API_VERSION, MEGABYTE, Envelope
from serve.http.limits import RateLimiter
from serve.http.pool import Pool
from serve.http.sessions import Sessions
from serve.http.state import Engine, Evaluator, GraphEngine, State
from serve.jobs import Ingestor, JobRunner, JobStore
from serve.keys import KeyStore
from serve.metrics import Metrics
from serve.services import Services
from serve.tracestore import open_tracestore

log = logging.getLogger("allrows.http")
ROUTERS: tuple[APIRouter, ...] = (
    health.router,
    ask.router,
    documents.router,
    jobs.router,
    local.router,
    pages.router,
    traces.router,
    openai.router,
    mcp_routes.router,
    console.router,
    console_staff.router,
)
READ_THREADS = 16
READ_QUEUE = 256
LOGINS_PER_MINUTE = 10
PRUNE_EVERY_S = 3600.0


def create_app(
    services: Services,
    ingestor: Ingestor | None = None,
    evaluator: Evaluator | None = None,
    *,
    engine: Engine | None = None,
) -> FastAPI:
    """The service over opened services.

    Args:
        ingestor: takes uploads; without one they are refused.
        evaluator: measures golden sets for the local command line; without one that is refused.
        engine: answers; the graph of `serve.graph` unless given.

    Raises:
        ConfigError: another address than loopback without keys, or a route without an access rule.
    """
    state = _make_state(services, ingestor, evaluator, engine)
    access.check_exposure(services.settings, state.keys)
    access.check_rules(r for router in ROUTERS for r in router.routes if isinstance(r, APIRoute))
    app = FastAPI(
        title="allrows",
        version=f"{API_VERSION}.0",
        description="Answers from payroll and finance documents, with proof that every row reached the prompt.",
        docs_url=None,  # the stock pages load scripts from another host
        redoc_url=None,
        openapi_url=None,
        dependencies=[Depends(access.enforce)],
        lifespan=_lifespan,
    )
    app.state.allrows = state
    app.state.mcp = mcp_routes.Mcp(state, app.version)
    for router in ROUTERS:
        app.include_router(router)
    problem.install(app)
    app.add_middleware(
        Envelope, metrics=state.metrics, upload_limit=services.settings.max_upload_mb * MEGABYTE + MEGABYTE
    )
    return app


def _make_state(
    services: Services, ingestor: Ingestor | None, evaluator: Evaluator | None, engine: Engine | None
) -> State:
    settings = services.settings
    traces = services.traces or open_tracestore(settings, services.index)
    pool = Pool(
        "ask", settings.workers, settings.queue_limit, outside_limit=max(settings.workers, settings.queue_limit)
    )
    model = services.model.waiting_in(pool.step_outside) if services.model is not None else None
    services = replace(services, traces=traces, model=model)
    state = State(
        services=services,
        engine=engine or GraphEngine(services),
        keys=KeyStore(settings.data_dir / "keys.json"),
        sessions=Sessions(settings.data_dir / "session.secret"),
        limiter=RateLimiter(settings.rate_limit_per_minute),
        logins=RateLimiter(LOGINS_PER_MINUTE),
        pool=pool,
        reads=Pool("read", READ_THREADS, READ_QUEUE),
        traces=traces,
        audit=AuditLog(traces.database),
        jobs=JobRunner(JobStore(traces.database), ingestor),
        files=FileVault(settings.data_dir / "files"),
        metrics=Metrics(),
        local_key=f"local_{secrets.token_urlsafe(32)}",
        evaluator=evaluator,
    )
    state.metrics.gauge("allrows_questions_inside", "Questions that run or wait", lambda: pool.inside)
    state.metrics.gauge("allrows_questions_at_model", "Questions that wait for the model", lambda: pool.outside)
    state.metrics.gauge("allrows_jobs_waiting", "Jobs that wait", lambda: state.jobs.waiting)
    return state


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Takes up unfinished jobs; at the end lets running questions and the running job finish."""
    state: State = app.state.allrows
    state.jobs.start()
    pruning = asyncio.create_task(_prune(state))
    try:
        async with app.state.mcp.run():
            yield
    finally:
        pruning.cancel()
        await asyncio.to_thread(state.jobs.stop)
        await asyncio.to_thread(state.pool.drain)
        await asyncio.to_thread(state.reads.drain)


async def _prune(state: State) -> None:
    """Keeps the retention promise while the service runs."""
    while True:
        removed = await state.reads.run(partial(state.traces.prune, state.services.settings.trace_retention_days))
        if removed:
            log.info("%d traces were older than the retention and are gone", removed)
        await asyncio.sleep(PRUNE_EVERY_S)
