"""Which candidate carries the answer, by rules: the same record that a model's verdicts come in.

Rules of thumb, in this order: trust an exact outline title; trust keywords that stand together; doubt what only
embeddings found; a passage about a neighbouring subject (insurance for liability) is not evidence.
"""

from __future__ import annotations

from collections.abc import Sequence

from compression.terms import stems
from contracts.base import Record
from contracts.evidence import AuditRecord, Candidate, CandidateAudit, Contradiction, Dispatch, Role
from contracts.questions import AGGREGATES, Keyword, Question
from serve.anchor import holds, place
from serve.contradictions import find_contradictions
from serve.matching import matched, phrases_of

_ORDER = (Role.PRIMARY, Role.SUPPORTING, Role.TANGENTIAL, Role.DISCARDED)


class Arbitration(Record):
    """Candidates with roles, primary first (within a role in the order they came), and the account of it."""

    candidates: tuple[Candidate, ...]
    contradictions: tuple[Contradiction, ...]
    audit: AuditRecord


def arbitrate(question: Question, candidates: Sequence[Candidate], dispatch: Dispatch) -> Arbitration:
    """Every candidate gets exactly one role and one reason."""
    placed = [place(question, c) for c in candidates]
    judged = [_judge(question, c, rank) for rank, c in enumerate(placed)]
    judged = _at_least_one_primary(judged)
    contradictions = find_contradictions(question, [c for c in judged if c.role in (Role.PRIMARY, Role.SUPPORTING)])
    ordered = tuple(sorted(judged, key=lambda c: _ORDER.index(c.role or Role.DISCARDED)))
    return Arbitration(
        candidates=ordered,
        contradictions=contradictions,
        audit=audit(ordered, dispatch, "rules", "no language model is configured"),
    )


def audit(candidates: Sequence[Candidate], dispatch: Dispatch, arbiter: str, reason: str) -> AuditRecord:
    """The account that stands beside the result, for whoever decided (`model` or `rules`)."""
    return AuditRecord(
        candidates=tuple(
            CandidateAudit(
                candidate_id=c.candidate_id,
                methods_that_found_it=c.methods,
                rank_per_method={m: s.rank for m, s in c.scores.items() if s.rank is not None},
                structural_context=_structure(c),
                role=c.role,
                reason=c.reason,
            )
            for c in candidates
        ),
        methods_run=dispatch.run,
        methods_skipped=dispatch.skipped,
        skipped_reasons={m: dispatch.reasons.get(m, "") for m in dispatch.skipped},
        arbiter="model" if arbiter == "model" else "rules",
        arbiter_reason=reason,
    )


def _structure(candidate: Candidate) -> str:
    chunk = candidate.chunk
    inside = f"table {chunk.table_id}" if chunk.table_id else chunk.section_title or "no section"
    return f"{candidate.doc_name}, page {chunk.page_start}, {inside}"


def _judge(question: Question, candidate: Candidate, rank: int) -> Candidate:
    role, reason = _verdict(question, candidate, rank)
    return candidate.model_copy(update={"role": role, "reason": reason})


def _verdict(question: Question, candidate: Candidate, rank: int) -> tuple[Role, str]:
    chunk = candidate.chunk
    text = f"{chunk.section_title}\n{chunk.text}"
    if missing := [c for c in question.codes if c in chunk.codes]:
        return Role.PRIMARY, f"holds {', '.join(missing)}"
    if "table" in candidate.methods or (chunk.kind == "table" and question.intent in AGGREGATES):
        return Role.PRIMARY, "part of the table that the answer is computed from"
    named = matched(question, text)
    focus = _focus(question)
    found = [k for k in focus if k in named]
    if chunk.section_title and any(_is_title(chunk.section_title, k) for k in focus):
        return Role.PRIMARY, f"its section is titled “{chunk.section_title}”"
    if focus and not found:
        return _off_subject(candidate, named, rank)
    return _by_words(question, candidate, found or list(named), rank)


def _focus(question: Question) -> tuple[Keyword, ...]:
    """What the question is about: its concepts, or all keywords where the lexicon knows none."""
    concepts = tuple(k for k in question.keywords if k.concept)
    return concepts or question.keywords


def _is_title(title: str, keyword: Keyword) -> bool:
    words = stems(title)
    return any(
        phrase == words or (phrase == words[-len(phrase) :] and words[0].isdigit()) for phrase in phrases_of(keyword)
    )


def _off_subject(candidate: Candidate, named: Sequence[Keyword], rank: int) -> tuple[Role, str]:
    if named:
        return Role.TANGENTIAL, f"names {', '.join(k.term for k in named)} but not what is asked about"
    if candidate.methods == ("dense",):
        return Role.DISCARDED, "only embeddings found it and no word of the question is in it"
    return Role.DISCARDED, "no word of the question is in it"


def _by_words(question: Question, candidate: Candidate, found: Sequence[Keyword], rank: int) -> tuple[Role, str]:
    terms = ", ".join(k.term for k in found)
    whole = len(found) == len(_focus(question)) or not question.keywords
    typed = question.answer_type == "text" or holds(question, candidate.chunk.text)
    if not question.keywords:
        role = Role.PRIMARY if rank == 0 else Role.SUPPORTING
        return role, f"rank {rank + 1} by score; the question has no keywords to judge by"
    if whole and typed:
        return Role.PRIMARY, f"names {terms}" + (
            "" if question.answer_type == "text" else f" with a {question.answer_type}"
        )
    if whole:
        return Role.SUPPORTING, f"names {terms} but no {question.answer_type}"
    return Role.SUPPORTING if typed else Role.TANGENTIAL, f"names {terms or 'nothing'} of {len(_focus(question))} terms"


def _at_least_one_primary(judged: Sequence[Candidate]) -> list[Candidate]:
    """Where no rule names one, the best supporting candidate carries what there is."""
    if any(c.role is Role.PRIMARY for c in judged):
        return list(judged)
    best = next((i for i, c in enumerate(judged) if c.role is Role.SUPPORTING), None)
    return [
        c.model_copy(update={"role": Role.PRIMARY, "reason": f"{c.reason}; the best there is"}) if i == best else c
        for i, c in enumerate(judged)
    ]
