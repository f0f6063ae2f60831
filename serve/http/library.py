"""What a caller may do with documents; the blocking half of `/documents` and of the console's pages."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from contracts.documents import Document, Section, TableSummary
from contracts.errors import UsageError
from contracts.filters import Caller, Match
from contracts.protocols import Index
from serve.http.state import State
from serve.jobs import IngestOptions, Job, UploadMeta


@dataclass(frozen=True)
class Upload:
    """A file as it comes in."""

    stream: BinaryIO
    name: str
    groups: tuple[str, ...]
    doc_type: str | None
    period: str | None


def documents(index: Index, caller: Caller, doc_type: str | None, period: str | None) -> tuple[Document, ...]:
    """Sorted by name; narrowed in the store."""
    wanted = {"doc_type": doc_type, "period": period}
    conditions = (Match(field=field, any_of=(value,)) for field, value in wanted.items() if value)
    return index.documents(caller.scope().and_(*conditions))


def contents(
    index: Index, caller: Caller, doc_id: str
) -> tuple[Document, tuple[Section, ...], tuple[TableSummary, ...]] | None:
    """A document with its outline and tables; None when the caller may not read it or it is not there."""
    document = index.document(doc_id, caller.scope())
    if document is None:
        return None
    scope = caller.scope().and_(Match(field="doc_id", any_of=(doc_id,)))
    return document, index.outline(doc_id, caller.scope()), index.table_summaries(scope)


def accept(state: State, caller: Caller, upload: Upload, request_id: str) -> Job:
    """Keeps the file and queues its ingestion.

    Bytes that are in the index already for other groups are given to the new groups as well: they keep
    their name, type and period, and nobody loses the document.

    Raises:
        TooLarge, UsageError: see `FileVault.keep`.
    """
    limit = state.services.settings.max_upload_mb << 20
    doc_id, path = state.files.keep(upload.stream, upload.name, limit)
    meta = UploadMeta(
        groups=upload.groups,
        doc_type=upload.doc_type,
        period=upload.period,
        source=f"upload:{','.join(sorted(upload.groups))}/{path.name}",
    )
    present = state.services.index.document(doc_id)
    if present is not None and not set(present.groups) <= set(upload.groups):
        meta = _shared(present, (*present.groups, *upload.groups))
    job = state.jobs.submit(caller, [path], meta, visible_to=upload.groups)
    state.audit.record(caller, "upload", path.name, [doc_id], "", request_id)
    return job


def remove(state: State, caller: Caller, doc_id: str, request_id: str) -> bool:
    """Deletes the document, or withdraws the caller's groups when others read it too; False when there is none."""
    index = state.services.index
    document = index.document(doc_id, caller.scope())
    if document is None:
        return False
    others = () if caller.groups is None else tuple(g for g in document.groups if g not in caller.groups)
    path = state.files.find(document)
    if others and path is not None:
        state.jobs.submit(caller, [path], _shared(document, others), visible_to=caller.groups)
    elif others:
        raise UsageError(
            f"{document.name}: the original is gone, so access cannot be withdrawn from one group alone.",
            "Upload it again first, or have an admin delete it.",
        )
    else:
        index.delete(doc_id)
        state.files.forget(doc_id)
    state.audit.record(caller, "delete", document.name, [doc_id], "", request_id)
    return True


def _shared(document: Document, groups: tuple[str, ...]) -> UploadMeta:
    return UploadMeta(
        groups=tuple(dict.fromkeys(groups)),
        doc_type=document.doc_type if document.doc_type_source == "stated" else None,
        period=document.period,
        source=document.source,
    )


def ingest_paths(state: State, caller: Caller, paths: list[Path], options: IngestOptions) -> Job:
    """What the command line of the same user asks for: files and folders where they are."""
    state.audit.record(caller, "ingest", ", ".join(str(p) for p in paths))
    return state.jobs.submit(caller, paths, None, visible_to=None, options=options)
