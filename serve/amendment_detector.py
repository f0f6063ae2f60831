"""Passages of amendments: what changes a clause must be seen whenever the clause is.

An amendment repeats few words of what it amends, and the methods that a question chooses may find the clause alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from compression.terms import fold
from contracts.documents import Document
from contracts.evidence import Candidate, Score
from contracts.filters import Match, Scope
from contracts.protocols import Hit, Index, SparseEncoder, VectorQuery
from contracts.questions import Question
from serve.contradictions import AMENDS, asks_changes
from serve.retrieve import candidate_of

LIMIT = 5
LISTED = 20
"""Passages when the question asks what the amendments change."""


def amending(documents: Sequence[Document]) -> tuple[Document, ...]:
    """Documents whose name or title says that they change another one."""
    return tuple(d for d in documents if AMENDS.search(fold(f"{d.name.replace('_', ' ')} {d.title}")))


def find_amendments(
    question: Question, documents: Sequence[Document], index: Index, scope: Scope, sparse: SparseEncoder
) -> tuple[Candidate, ...]:
    """Passages of the amending `documents` that share words with the question, best first; all of them, in document
    order, when it asks what they change."""
    if not documents:
        return ()
    inside = scope.and_(Match(field="doc_id", any_of=tuple(d.doc_id for d in documents)))
    hits = _all(documents, index, inside) if asks_changes(question) else _sharing(question, index, inside, sparse)
    return tuple(
        candidate_of(hit).model_copy(
            update={
                "methods": ("amendments",),
                "scores": {"amendments": Score(raw=hit.score, normalised=1.0 / rank, rank=rank)},
            }
        )
        for rank, hit in enumerate(hits, 1)
    )


def _sharing(question: Question, index: Index, inside: Scope, sparse: SparseEncoder) -> list[Hit]:
    text = " ".join([question.text, *(e for k in question.keywords for e in k.expansions)])
    return index.search([VectorQuery(sparse=sparse.encode_query(text), scope=inside, limit=LIMIT)])[0]


def _all(documents: Sequence[Document], index: Index, inside: Scope) -> list[Hit]:
    named = {d.doc_id: d for d in documents}
    return [
        Hit(
            chunk=chunk,
            score=0.0,
            doc_name=named[chunk.doc_id].name,
            doc_type=named[chunk.doc_id].doc_type,
            period=named[chunk.doc_id].period,
        )
        for chunk in index.chunks(inside)[:LISTED]
    ]
