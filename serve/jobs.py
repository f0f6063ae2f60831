"""Uploads as jobs: accepted at once, worked off one by one, taken up again after a restart.

A job is stored before its upload is acknowledged, and ingestion repeated gives the same index, so the
service may be killed at any moment: at the next start, what was running runs again.
"""

from __future__ import annotations

import json
import logging
import queue
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import sqlalchemy as sa

from contracts.base import JsonValue, Record
from contracts.errors import AllrowsError, Busy
from contracts.filters import Caller
from serve.database import Database, jobs

log = logging.getLogger("allrows.jobs")
JobState = Literal["queued", "running", "done", "failed"]
FINISHED = frozenset({"done", "failed"})


class UploadMeta(Record):
    """What an upload says of its file; it wins over a manifest and over what the text suggests."""

    groups: tuple[str, ...]
    doc_type: str | None = None
    period: str | None = None
    source: str = ""
    """The document's `source`: a new upload of one name by the same groups replaces the old one."""


class IngestOptions(Record):
    """How one ingestion differs from the settings of the server."""

    workers: int | None = None
    """Processes."""
    granularities: tuple[int, ...] | None = None
    """Sentence windows."""
    prune: bool = False
    """Whether documents whose file is gone are removed."""


AS_SET = IngestOptions()


class IngestOutcome(Record):
    """What became of the files of a job."""

    documents: tuple[str, ...] = ()
    """Ids of the documents that are in the index now."""
    failed: dict[str, str] = {}
    """File name to the reason."""
    detail: dict[str, JsonValue] = {}


Progress = Callable[[str, int, int], None]
"""Stage, steps done, steps in all."""

Ingestor = Callable[[Sequence[Path], UploadMeta | None, IngestOptions, Progress], IngestOutcome]
"""Takes files and what is said of them (None: as the command line would), and returns what became of them."""


class Job(Record):
    job_id: str
    state: JobState = "queued"
    owner: str
    groups: tuple[str, ...] | None
    """Who may see the job: those who belong to all of them; None: only callers who see everything."""
    created_at: float
    updated_at: float
    names: tuple[str, ...]
    paths: tuple[str, ...]
    meta: UploadMeta | None = None
    options: IngestOptions = AS_SET
    stage: str = ""
    done: int = 0
    total: int = 0
    outcome: IngestOutcome | None = None
    error: str = ""

    def visible_to(self, caller: Caller) -> bool:
        if caller.groups is None:
            return True
        return self.groups is not None and set(self.groups) <= set(caller.groups)


class JobStore:
    """Jobs in the operational database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, job: Job) -> None:
        row = {
            "job_id": job.job_id,
            "created_at": job.created_at,
            "updated_at": job.updated_at,
            "state": job.state,
            "owner": job.owner,
            "job_groups": json.dumps(job.groups),
            "body": job.model_dump_json(),
        }
        with self._database.begin() as connection:
            connection.execute(jobs.delete().where(jobs.c.job_id == job.job_id))
            connection.execute(jobs.insert(), row)

    def get(self, job_id: str, caller: Caller) -> Job | None:
        with self._database.begin() as connection:
            body = connection.execute(sa.select(jobs.c.body).where(jobs.c.job_id == job_id)).scalar()
        job = Job.model_validate_json(body) if body is not None else None
        return job if job is not None and job.visible_to(caller) else None

    def list(self, caller: Caller, limit: int = 100) -> tuple[Job, ...]:
        """Newest first."""
        query = sa.select(jobs.c.body).order_by(jobs.c.created_at.desc(), jobs.c.job_id)
        with self._database.begin() as connection:
            found = (Job.model_validate_json(body) for body in connection.execute(query).scalars())
            return tuple([job for job in found if job.visible_to(caller)][:limit])

    def unfinished(self) -> tuple[Job, ...]:
        """Oldest first."""
        query = sa.select(jobs.c.body).where(jobs.c.state.not_in(FINISHED)).order_by(jobs.c.created_at)
        with self._database.begin() as connection:
            return tuple(Job.model_validate_json(body) for body in connection.execute(query).scalars())


class JobRunner:
    """One thread that works the jobs off in order; the index has one writer."""

    def __init__(self, store: JobStore, ingestor: Ingestor | None) -> None:
        self.store = store
        self._ingestor = ingestor
        self._queue: queue.Queue[Job | None] = queue.Queue()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, name="jobs", daemon=True)

    @property
    def accepts(self) -> bool:
        return self._ingestor is not None

    @property
    def waiting(self) -> int:
        return self._queue.qsize()

    def start(self) -> None:
        """Takes up what an earlier process left unfinished, then waits for more."""
        for job in self.store.unfinished():
            self._queue.put(job)
        self._thread.start()

    def submit(
        self,
        owner: Caller,
        paths: Sequence[Path],
        meta: UploadMeta | None,
        visible_to: tuple[str, ...] | None,
        options: IngestOptions = AS_SET,
    ) -> Job:
        """Stores a job and queues it."""
        now = time.time()
        job = Job(
            job_id=uuid.uuid4().hex,
            owner=owner.name,
            groups=visible_to,
            created_at=now,
            updated_at=now,
            names=tuple(p.name for p in paths),
            paths=tuple(str(p) for p in paths),
            meta=meta,
            options=options,
        )
        self.store.save(job)
        self._queue.put(job)
        return job

    def stop(self, timeout_s: float = 30.0) -> None:
        """Lets the running job end; past the time-out it is left marked as running and runs again next time."""
        self._stopping.set()
        self._queue.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    def _work(self) -> None:
        while (job := self._queue.get()) is not None and not self._stopping.is_set():
            try:
                self._run(job)
            except _Stopped:
                return

    def _run(self, job: Job) -> None:
        job = self._update(job, state="running", stage="reading")
        last = 0.0

        def progress(stage: str, done: int, total: int) -> None:
            nonlocal job, last
            if self._stopping.is_set():
                raise _Stopped
            if stage != job.stage or time.monotonic() - last > 0.2 or done == total:
                last = time.monotonic()
                job = self._update(job, stage=stage, done=done, total=total)

        try:
            outcome = self._ingest(job, progress)
        except AllrowsError as error:
            self._update(job, state="failed", error=str(error))
        except _Stopped:
            raise
        except Exception:
            log.exception("job %s failed", job.job_id)
            self._update(job, state="failed", error="Something went wrong inside; the log has it under the job's id.")
        else:
            failed = bool(outcome.failed) and not outcome.documents
            self._update(job, state="failed" if failed else "done", stage="", outcome=outcome)

    def _ingest(self, job: Job, progress: Progress) -> IngestOutcome:
        if self._ingestor is None:
            raise Busy("This server was started without ingestion.", "Start it with `allrows serve`.")
        return self._ingestor([Path(p) for p in job.paths], job.meta, job.options, progress)

    def _update(self, job: Job, **changes: object) -> Job:
        changed = job.model_copy(update={**changes, "updated_at": time.time()})
        self.store.save(changed)
        return changed


class _Stopped(Exception):  # not an error: the service stops between two files
    pass
