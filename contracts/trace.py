"""Records what each stage did, while it does it."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from contracts.answers import StageRecord
from contracts.evidence import DroppedItem

Listener = Callable[[StageRecord], None]


class StageSpan:
    """The open record of a running stage."""

    def __init__(self, name: str, count_in: int) -> None:
        self.name = name
        self.count_in = count_in
        self.count_out = 0
        self.dropped: list[DroppedItem] = []
        self.detail: dict[str, Any] = {}

    def out(self, count: int) -> None:
        self.count_out = count

    def drop(self, item: str, reason: str, detail: Any = None) -> None:
        self.dropped.append(DroppedItem(item=item, reason=reason, detail=detail))

    def note(self, **detail: Any) -> None:
        """Values must be JSON."""
        self.detail.update(detail)


class TraceRecorder:
    """One per answer. `listener` is called after each stage, on the stage's thread."""

    def __init__(self, listener: Listener | None = None, trace_id: str | None = None) -> None:
        self.trace_id = trace_id or uuid.uuid4().hex
        self.stages: list[StageRecord] = []
        self.marks: dict[str, None] = {}
        self._listener = listener

    @contextmanager
    def stage(self, name: str, count_in: int = 0) -> Iterator[StageSpan]:
        """Times the block; a stage that raises is recorded with its error, then the error goes on."""
        span = StageSpan(name, count_in)
        start = time.perf_counter()
        try:
            yield span
        except Exception as error:
            span.note(error=f"{type(error).__name__}: {error}")
            raise
        finally:
            record = StageRecord(
                name=name,
                ms=round((time.perf_counter() - start) * 1000, 3),
                count_in=span.count_in,
                count_out=span.count_out,
                dropped=tuple(span.dropped),
                detail=span.detail,
            )
            self.stages.append(record)
            if self._listener is not None:
                self._listener(record)

    def mark(self, *marks: str) -> None:
        """Adds marks to the answer, each once, in order."""
        self.marks.update(dict.fromkeys(str(m) for m in marks))
