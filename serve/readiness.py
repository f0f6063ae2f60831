"""What must work before a question can be answered, and what of it does not."""

from __future__ import annotations

import sqlalchemy as sa

from contracts.base import Record
from contracts.errors import AllrowsError
from serve.services import Services
from serve.tracestore import TraceStore


class NotReady(Record):
    part: str
    """`index`, `encoder`, `reranker` or `traces`."""
    reason: str
    remedy: str = ""


def not_ready(services: Services, traces: TraceStore) -> list[NotReady]:
    """Empty when everything works. Names no document and counts none: the answer is public.

    A missing cross-encoder is no reason: answers are marked `rerank_unavailable` and go on.
    """
    return [*_index(services), *_encoder(services), *_traces(traces)]


def _index(services: Services) -> list[NotReady]:
    try:
        problems = services.index.state().problems
    except AllrowsError as error:
        return [NotReady(part="index", reason=error.message, remedy=error.remedy)]
    return [NotReady(part="index", reason=problem, remedy="allrows doctor --fix") for problem in problems]


def _encoder(services: Services) -> list[NotReady]:
    try:
        services.dense.get()
    except AllrowsError as error:
        return [NotReady(part="encoder", reason=error.message, remedy=error.remedy)]
    return []


def _traces(traces: TraceStore) -> list[NotReady]:
    try:
        with traces.database.begin() as connection:
            connection.execute(sa.text("SELECT 1"))
    except sa.exc.SQLAlchemyError as error:
        return [NotReady(part="traces", reason=type(error).__name__, remedy="Check ALLROWS_DATABASE_URL.")]
    return []
