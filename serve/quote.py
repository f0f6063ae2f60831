"""An answer without a model: the best sentences of the evidence, word for word, with their place."""

from __future__ import annotations

from collections.abc import Sequence

from compression.terms import stems
from contracts.base import Record
from contracts.evidence import Candidate, Citation, Contradiction
from contracts.protocols import CrossEncoder
from contracts.questions import Question
from serve.confidence import confidence_of
from serve.contradictions import alike_words, is_amendment
from serve.weigh import READS, Weighed, weigh

MOST = 2
"""Sentences of an answer."""
MOST_LISTED = 6
"""Of a listing or a summary."""
MARGIN, MARGIN_LISTED = 1.0, 5.0
"""Logits that a further sentence may be behind the best."""

ALIKE = 0.6
"""Share of their words that two sentences of look-alike documents have in common."""
UNSURE = -4.0
"""Logit below which the words chose the sentence; what follows it in the text is quoted too."""


class Quoted(Record):
    text: str
    citations: tuple[Citation, ...]
    confidence: float
    """That it answers the question, in [0, 1]; see `serve.confidence`."""
    best: Weighed
    timed_out: bool = False
    ambiguous: bool = False
    """Look-alike documents say different things and the question does not say which is meant; each is quoted."""
    contradicted: bool = False
    """Another passage contradicts the one that the best sentence stands in."""
    unanswered: tuple[str, ...] = ()
    """Halves of the question that were not found; the text says so."""


def quote(
    question: Question,
    candidates: Sequence[Candidate],
    contradictions: Sequence[Contradiction] = (),
    encoder: CrossEncoder | None = None,
    budget_ms: float = 1000.0,
) -> Quoted | None:
    """The best sentences of primary and supporting prose; None when there is none.

    A contradicted statement is quoted with the one that contradicts it, an amendment first. `timed_out` when the
    cross-encoder did not finish within `budget_ms`; then words alone chose.
    """
    weighed = weigh(question, candidates, encoder, budget_ms)
    if not weighed:
        return None
    sides, alike = _both_sides(weighed, contradictions), _look_alikes(weighed)
    told = {w.unit.doc_id for w in sides}
    alike = [w for w in alike if w.unit.doc_id not in told]  # a clause and its amendment are no look-alikes
    changes = _changes(weighed)
    chosen = changes or [*sides, *alike] or _best(question, weighed)
    several = len({w.unit.doc_id for w in changes}) > 1
    return Quoted(
        text=_text(chosen, placed=several or bool(not changes and (contradictions or alike))),
        ambiguous=several or bool(not changes and alike),
        contradicted=not changes and weighed[0].candidate.candidate_id in _involved(contradictions),
        citations=tuple(_citation(w) for w in chosen),
        confidence=round(confidence_of(question, weighed[0]), 4),
        best=weighed[0],
        timed_out=encoder is not None and question.language == READS and weighed[0].logit is None,
    )


def _best(question: Question, weighed: Sequence[Weighed]) -> list[Weighed]:
    """One sentence when it holds the value asked for; else those that are nearly as good, in document order."""
    best = weighed[0]
    if question.answer_context == "line" and best.typed:
        return [best]
    listed = question.answer_context == "section"
    margin, most = (MARGIN_LISTED, MOST_LISTED) if listed else (MARGIN, MOST)
    near = [w for w in weighed if w.score >= best.score - margin and w.unit.doc_id == best.unit.doc_id][:most]
    if len(near) == 1 and best.reads is not None and best.reads < UNSURE:
        near += _next(best, weighed)
    return sorted(near, key=lambda w: w.unit.order)


def _changes(weighed: Sequence[Weighed]) -> list[Weighed]:
    """All that amendments change, when that is the question."""
    found = [w for w in weighed if w.change][:MOST_LISTED]
    return sorted(found, key=lambda w: (w.candidate.doc_name, w.unit.order))


def _next(best: Weighed, weighed: Sequence[Weighed]) -> list[Weighed]:
    """The sentence after it in the same passage."""
    after = [w for w in weighed if w.unit.chunk_id == best.unit.chunk_id and w.unit.order > best.unit.order]
    return sorted(after, key=lambda w: w.unit.order)[:1]


def _involved(contradictions: Sequence[Contradiction]) -> set[str]:
    return {i for c in contradictions for i in c.candidate_ids}


def _both_sides(weighed: Sequence[Weighed], contradictions: Sequence[Contradiction]) -> list[Weighed]:
    involved = _involved(contradictions)
    if weighed[0].candidate.candidate_id not in involved:
        return []  # the answer stands in another clause (the territory of a non-compete whose term was amended)
    sides: dict[str, Weighed] = {}
    for w in sorted(weighed, key=lambda w: not w.typed):  # the sentence with a value, else the best one
        if w.candidate.candidate_id in involved:
            sides.setdefault(w.candidate.candidate_id, w)
    return sorted(sides.values(), key=lambda w: (not is_amendment(w.candidate), w.unit.doc_id, w.unit.order))


def _look_alikes(weighed: Sequence[Weighed]) -> list[Weighed]:
    """The best sentence and those of other documents that say nearly the same with another value."""
    best = weighed[0]
    alike = {best.unit.doc_id: best}
    for w in weighed[1:]:
        same = w.typed and alike_words(w.unit.text, best.unit.text) >= ALIKE
        if best.typed and same and stems(w.unit.text) != stems(best.unit.text):
            alike.setdefault(w.unit.doc_id, w)
    return list(alike.values()) if len(alike) > 1 else []


def _text(chosen: Sequence[Weighed], placed: bool) -> str:
    if not placed or len(chosen) < 2:
        return " ".join(w.unit.text for w in chosen)
    return " ".join(f"{w.candidate.doc_name}, page {w.unit.page}: “{w.unit.text}”" for w in chosen)


def _citation(weighed: Weighed) -> Citation:
    unit = weighed.unit
    return Citation(
        doc_id=unit.doc_id,
        doc_name=weighed.candidate.doc_name,
        page=unit.page,
        line_start=unit.line_start,
        line_end=unit.line_end,
        section_title=unit.section_title,
        quote=unit.text,
    )
