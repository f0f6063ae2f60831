"""The question's vectors, and what the outline and keyword detectors find, as candidates for the pool."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.chunks import Chunk, SparseVector
from contracts.documents import Document, Section
from contracts.evidence import Candidate, Method, Score
from contracts.filters import Match, Scope
from serve.keyword_detector import find_cooccurrence
from serve.outline_detector import SectionHit, find_sections
from serve.retrieve import candidate_of
from serve.run import Run

OUTLINE_DOCUMENTS = 100
"""In a larger scope only the outlines of documents that the vector methods found are read."""
SECTIONS = 5
CHUNKS_OF_A_SECTION = 3


def question_vectors(run: Run) -> dict[Method, tuple[float, ...] | SparseVector]:
    """The question for each vector method that runs."""
    assert run.dispatch is not None
    vectors: dict[Method, tuple[float, ...] | SparseVector] = {}
    windows = "umg" in run.dispatch.run  # its experts are both
    if windows or "dense" in run.dispatch.run:
        encoded, _ = run.services.dense.get().encode([run.question.text])
        vectors["dense"] = tuple(float(x) for x in encoded[0])
    if windows or "bm25" in run.dispatch.run:
        vectors["bm25"] = run.services.sparse.encode_query(run.question.text)
    return vectors


def has_outline(run: Run) -> bool:
    """Whether any document in scope has one; a scope too large to look through is taken to have."""
    assert run.narrowed is not None
    documents = run.narrowed.documents
    return len(documents) > OUTLINE_DOCUMENTS or any(_sections(run, documents))


def detect(run: Run, by_vectors: Sequence[Candidate], chunks: Scope) -> tuple[Candidate, ...]:
    """Candidates of the detectors that run, each with its rank."""
    assert run.dispatch is not None
    found: list[Candidate] = []
    if "outline" in run.dispatch.run:
        found.extend(_by_outline(run, by_vectors, chunks))
    if "keywords" in run.dispatch.run:
        found.extend(_by_keywords(run, chunks))
    return tuple(found)


def _by_keywords(run: Run, chunks: Scope) -> list[Candidate]:
    services = run.services
    limit = services.settings.top_k_retrieve
    hits = find_cooccurrence(run.question, services.index, chunks, limit, sparse=services.sparse)
    return [
        candidate_of(found.hit).model_copy(
            update={
                "methods": ("keywords",),
                "scores": {"keywords": Score(raw=found.score, normalised=found.score, rank=rank)},
                "matched_keywords": found.matched_keywords,
            }
        )
        for rank, found in enumerate(hits, 1)
    ]


def _by_outline(run: Run, by_vectors: Sequence[Candidate], chunks: Scope) -> list[Candidate]:
    assert run.narrowed is not None
    documents: Sequence[Document] = run.narrowed.documents
    if len(documents) > OUTLINE_DOCUMENTS:
        likely = {c.chunk.doc_id for c in by_vectors}
        documents = [d for d in documents if d.doc_id in likely]
    hits = find_sections(run.question, _sections(run, documents), run.services.dense.get())[:SECTIONS]
    return [
        _of_section(hit, chunk, rank)
        for rank, hit in enumerate(hits, 1)
        for chunk in _chunks_of(run, hit, chunks)[:CHUNKS_OF_A_SECTION]
    ]


def _sections(run: Run, documents: Sequence[Document]) -> list[tuple[Document, Section]]:
    index = run.services.index
    return [(d, s) for d in documents for s in index.outline(d.doc_id, run.permitted)]


def _chunks_of(run: Run, hit: SectionHit, chunks: Scope) -> tuple[Chunk, ...]:
    return run.services.index.chunks(
        chunks.and_(
            Match(field="doc_id", any_of=(hit.document.doc_id,)),
            Match(field="section_id", any_of=(hit.section.section_id,)),
        )
    )


def _of_section(hit: SectionHit, chunk: Chunk, rank: int) -> Candidate:
    return Candidate(
        candidate_id=chunk.chunk_id,
        chunk=chunk,
        doc_name=hit.document.name,
        doc_type=hit.document.doc_type,
        period=hit.document.period,
        methods=("outline",),
        scores={"outline": Score(raw=hit.score, normalised=hit.score, rank=rank)},
        matched_keywords=hit.matched_keywords,
    )
