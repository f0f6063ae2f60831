"""When one chunk of a table is found, the whole table is used."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.chunks import Chunk
from contracts.evidence import Candidate
from contracts.filters import Match, Scope
from contracts.protocols import Index


def widen(index: Index, candidates: Sequence[Candidate], scope: Scope) -> tuple[Candidate, ...]:
    """The candidates, each table completed by its other chunks right after the one that was found."""
    present = {c.candidate_id for c in candidates}
    done: set[str] = set()
    widened: list[Candidate] = []
    for candidate in candidates:
        table_id = candidate.chunk.table_id
        widened.append(candidate)
        if table_id is None or table_id in done:
            continue
        done.add(table_id)
        for chunk in table_chunks(index, table_id, scope):
            if chunk.chunk_id not in present:
                present.add(chunk.chunk_id)
                update = {"candidate_id": chunk.chunk_id, "chunk": chunk, "reason": "another part of a table found"}
                widened.append(candidate.model_copy(update=update))
    return tuple(widened)


def table_chunks(index: Index, table_id: str, scope: Scope) -> tuple[Chunk, ...]:
    """All chunks of a table, in document order."""
    return index.chunks(
        scope.and_(Match(field="table_id", any_of=(table_id,)), Match(field="granularity", any_of=(0,)))
    )
