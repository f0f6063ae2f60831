"""Files and what the index holds of them → what is to be done with each.

A document is known by its bytes and belongs to one source. Its stored fingerprint says with which settings and which
metadata it was ingested, so a run that was killed goes on where it stopped, and a changed setting or manifest is
never ignored.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from contracts.base import Record
from contracts.documents import Document, DocumentWarning
from contracts.protocols import DenseEncoder, SparseEncoder
from contracts.settings import Settings
from ingest.describe import EVERYONE
from ingest.report import DocumentReport, Status
from ingest.walk import InputFile

PIPELINE_VERSION = "2"
"""Raised whenever the same file would give other lines, tables or chunks than before."""


class Task(Record):
    """One file to process."""

    file: InputFile
    doc_id: str
    status: Status
    detail: str
    fingerprint: str
    warnings: tuple[DocumentWarning, ...] = ()
    """What planning noticed; for the report."""
    granularities: tuple[int, ...] = ()
    """Sentence windows that the document shall have."""
    only_windows: tuple[int, ...] = ()
    """The document is in the index and lacks nothing but windows of these sizes."""


class Plan(Record):
    tasks: tuple[Task, ...]
    """Largest file first, so that no worker is left alone with it at the end."""
    settled: tuple[DocumentReport, ...]
    """Files that need no work: unchanged, duplicate or unreadable."""


def settings_fingerprint(settings: Settings, dense: DenseEncoder, sparse: SparseEncoder) -> str:
    """Changes with everything but the file and its metadata that decides what the index holds of it."""
    return _short(
        PIPELINE_VERSION,
        settings.chunk_size,
        settings.chunk_overlap,
        dense.fingerprint,
        sparse.fingerprint,
    )


def plan(
    files: Sequence[InputFile], stored: Sequence[Document], settings_print: str, granularities: Sequence[int] = ()
) -> Plan:
    """Sorts every file into work to do and reports that are already certain.

    `granularities`: sentence windows that each document shall have; () for those that any stored one has, so that a
    new document is found in the same ways as the others. Windows that are there already stay.
    """
    settled: list[DocumentReport] = []
    hashed: list[tuple[InputFile, str]] = []
    for file in files:
        try:
            hashed.append((file, digest(file.path)))
        except OSError as error:
            detail = f"{file.source}: cannot be read: {error.strerror}. Check the file's permissions."
            settled.append(DocumentReport(source=file.source, name=file.name, status="failed", detail=detail))
    known = _Known(hashed, stored)
    sizes = set(granularities) or {size for document in stored for size in document.granularities}
    tasks = []
    for file, doc_id in hashed:
        one = _with_windows(_decide(file, doc_id, known, settings_print), file, known, sizes)
        if isinstance(one, Task):
            tasks.append(one)
        else:
            settled.append(one)
    tasks.sort(key=lambda task: (-task.file.size_bytes, task.file.source))
    return Plan(tasks=tuple(tasks), settled=tuple(settled))


def _with_windows(
    decided: Task | DocumentReport, file: InputFile, known: _Known, sizes: set[int]
) -> Task | DocumentReport:
    """The task with its windows; an unchanged document that lacks some becomes a task for just those."""
    if isinstance(decided, Task):
        before = known.by_id.get(decided.doc_id) or known.by_source.get(file.source)
        kept = sizes | set(before.granularities if before is not None else ())
        return decided.model_copy(update={"granularities": tuple(sorted(kept))})
    stored = known.by_id.get(decided.doc_id or "")
    if decided.status != "unchanged" or stored is None or sizes <= set(stored.granularities):
        return decided
    missing = sizes - set(stored.granularities)
    return Task(
        file=file,
        doc_id=stored.doc_id,
        status="changed",
        detail=f"windows of {', '.join(map(str, sorted(missing)))} sentences added",
        fingerprint=stored.fingerprint,
        warnings=decided.warnings,
        granularities=tuple(sorted(sizes | set(stored.granularities))),
        only_windows=tuple(sorted(missing)),
    )


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class _Known:
    """The index's documents and this run's files, by bytes and by source."""

    def __init__(self, hashed: Sequence[tuple[InputFile, str]], stored: Sequence[Document]) -> None:
        self.by_id = {document.doc_id: document for document in stored}
        self.by_source = {document.source: document for document in stored}
        self._now = {file.source: doc_id for file, doc_id in hashed}
        self.files: dict[str, list[InputFile]] = {}
        for file, doc_id in hashed:
            self.files.setdefault(doc_id, []).append(file)

    def owner(self, doc_id: str) -> str:
        """The one source that these bytes belong to: where the index has them if they are still there, else the
        first of this run whose extension suits them: the other of a PDF and a PDF called `.csv` cannot be read."""
        document = self.by_id.get(doc_id)
        if document is not None and self._still_holds(document):
            return document.source
        return min(self.files[doc_id], key=lambda file: not _suits(file.path)).source

    def _still_holds(self, document: Document) -> bool:
        if document.source in self._now:
            return self._now[document.source] == document.doc_id
        path = Path(document.source)
        try:
            return path.stat().st_size == document.size_bytes and digest(path) == document.doc_id
        except OSError:
            return document.source.startswith("upload:")


def _suits(path: Path) -> bool:
    """Whether the file's first bytes are what its extension promises."""
    with path.open("rb") as file:
        head = file.read(1024)
    found = ".pdf" if b"%PDF-" in head else ".xlsx" if head.startswith(b"PK") else ""
    suffix = path.suffix.lower()
    return {".xlsm": ".xlsx"}.get(suffix, suffix if suffix in (".pdf", ".xlsx") else "") == found


def _decide(file: InputFile, doc_id: str, known: _Known, settings_print: str) -> Task | DocumentReport:
    owner = known.owner(doc_id)
    if owner != file.source and file.size_bytes:  # empty files are no copies of each other; each fails by itself
        return _duplicate(file, doc_id, owner, known)
    same_bytes, same_source = known.by_id.get(doc_id), known.by_source.get(file.source)
    file, warnings = _with_groups_kept(file, same_bytes or same_source)
    fingerprint = f"{settings_print}-{_metadata_fingerprint(file)}"
    if same_bytes is not None and same_bytes.source == file.source and same_bytes.fingerprint == fingerprint:
        return DocumentReport(
            source=file.source,
            name=file.name,
            status="unchanged",
            doc_id=doc_id,
            pages=same_bytes.pages,
            warnings=warnings,
        )
    status: Status = "changed" if same_bytes or same_source else "added"
    detail = _why(same_bytes, same_source, file, fingerprint)
    return Task(file=file, doc_id=doc_id, status=status, detail=detail, fingerprint=fingerprint, warnings=warnings)


def _why(same_bytes: Document | None, same_source: Document | None, file: InputFile, fingerprint: str) -> str:
    if same_bytes is None:
        return "new content" if same_source else ""
    if same_bytes.source != file.source:
        return f"moved from {same_bytes.source}"
    before, now = same_bytes.fingerprint.split("-"), fingerprint.split("-")
    reasons = [what for what, old, new in zip(("settings", "metadata"), before, now, strict=False) if old != new]
    return f"new {' and '.join(reasons)}" if reasons else "ingested by an older version"


def _duplicate(file: InputFile, doc_id: str, owner: str, known: _Known) -> DocumentReport:
    return DocumentReport(
        source=file.source,
        name=file.name,
        status="duplicate",
        detail=f"the same bytes as {owner}",
        doc_id=doc_id,
        warnings=_groups_differ(file, doc_id, owner, known),
    )


def _groups_differ(file: InputFile, doc_id: str, owner: str, known: _Known) -> tuple[DocumentWarning, ...]:
    """A document has one set of readers; a copy with another set is worth saying."""
    stored = known.by_id.get(doc_id)
    kept = next((f.metadata.groups for f in known.files[doc_id] if f.source == owner), stored and stored.groups)
    mine, theirs = set(file.metadata.groups or EVERYONE), set(kept or EVERYONE)
    if mine == theirs:
        return ()
    message = (
        f"Its manifest lets {', '.join(sorted(mine))} read it; the copy in force, {owner}, lets "
        f"{', '.join(sorted(theirs))}. Give both the same groups or remove one."
    )
    return (DocumentWarning(code="duplicate_groups", message=message),)


def _with_groups_kept(file: InputFile, before: Document | None) -> tuple[InputFile, tuple[DocumentWarning, ...]]:
    """A manifest that is gone must not open a document to everyone: stored groups hold until others are stated."""
    if before is None or file.metadata.groups is not None or before.groups == EVERYONE:
        return file, ()
    kept = ", ".join(before.groups)
    message = f"No manifest names its groups any more; {kept} kept. To open it, state `groups: [everyone]`."
    metadata = file.metadata.model_copy(update={"groups": before.groups})
    return file.model_copy(update={"metadata": metadata}), (DocumentWarning(code="groups_kept", message=message),)


def _metadata_fingerprint(file: InputFile) -> str:
    return _short(file.name, file.metadata.model_dump(mode="json", exclude={"password_env"}))


def _short(*values: object) -> str:
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]
