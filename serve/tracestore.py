"""Every answer with its evidence, kept so that it can be explained and replayed.

A trace quotes documents, so it is shown only to callers who may read every document in it. Which documents
those are is worked out when the trace is saved, from every place of the answer that names one.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from typing import Any

import sqlalchemy as sa

from contracts.answers import Answer
from contracts.base import Record
from contracts.filters import Caller
from contracts.protocols import Index
from contracts.settings import Settings
from serve.database import Database, feedback, open_database, trace_documents, trace_marks, traces
from serve.tracescope import Readable, documents_in

DAY = 86_400.0


class TraceFilter(Record):
    """What a list of traces is narrowed to; None and "" narrow nothing."""

    since: float | None = None
    """Seconds since 1970, inclusive."""
    until: float | None = None
    mark: str = ""
    doc_id: str = ""
    mode: str = ""
    not_found: bool | None = None
    drops: bool | None = None
    """Whether identifiers were lost on the way."""
    judged: bool = False
    """Only those that somebody called right or wrong."""
    caller: str = ""
    text: str = ""
    """A part of the question, any case."""
    limit: int = 50
    offset: int = 0


EVERYTHING = TraceFilter()


class Feedback(Record):
    caller: str
    verdict: str
    """`right` or `wrong`."""
    why: str
    created_at: float


class TraceSummary(Record):
    trace_id: str
    created_at: float
    """Seconds since 1970."""
    caller: str
    question: str
    mode: str
    not_found: bool
    survival_drops: int
    ms: float
    marks: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    verdicts: tuple[str, ...] = ()


class StoredTrace(Record):
    """An answer as it was given, with who asked."""

    trace_id: str
    created_at: float
    caller: Caller
    answer: Answer
    documents: tuple[str, ...] = ()
    """Ids of every document in the trace."""
    feedback: tuple[Feedback, ...] = ()


def open_tracestore(settings: Settings, index: Index) -> TraceStore:
    """The trace store of the settings, over the index that its answers come from."""
    return TraceStore(open_database(settings), index)


class TraceStore:
    """Saves and finds traces; every read is for a caller."""

    def __init__(self, database: Database, index: Index) -> None:
        self.database = database
        self._index = index

    def save(self, answer: Answer, caller: Caller) -> None:
        """Stores the answer with its pipeline. Saving the same trace again replaces it."""
        documents = documents_in(answer, caller, self._index)
        stages = answer.pipeline.stages if answer.pipeline else ()
        drops = len(answer.pipeline.survival.first_drop()) if answer.pipeline else 0
        row = {
            "trace_id": answer.trace_id,
            "created_at": time.time(),
            "caller": caller.name,
            "caller_role": caller.role,
            "caller_groups": None if caller.groups is None else json.dumps(caller.groups),
            "question": answer.question,
            "mode": answer.mode,
            "not_found": int(answer.not_found),
            "survival_drops": drops,
            "ms": sum(s.ms for s in stages),
            "answer": answer.model_dump_json(),
        }
        with self.database.begin() as connection:
            _delete(connection, [answer.trace_id])
            connection.execute(traces.insert(), row)
            for doc_id, groups in documents.items():
                connection.execute(
                    trace_documents.insert(),
                    {"trace_id": answer.trace_id, "doc_id": doc_id, "doc_groups": json.dumps(groups)},
                )
            for mark in dict.fromkeys(answer.degraded):
                connection.execute(trace_marks.insert(), {"trace_id": answer.trace_id, "mark": mark})

    def get(self, trace_id: str, reader: Caller = Caller()) -> StoredTrace | None:
        """The trace, or None when there is none that the reader may see."""
        with self.database.begin() as connection:
            row = connection.execute(traces.select().where(traces.c.trace_id == trace_id)).mappings().first()
            if row is None:
                return None
            documents = _documents(connection, [trace_id]).get(trace_id, {})
            said = _feedback(connection, [trace_id]).get(trace_id, ())
        owner = _caller(row)
        if not Readable(reader, self._index)(owner, documents):
            return None
        return StoredTrace(
            trace_id=trace_id,
            created_at=row["created_at"],
            caller=owner,
            answer=Answer.model_validate_json(row["answer"]),
            documents=tuple(documents),
            feedback=said,
        )

    def list(self, wanted: TraceFilter = EVERYTHING, reader: Caller = Caller()) -> tuple[TraceSummary, ...]:
        """Newest first, only those that the reader may see; `limit` and `offset` count those."""
        query = _narrowed(wanted).order_by(traces.c.created_at.desc(), traces.c.trace_id)
        readable = Readable(reader, self._index)
        found: list[TraceSummary] = []
        skipped = 0
        with self.database.begin() as connection:
            for rows in connection.execute(query).mappings().partitions(200):
                for summary in _summaries(connection, rows, readable):
                    if skipped < wanted.offset:
                        skipped += 1
                        continue
                    found.append(summary)
                    if len(found) == wanted.limit:
                        return tuple(found)
        return tuple(found)

    def add_feedback(self, trace_id: str, caller: Caller, verdict: str, why: str = "") -> bool:
        """Keeps one verdict for each caller; False when the caller may not see the trace."""
        if self.get(trace_id, caller) is None:
            return False
        key = (feedback.c.trace_id == trace_id) & (feedback.c.caller == caller.name)
        with self.database.begin() as connection:
            connection.execute(feedback.delete().where(key))
            connection.execute(
                feedback.insert(),
                {
                    "trace_id": trace_id,
                    "caller": caller.name,
                    "created_at": time.time(),
                    "verdict": verdict,
                    "why": why,
                },
            )
        return True

    def prune(self, retention_days: int, now: float | None = None) -> int:
        """Deletes traces older than the retention (0 keeps all); returns how many."""
        if retention_days == 0:
            return 0
        limit = (time.time() if now is None else now) - retention_days * DAY
        with self.database.begin() as connection:
            old = [r[0] for r in connection.execute(sa.select(traces.c.trace_id).where(traces.c.created_at < limit))]
            for start in range(0, len(old), 500):
                _delete(connection, old[start : start + 500])
        return len(old)

    def close(self) -> None:
        self.database.close()


def _summaries(connection: sa.Connection, rows: Sequence[sa.RowMapping], readable: Readable) -> Iterable[TraceSummary]:
    ids = [row["trace_id"] for row in rows]
    documents, marks, said = _documents(connection, ids), _marks(connection, ids), _feedback(connection, ids)
    for row in rows:
        trace_id = row["trace_id"]
        named = documents.get(trace_id, {})
        if readable(_caller(row), named):
            yield TraceSummary(
                **{k: row[k] for k in ("created_at", "caller", "question", "mode", "survival_drops", "ms")},
                trace_id=trace_id,
                not_found=bool(row["not_found"]),
                marks=marks.get(trace_id, ()),
                documents=tuple(named),
                verdicts=tuple(f.verdict for f in said.get(trace_id, ())),
            )


def _delete(connection: sa.Connection, ids: Sequence[str]) -> None:
    for table in (traces, trace_documents, trace_marks, feedback):
        connection.execute(table.delete().where(table.c.trace_id.in_(ids)))


def _narrowed(wanted: TraceFilter) -> sa.Select[Any]:
    query = sa.select(*(c for c in traces.c if c.name != "answer"))
    conditions: tuple[tuple[object, Any], ...] = (
        (wanted.since is not None, traces.c.created_at >= (wanted.since or 0.0)),
        (wanted.until is not None, traces.c.created_at <= (wanted.until or 0.0)),
        (wanted.mode, traces.c.mode == wanted.mode),
        (wanted.caller, traces.c.caller == wanted.caller),
        (wanted.text, traces.c.question.icontains(wanted.text, autoescape=True)),
        (wanted.not_found is not None, traces.c.not_found == int(bool(wanted.not_found))),
        (wanted.drops is not None, (traces.c.survival_drops > 0) == bool(wanted.drops)),
        (wanted.judged, _among(feedback, sa.true())),
        (wanted.mark, _among(trace_marks, trace_marks.c.mark == wanted.mark)),
        (wanted.doc_id, _among(trace_documents, trace_documents.c.doc_id == wanted.doc_id)),
    )
    return query.where(*(condition for asked, condition in conditions if asked))


def _among(table: sa.Table, condition: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
    return traces.c.trace_id.in_(sa.select(table.c.trace_id).where(condition))


def _caller(row: sa.RowMapping) -> Caller:
    groups = None if row["caller_groups"] is None else tuple(json.loads(row["caller_groups"]))
    return Caller(name=row["caller"], role=row["caller_role"], groups=groups)


def _documents(connection: sa.Connection, ids: Sequence[str]) -> dict[str, dict[str, tuple[str, ...]]]:
    query = trace_documents.select().where(trace_documents.c.trace_id.in_(ids)).order_by(trace_documents.c.doc_id)
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for row in connection.execute(query).mappings():
        found.setdefault(row["trace_id"], {})[row["doc_id"]] = tuple(json.loads(row["doc_groups"]))
    return found


def _marks(connection: sa.Connection, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    query = trace_marks.select().where(trace_marks.c.trace_id.in_(ids)).order_by(trace_marks.c.mark)
    found: dict[str, tuple[str, ...]] = {}
    for row in connection.execute(query).mappings():
        found[row["trace_id"]] = (*found.get(row["trace_id"], ()), row["mark"])
    return found


def _feedback(connection: sa.Connection, ids: Sequence[str]) -> dict[str, tuple[Feedback, ...]]:
    query = feedback.select().where(feedback.c.trace_id.in_(ids)).order_by(feedback.c.created_at)
    found: dict[str, tuple[Feedback, ...]] = {}
    for row in connection.execute(query).mappings():
        values = {k: row[k] for k in ("caller", "verdict", "why", "created_at")}
        found[row["trace_id"]] = (*found.get(row["trace_id"], ()), Feedback(**values))
    return found
