"""The part of an index that computing reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from contracts.chunks import Chunk
from contracts.documents import Document, Line, Table, TableSummary
from contracts.filters import Scope


class TableSource(Protocol):
    """`contracts.protocols.Index` is one; a benchmark's tables in memory are another."""

    @property
    def version(self) -> str:
        """Changes whenever the tables do: what was read of them is kept until then."""
        ...

    def documents(self, scope: Scope = ...) -> tuple[Document, ...]: ...

    def table_summaries(self, scope: Scope = ...) -> tuple[TableSummary, ...]: ...

    def table(self, table_id: str, scope: Scope = ...) -> Table | None: ...

    def lines(self, doc_id: str, pages: Sequence[int] | None = ..., scope: Scope = ...) -> tuple[Line, ...]: ...

    def chunks(self, scope: Scope = ..., ids: Sequence[str] | None = ...) -> tuple[Chunk, ...]: ...
