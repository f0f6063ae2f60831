"""Two passages that say different things of one subject, and which of them holds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

from compression.terms import fold
from contracts.base import Record
from contracts.evidence import Candidate, Contradiction
from contracts.questions import Question
from serve.anchor import best_sentences
from serve.answer_content import answer_values
from serve.matching import matched

AMENDS = re.compile(
    r"\b(?:amend(?:s|ed|ment|ing)?|replaced?|substituted|supersedes?d?|shall (?:now )?read|is revised|deleted|addendum"
    r"|modific\w+|se sustituye|queda(?:n)? (?:modificad|sustituid)\w+|deroga\w*|adenda)\b"
)
"""Words of a text that changes another, folded."""


class Statement(Record):
    """What one candidate says about the subject."""

    candidate: Candidate
    sentence: str
    values: tuple[str, ...]
    amends: bool


def find_contradictions(question: Question, candidates: Sequence[Candidate]) -> tuple[Contradiction, ...]:
    """Pairs of candidates with different values for the same subject; an amendment is named as the one that holds."""
    if question.answer_type in ("text", "person", "code"):
        return ()
    statements = [s for c in candidates if c.chunk.kind != "table" and (s := statement(question, c))]
    return tuple(
        Contradiction(candidate_ids=(a.candidate.candidate_id, b.candidate.candidate_id), explanation=_explain(a, b))
        for a, b in combinations(statements, 2)
        if _comparable(a, b) and not set(_normal(a)) & set(_normal(b))
    )


def statement(question: Question, candidate: Candidate) -> Statement | None:
    """The candidate's best sentence about everything the question names, when it holds a value."""
    for unit in best_sentences(question, candidate)[:3]:
        values = answer_values(unit.text, question.answer_type)
        if values and _about_subject(question, f"{unit.section_title}\n{unit.text}"):
            return Statement(
                candidate=candidate,
                sentence=unit.text,
                values=values,
                amends=is_amendment(candidate),
            )
    return None


def is_amendment(candidate: Candidate) -> bool:
    """The document's name or the passage itself says that it changes another text."""
    return bool(AMENDS.search(fold(f"{candidate.doc_name.replace('_', ' ')} {candidate.chunk.text}")))


def _about_subject(question: Question, text: str) -> bool:
    """The question's concepts are named, those about the change itself aside."""
    subject = [k for k in question.keywords if k.concept and k.concept not in ("amendment_of_terms", "contract")]
    return bool(subject) and {k.term for k in subject} <= {k.term for k in matched(question, text)}


def _comparable(a: Statement, b: Statement) -> bool:
    """Only texts that rule the same matter: one amends the other, or both stand in one document."""
    return a.amends != b.amends or (
        a.candidate.chunk.doc_id == b.candidate.chunk.doc_id
        and a.candidate.chunk.section_id != b.candidate.chunk.section_id
    )


def _normal(found: Statement) -> list[str]:
    return [re.sub(r"\W+", " ", v).strip() for v in found.values]


def _explain(a: Statement, b: Statement) -> str:
    said = f"{_place(a)} says {', '.join(a.values)}; {_place(b)} says {', '.join(b.values)}"
    if a.amends == b.amends:
        return f"{said}; neither says that it replaces the other"
    return f"{said}; {_place(a if a.amends else b)} amends the other and holds"


def _place(found: Statement) -> str:
    chunk = found.candidate.chunk
    section = f" ({chunk.section_title})" if chunk.section_title else ""
    return f"{found.candidate.doc_name} page {chunk.page_start}{section}"
