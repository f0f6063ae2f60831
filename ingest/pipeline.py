"""Ingestion from paths to a live index. The only place where the order of its stages stands."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from contracts.documents import Document, DocumentWarning
from contracts.protocols import DenseEncoder, Index, SparseEncoder
from contracts.settings import Settings
from ingest.plan import Task, plan, settings_fingerprint
from ingest.process import LoadEncoders, Processed, load_encoders, make_processor
from ingest.report import DocumentReport, EventKind, IngestEvent, IngestListener, IngestReport
from ingest.walk import InputFile, Skipped, Walk, walk
from ingest.workers import Outcome, Run, cores, run_in_processes


def ingest(
    paths: Sequence[Path | InputFile],
    settings: Settings,
    index: Index,
    *,
    dense: DenseEncoder,
    sparse: SparseEncoder,
    listener: IngestListener | None = None,
    workers: int | None = None,
    prune: bool = False,
    load: LoadEncoders = load_encoders,
    run: Run = run_in_processes,
) -> IngestReport:
    """Brings the index up to date with `paths` (files and folders).

    `dense` and `sparse` say what the index is made with; every worker process loads its own by `load`.
    `workers`: processes, and so cores to use; None or 0: as set, else all. `prune` removes documents of the given folders
    whose file is gone. A file that fails is reported and keeps its former version in the index; the others go on.

    Raises:
        AllrowsError: the index or the encoders cannot be used. What was stored until then stays, and the next run
            goes on from there.
    """
    start = time.perf_counter()
    found = walk(paths)
    stored = index.documents()
    todo = plan(found.files, stored, settings_fingerprint(settings, dense, sparse), settings.granularities)
    allowed = workers or settings.ingest_workers or cores()
    count = max(1, min(allowed, len(todo.tasks)))
    progress = _Progress(listener, len(todo.tasks))
    make = partial(make_processor, _shared(settings, allowed // count), load)
    outcomes = run(todo.tasks, make, count, progress.started, settings.ingest_file_timeout_s)
    processed = [progress.finished(_store(outcome, index, stored)) for outcome in outcomes]
    here = {task.doc_id for task in todo.tasks} | {report.doc_id for report in todo.settled}
    missing = [document for document in _missing(stored, found) if document.doc_id not in here]  # moved is not gone
    for document in missing if prune else ():
        index.delete(document.doc_id)
    index.finish()
    progress.done()
    return IngestReport(
        documents=_sorted([*todo.settled, *processed, *map(_unusable, found.failed)]),
        skipped=found.skipped,
        missing=tuple(document.source for document in missing),
        pruned=tuple(document.source for document in missing) if prune else (),
        notes=found.notes,
        workers=count,
        seconds=time.perf_counter() - start,
    )


def _shared(settings: Settings, cores_each: int) -> Settings:
    """What a worker process runs with: its models use its share of the cores, and no more."""
    return settings.model_copy(update={"model_threads": settings.model_threads or cores_each})


def _store(outcome: Outcome[Task, Processed], index: Index, stored: Sequence[Document]) -> DocumentReport:
    task, done = outcome.task, outcome.result
    if done is None:
        return _failed(task, outcome.error, stored)
    start = time.perf_counter()
    document = done.parsed.document
    if task.only_windows:
        index.add_chunks(document.doc_id, done.chunks, task.only_windows)
    else:
        if any(d.doc_id == document.doc_id and d.source != document.source for d in stored):
            index.delete(document.doc_id)  # moved: nothing of its old place, its readers least of all, may stay
        index.put(done.parsed, done.chunks)
    stages = {**done.stages, "store": time.perf_counter() - start}
    return DocumentReport(
        source=document.source,
        name=document.name,
        status=task.status,
        detail=task.detail,
        doc_id=document.doc_id,
        pages=document.pages,
        tables=len(done.parsed.tables),
        rows=done.rows,
        chunks=sum(embedded.chunk.granularity == 0 for embedded in done.chunks),
        windows=sum(embedded.chunk.granularity > 0 for embedded in done.chunks),
        tokens_cut=sum(chunk.tokens_cut for chunk in done.chunks),
        warnings=(*document.warnings, *task.warnings),
        seconds=sum(stages.values()),
        stages=stages,
    )


def _failed(task: Task, error: str, stored: Sequence[Document]) -> DocumentReport:
    """A file that can no longer be read keeps its former version in the index, and that is said."""
    warnings = task.warnings
    if any(document.source == task.file.source for document in stored):
        message = "The index still answers from the version of this file that was ingested before."
        warnings = (*warnings, DocumentWarning(code="stale_version", message=message))
    detail = error if error.startswith(str(task.file.path)) else f"{task.file.source}: {error}"
    return DocumentReport(
        source=task.file.source, name=task.file.name, status="failed", detail=detail, warnings=warnings
    )


def _unusable(path: Skipped) -> DocumentReport:
    detail = path.reason if path.path in path.reason else f"{path.path}: {path.reason}."
    return DocumentReport(source=path.path, name=Path(path.path).name, status="failed", detail=detail)


def _missing(stored: Sequence[Document], found: Walk) -> list[Document]:
    """Documents whose source lies below a folder that was given and is no longer there."""
    below = [d for d in stored if any(Path(d.source).is_relative_to(root) for root in found.roots)]
    return [document for document in below if _gone(Path(document.source))]


def _gone(path: Path) -> bool:
    """Only what is certainly not there: a folder that may not be read proves nothing."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def _sorted(reports: Sequence[DocumentReport]) -> tuple[DocumentReport, ...]:
    return tuple(sorted(reports, key=lambda report: report.source))


class _Progress:
    """Counts, and tells the listener."""

    def __init__(self, listener: IngestListener | None, total: int) -> None:
        self._listener = listener
        self._total = total
        self._count = 0
        self._tell("planned")

    def started(self, task: Task) -> None:
        self._tell("started", task.file.name)

    def finished(self, report: DocumentReport) -> DocumentReport:
        self._count += 1
        self._tell("finished", report.name, report)
        return report

    def done(self) -> None:
        self._tell("done")

    def _tell(self, kind: EventKind, name: str = "", document: DocumentReport | None = None) -> None:
        if self._listener is not None:
            self._listener(IngestEvent(kind=kind, total=self._total, done=self._count, name=name, document=document))
