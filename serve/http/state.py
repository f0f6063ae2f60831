"""What the routes share, made once by `create_app` and passed through the application."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Protocol

from fastapi import Depends, Request

from contracts.answers import Answer
from contracts.base import JsonValue
from contracts.evidence import AuditRecord, RetrievalResult
from contracts.questions import AskRequest
from contracts.trace import Listener
from serve.audit import AuditLog
from serve.files import FileVault
from serve.http.limits import RateLimiter
from serve.http.pool import Pool
from serve.http.sessions import Sessions
from serve.jobs import JobRunner
from serve.keys import KeyStore
from serve.metrics import Metrics
from serve.replay import ReplayReport
from serve.services import Services
from serve.tracestore import TraceStore


class Engine(Protocol):
    """What answers; `serve.graph` in the service, something quicker in tests of the service."""

    def ask(self, request: AskRequest, listener: Listener | None = None) -> Answer: ...

    def retrieve(
        self, request: AskRequest, listener: Listener | None = None
    ) -> tuple[RetrievalResult, AuditRecord]: ...

    def replay(self, trace_id: str, generation_only: bool) -> ReplayReport: ...


Evaluator = Callable[[Services, dict[str, JsonValue], Callable[[int, int], None]], dict[str, JsonValue]]
"""What is to be evaluated and a listener for questions done and in all, to the report; both JSON, because what
evaluates stands above this package."""


class GraphEngine:
    """The real stages over the shared services."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def ask(self, request: AskRequest, listener: Listener | None = None) -> Answer:
        from serve.graph import ask

        return ask(request, self._services, listener)

    def retrieve(self, request: AskRequest, listener: Listener | None = None) -> tuple[RetrievalResult, AuditRecord]:
        from serve.graph import retrieve

        return retrieve(request, self._services, listener)

    def replay(self, trace_id: str, generation_only: bool) -> ReplayReport:
        from serve.replay import replay

        return replay(trace_id, self._services, generation_only)


@dataclass
class State:
    """One per application."""

    services: Services
    engine: Engine
    keys: KeyStore
    sessions: Sessions
    limiter: RateLimiter
    logins: RateLimiter
    pool: Pool
    """Questions: as many at once as `workers`."""
    reads: Pool
    """Everything else that touches the store, so that a slow store cannot eat the questions' threads."""
    traces: TraceStore
    audit: AuditLog
    jobs: JobRunner
    files: FileVault
    metrics: Metrics
    local_key: str = ""
    """Lets the command line of the same user in; only in a file that this user can read."""
    evaluator: Evaluator | None = None
    after_answer: list[Callable[[Answer, float], None]] = field(default_factory=list)
    """Called with each answer and the seconds since 1970 at which its question came in."""


def get_state(request: Request) -> State:
    state: State = request.app.state.allrows
    return state


StateDep = Annotated[State, Depends(get_state)]
