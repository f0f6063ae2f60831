"""Who asked what and which documents they were shown. Written before the answer leaves the service."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable

from contracts.base import Record
from contracts.filters import Caller
from serve.database import Database, audit


class AuditEntry(Record):
    id: int
    created_at: float
    """Seconds since 1970."""
    caller: str
    caller_role: str
    action: str
    detail: str
    doc_ids: tuple[str, ...]
    trace_id: str
    request_id: str


class AuditLog:
    """Append only; the service has no way to change or delete an entry but the retention."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def record(
        self,
        caller: Caller,
        action: str,
        detail: str = "",
        doc_ids: Iterable[str] = (),
        trace_id: str = "",
        request_id: str = "",
    ) -> None:
        with self._database.begin() as connection:
            connection.execute(
                audit.insert(),
                {
                    "created_at": time.time(),
                    "caller": caller.name,
                    "caller_role": caller.role,
                    "action": action,
                    "detail": detail,
                    "doc_ids": json.dumps(sorted(set(doc_ids))),
                    "trace_id": trace_id,
                    "request_id": request_id,
                },
            )

    def list(self, limit: int = 100, before: int | None = None) -> tuple[AuditEntry, ...]:
        """Newest first; `before` is the id to go on from."""
        query = audit.select().order_by(audit.c.id.desc()).limit(limit)
        if before is not None:
            query = query.where(audit.c.id < before)
        with self._database.begin() as connection:
            rows = connection.execute(query).mappings().all()
        return tuple(AuditEntry(**{**row, "doc_ids": json.loads(row["doc_ids"])}) for row in rows)
