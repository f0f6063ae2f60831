"""A question of two things, quoted: each half by its own best sentences, a half that is not found named as such."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from contracts.base import JsonValue, Record
from contracts.evidence import Candidate, Contradiction
from contracts.protocols import CrossEncoder
from contracts.questions import Question
from serve.arbitrate import judge_candidates
from serve.quote import Quoted, quote

Refuse = Callable[[Question, Sequence[Candidate], Quoted | None], str | None]
"""Part, its candidates and quotation to why it is not found; None when the quotation can be stood by."""


class PartAnswer(Record):
    """`quoted` is None, and `refused` says why, when the half is not found."""

    text: str
    """Of the half of the question."""
    quoted: Quoted | None
    refused: str | None
    contradictions: tuple[Contradiction, ...] = ()

    def told(self) -> dict[str, JsonValue]:
        """For the trace, and for writing the answer again."""
        return {"question": self.text, "answered": self.quoted is not None, "refused": self.refused}


def quote_parts(
    question: Question,
    candidates: Sequence[Candidate],
    encoder: CrossEncoder | None,
    budget_ms: float,
    refuse: Refuse,
) -> tuple[PartAnswer, ...]:
    """One answer for each part. Roles are given anew: a passage on one half says little of the whole question."""
    return tuple(_answer(part, candidates, encoder, budget_ms, refuse) for part in question.parts)


def _answer(
    part: Question, candidates: Sequence[Candidate], encoder: CrossEncoder | None, budget_ms: float, refuse: Refuse
) -> PartAnswer:
    judged, contradictions = judge_candidates(part, candidates)
    quoted = quote(part, judged, contradictions, encoder, budget_ms)
    why = refuse(part, judged, quoted)
    kept = quoted if why is None else None
    found = contradictions if kept is not None and kept.contradicted else ()
    return PartAnswer(text=part.text, quoted=kept, refused=why, contradictions=found)


def _refused(answer: PartAnswer) -> str:
    asked = answer.text.strip(" ?¿")
    return (answer.refused or "").replace("Not found:", f"Not found (“{asked}”):", 1)


def combined(answers: Sequence[PartAnswer]) -> Quoted | None:
    """One quotation, as sure as its less sure half; None when no half was found."""
    found = [a.quoted for a in answers if a.quoted is not None]
    if not found:
        return None
    refused = [_refused(a) for a in answers if a.quoted is None]
    return Quoted(
        text=" ".join(dict.fromkeys([*(q.text for q in found), *refused])),
        citations=tuple(dict.fromkeys(c for q in found for c in q.citations)),
        confidence=min(q.confidence for q in found),
        best=min(found, key=lambda q: q.confidence).best,
        timed_out=any(q.timed_out for q in found),
        ambiguous=any(q.ambiguous for q in found),
        contradicted=any(q.contradicted for q in found),
        unanswered=tuple(a.text for a in answers if a.quoted is None),
    )
