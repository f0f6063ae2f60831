"""Two places for every candidate: the narrow one that matched, and the wider one that is passed on."""

from __future__ import annotations

from compression.records import Unit
from compression.score import coverage
from compression.terms import contains_phrase, stems
from compression.units import sentences_of, tables_of
from contracts.evidence import Anchor, Candidate, Context
from contracts.questions import Question
from serve.answer_content import answer_values
from serve.matching import own_titles

LINES_AROUND = 2
"""Lines of context on each side when a line answers; a paragraph, section or table is its whole chunk."""
HOLDS_ANSWER = 0.15
"""What holding content of the answer's type adds to a sentence's coverage: it decides between near equals."""


def place(question: Question, candidate: Candidate) -> Candidate:
    """The candidate with its anchor and context; the context's range contains the anchor's."""
    anchor = (
        _table_anchor(question, candidate) if candidate.chunk.kind == "table" else _prose_anchor(question, candidate)
    )
    return candidate.model_copy(update={"anchor": anchor, "context": _context(question, candidate, anchor)})


def best_sentences(question: Question, candidate: Candidate) -> tuple[Unit, ...]:
    """The sentences of a prose candidate with their scores (coverage plus answer content), best first."""
    units = sentences_of(candidate.chunk, question.language)
    titles = own_titles(candidate.chunk)
    covered = coverage(question, [f"{titles}\n{u.text}" for u in units])
    own = coverage(question, [u.text for u in units])
    scored = [
        u.model_copy(update={"score": 0.5 * c + 0.5 * o + (HOLDS_ANSWER if holds(question, u.text) else 0.0)})
        for u, c, o in zip(units, covered, own, strict=True)
    ]
    return tuple(sorted(scored, key=lambda u: (-u.score, u.order)))


def holds(question: Question, text: str) -> bool:
    """Whether the text has content of the answer's type."""
    return question.answer_type != "text" and bool(answer_values(text, question.answer_type))


def _prose_anchor(question: Question, candidate: Candidate) -> Anchor:
    chunk = candidate.chunk
    best = best_sentences(question, candidate)
    if not best:
        return _whole(candidate)
    return Anchor(
        page=best[0].page, line_start=best[0].line_start, line_end=best[0].line_end, section_id=chunk.section_id
    )


def _whole(candidate: Candidate) -> Anchor:
    chunk = candidate.chunk
    end = chunk.line_end if chunk.page_end == chunk.page_start else chunk.line_start
    return Anchor(
        page=chunk.page_start,
        line_start=chunk.line_start,
        line_end=max(end, chunk.line_start),
        section_id=chunk.section_id,
        table_id=chunk.table_id,
    )


def _table_anchor(question: Question, candidate: Candidate) -> Anchor:
    """The rows that hold a code or a name of the question, else the whole chunk."""
    named = [stems(n) for n in (*question.codes, *question.names)]
    rows = [r for block in tables_of([candidate.chunk]) for r in block.rows]
    named_rows = [r for r in rows if any(contains_phrase(stems(r.text), n) for n in named)]
    indices = tuple(r.row for r in named_rows or rows if r.row is not None)
    return _whole(candidate).model_copy(update={"rows": indices})


def _context(question: Question, candidate: Candidate, anchor: Anchor) -> Context:
    chunk = candidate.chunk
    whole = Context(
        page_start=chunk.page_start, line_start=chunk.line_start, page_end=chunk.page_end, line_end=chunk.line_end
    )
    if question.answer_context != "line" or chunk.kind == "table" or chunk.page_start != chunk.page_end:
        return whole
    return Context(
        page_start=anchor.page,
        line_start=max(chunk.line_start, anchor.line_start - LINES_AROUND),
        page_end=anchor.page,
        line_end=min(chunk.line_end, anchor.line_end + LINES_AROUND),
    )
