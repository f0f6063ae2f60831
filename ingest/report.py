"""What an ingestion did, per document and in total, and the events while it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from contracts.base import Record
from contracts.documents import DocumentWarning
from ingest.walk import Skipped

EventKind = Literal["planned", "started", "finished", "done"]
Status = Literal["added", "changed", "unchanged", "duplicate", "failed"]


class DocumentReport(Record):
    """One file. Counts are 0 where nothing was read."""

    source: str
    name: str
    status: Status
    detail: str = ""
    """Why it changed, what it duplicates, or the error with its remedy."""
    doc_id: str | None = None
    pages: int = 0
    tables: int = 0
    rows: int = 0
    """Rows of all tables, headers left out."""
    chunks: int = 0
    windows: int = 0
    """Sentence windows beside the chunks."""
    tokens_cut: int = 0
    """Tokens that no window of the encoder saw; 0 unless something is wrong."""
    warnings: tuple[DocumentWarning, ...] = ()
    seconds: float = 0.0
    """Of work on this file: parsing, embedding and storing."""
    stages: dict[str, float] = {}
    """Seconds of `parse`, `chunk`, `embed` and `store`."""


class Totals(Record):
    documents: int
    pages: int
    tables: int
    rows: int
    chunks: int
    windows: int
    tokens_cut: int
    warnings: int
    by_status: dict[str, int]


class IngestReport(Record):
    documents: tuple[DocumentReport, ...]
    """Sorted by source."""
    skipped: tuple[Skipped, ...] = ()
    """Files passed over, with the reason."""
    missing: tuple[str, ...] = ()
    """Sources below the folders given that are in the index but no longer on disk."""
    pruned: tuple[str, ...] = ()
    """Those of `missing` that were removed from the index, because pruning was asked for."""
    notes: tuple[str, ...] = ()
    """What concerns no single document."""
    workers: int = 0
    seconds: float = 0.0
    """On the wall clock."""

    @property
    def exit_code(self) -> int:
        """0, or 4 when some input failed (design, section 4)."""
        return 4 if any(d.status == "failed" for d in self.documents) else 0

    @property
    def totals(self) -> Totals:
        def total(field: str) -> int:
            return sum(getattr(d, field) for d in self.documents)

        by_status: dict[str, int] = {}
        for document in self.documents:
            by_status[document.status] = by_status.get(document.status, 0) + 1
        return Totals(
            documents=len(self.documents),
            pages=total("pages"),
            tables=total("tables"),
            rows=total("rows"),
            chunks=total("chunks"),
            windows=total("windows"),
            tokens_cut=total("tokens_cut"),
            warnings=sum(len(d.warnings) for d in self.documents),
            by_status=by_status,
        )


class IngestEvent(Record):
    """Progress. `planned` once, then for each file to process `started` and `finished`, then `done` once."""

    kind: EventKind
    total: int
    """Files to process; unchanged ones are not among them."""
    done: int
    """Of `total`, finished so far."""
    name: str = ""
    document: DocumentReport | None = None
    """With `finished`."""


IngestListener = Callable[[IngestEvent], None]
