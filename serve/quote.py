"""An answer without a model: the best sentences of the evidence, word for word, with their place."""

from __future__ import annotations

from collections.abc import Sequence

from compression.records import Unit
from contracts.base import Record
from contracts.evidence import Candidate, Citation, Contradiction, Role
from contracts.questions import Question
from serve.anchor import best_sentences, holds
from serve.contradictions import is_amendment

MAX_SENTENCES = 2
LISTING_SENTENCES = 6
"""For a listing or a summary."""


class Quoted(Record):
    text: str
    citations: tuple[Citation, ...]
    confidence: float
    """Of the best sentence: how much of the question it covers, in [0, 1]; see docs/retrieval.md."""


def quote(
    question: Question, candidates: Sequence[Candidate], contradictions: Sequence[Contradiction] = ()
) -> Quoted | None:
    """The best sentences of the primary candidates. None when there is no prose evidence."""
    primary = [c for c in candidates if c.role is Role.PRIMARY and c.chunk.kind != "table"]
    ranked = [(u, c) for c in primary for u in best_sentences(question, c)]
    if not ranked:
        return None
    ranked.sort(key=lambda pair: -pair[0].score)
    chosen = _chosen(question, ranked)
    return Quoted(
        text=" ".join(u.text for u, _ in chosen),
        citations=tuple(_citation(u, c) for u, c in chosen),
        confidence=round(min(1.0, ranked[0][0].score), 4),
    )


def _chosen(question: Question, ranked: Sequence[tuple[Unit, Candidate]]) -> list[tuple[Unit, Candidate]]:
    limit = LISTING_SENTENCES if question.answer_context == "section" else MAX_SENTENCES
    best = ranked[0][0].score
    kept = [pair for pair in ranked if pair[0].score >= 0.8 * best][:limit]
    if holds(question, kept[0][0].text) and question.answer_context == "line":
        kept = kept[:1]
    return sorted(kept, key=lambda pair: (not is_amendment(pair[1]), pair[0].order))


def _citation(unit: Unit, candidate: Candidate) -> Citation:
    return Citation(
        doc_id=unit.doc_id,
        doc_name=candidate.doc_name,
        page=unit.page,
        line_start=unit.line_start,
        line_end=unit.line_end,
        section_title=unit.section_title,
        quote=unit.text,
    )
