"""The seams: the smallest interfaces that let a part be replaced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from contracts.base import JsonValue, Record
from contracts.chunks import Chunk, EmbeddedChunk, SparseVector
from contracts.documents import Document, Line, ParsedDocument, Section, Table, TableSummary
from contracts.filters import Scope

Floats = NDArray[np.float32]


class DenseEncoder(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def dimension(self) -> int: ...
    @property
    def fingerprint(self) -> str:
        """Changes whenever the same text could give another vector."""
        ...

    def encode(self, texts: Sequence[str]) -> tuple[Floats, list[int]]:
        """Unit vectors, shape (n, dimension), and per text the tokens that no window saw (0 normally)."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]: ...


class SparseEncoder(Protocol):
    @property
    def fingerprint(self) -> str: ...

    def encode_document(self, text: str) -> SparseVector: ...

    def encode_query(self, text: str) -> SparseVector: ...


class CrossEncoder(Protocol):
    @property
    def name(self) -> str: ...

    def score(self, question: str, texts: Sequence[str], budget_ms: float) -> list[float] | None:
        """Logits, one per text; None when the budget ran out before all were scored."""
        ...


class VectorQuery(Record):
    """One search. Exactly one of `dense` and `sparse` is set."""

    dense: tuple[float, ...] | None = None
    sparse: SparseVector | None = None
    scope: Scope = Scope()
    limit: int = 20
    ids: tuple[str, ...] | None = None
    """Score these chunks only."""
    exact: bool = False
    """Score every point in scope instead of asking the approximate index."""


class Hit(Record):
    chunk: Chunk
    score: float
    doc_name: str
    doc_type: str
    period: str | None = None


class IndexState(Record):
    """What `doctor` shows of the index."""

    engine: Literal["embedded", "memory", "server"]
    location: str
    version: str
    """Changes with every publication; answers carry it."""
    documents: int
    chunks: int
    tables: int
    payload_indexes: dict[str, str]
    problems: tuple[str, ...] = ()
    detail: dict[str, JsonValue] = {}


class Index(Protocol):
    """The store as ingest and serve see it. All reads honour the scope inside the engine."""

    @property
    def version(self) -> str: ...

    def search(self, queries: Sequence[VectorQuery]) -> list[list[Hit]]:
        """All queries in one batch; each list best first, ties broken by chunk id."""
        ...

    def rank(self, queries: Sequence[VectorQuery]) -> list[dict[str, float]]:
        """What `search` finds, as chunk ids with their scores, best first. No chunk is read, which is most of the
        time where hundreds are found to choose a few."""
        ...

    def put(self, parsed: ParsedDocument, chunks: Sequence[EmbeddedChunk]) -> None:
        """Writes a document completely, makes it live in one step, then removes what it replaces
        (an older document of the same `source`). Repeating it changes nothing."""
        ...

    def add_chunks(self, doc_id: str, chunks: Sequence[EmbeddedChunk], granularities: Sequence[int] = ()) -> None:
        """Adds chunks to a document that is there. `granularities` are sizes of windows that it has from now on; a
        short document has no window of the larger ones, and still need not be asked again."""
        ...

    def delete(self, doc_id: str) -> bool: ...

    def documents(self, scope: Scope = Scope()) -> tuple[Document, ...]:
        """Sorted by name, then id."""
        ...

    def document(self, doc_id: str, scope: Scope = Scope()) -> Document | None: ...

    def table_summaries(self, scope: Scope = Scope()) -> tuple[TableSummary, ...]: ...

    def table(self, table_id: str, scope: Scope = Scope()) -> Table | None: ...

    def lines(self, doc_id: str, pages: Sequence[int] | None = None, scope: Scope = Scope()) -> tuple[Line, ...]: ...

    def outline(self, doc_id: str, scope: Scope = Scope()) -> tuple[Section, ...]: ...

    def chunks(self, scope: Scope = Scope(), ids: Sequence[str] | None = None) -> tuple[Chunk, ...]:
        """In document order."""
        ...

    def count_chunks(self, scope: Scope = Scope()) -> int: ...

    def settings_in_force(self) -> Mapping[str, str]:
        """Fingerprints and chunk settings that the index was made with."""
        ...

    def finish(self) -> None:
        """Called at the end of an ingestion: flush, optimise, check counts."""
        ...

    def state(self) -> IndexState: ...

    def close(self) -> None: ...
