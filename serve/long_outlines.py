"""Outlines too long for titles to be found by their words alone, and the passages of sections picked from them."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.chunks import Chunk
from contracts.documents import Section
from contracts.evidence import Candidate, Score
from contracts.filters import Match, Scope
from contracts.protocols import VectorQuery
from serve.detect import OUTLINE_DOCUMENTS
from serve.llm.sections import Outline, Pick
from serve.run import Run

CHUNKS_OF_A_PICK = 5
"""Of a section with all below it; of a longer one those that share most words with the question."""


def long_outlines(run: Run) -> tuple[Outline, ...]:
    """Documents in scope whose outline has more than `outline_call_sections` sections, each with its outline.

    In a scope of many documents, only those that the pool's passages stand in.
    """
    assert run.narrowed is not None
    documents, limit = run.narrowed.documents, run.services.settings.outline_call_sections
    if len(documents) > OUTLINE_DOCUMENTS:
        likely = {c.chunk.doc_id for c in run.pool}
        documents = tuple(d for d in documents if d.doc_id in likely)
    outlines = [(d, run.services.index.outline(d.doc_id, run.permitted)) for d in documents]
    return tuple((d, sections) for d, sections in outlines if len(sections) > limit)


def passages_of(run: Run, picks: Sequence[Pick], outlines: Sequence[Outline]) -> tuple[Candidate, ...]:
    """The passages of the picked sections, ranked by the pick that brings them."""
    outline_of = {document.doc_id: sections for document, sections in outlines}
    return tuple(
        _candidate(pick, chunk, rank)
        for rank, pick in enumerate(picks, 1)
        for chunk in _chunks(run, pick, outline_of[pick.document.doc_id])
    )


def _chunks(run: Run, pick: Pick, outline: Sequence[Section]) -> Sequence[Chunk]:
    services = run.services
    inside = run.scope.and_(
        Match(field="granularity", any_of=(0,)),
        Match(field="doc_id", any_of=(pick.document.doc_id,)),
        Match(field="section_id", any_of=_with_below(pick.section, outline)),
    )
    if services.index.count_chunks(inside) <= CHUNKS_OF_A_PICK:
        return services.index.chunks(inside)
    return _nearest(run, inside) or services.index.chunks(inside)[:CHUNKS_OF_A_PICK]


def _nearest(run: Run, inside: Scope) -> list[Chunk]:
    sparse = run.services.sparse.encode_query(run.question.text)
    query = VectorQuery(sparse=sparse, scope=inside, limit=CHUNKS_OF_A_PICK)
    return [hit.chunk for hit in run.services.index.search([query])[0]]


def _with_below(section: Section, outline: Sequence[Section]) -> tuple[str, ...]:
    """The section's id and those of every section under it; an outline lists parents before their children."""
    inside = {section.section_id: None}
    for other in outline:
        if other.parent in inside:
            inside[other.section_id] = None
    return tuple(inside)


def _candidate(pick: Pick, chunk: Chunk, rank: int) -> Candidate:
    return Candidate(
        candidate_id=chunk.chunk_id,
        chunk=chunk,
        doc_name=pick.document.name,
        doc_type=pick.document.doc_type,
        period=pick.document.period,
        methods=("outline_model",),
        scores={"outline_model": Score(raw=1.0, normalised=1.0, rank=rank)},
    )
