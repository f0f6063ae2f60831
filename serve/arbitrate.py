"""Which candidate carries the answer, by rules: the same record that a model's verdicts come in.

Rules of thumb, in this order: trust an exact outline title; trust keywords that stand together; doubt what only
embeddings found; a passage about a neighbouring subject (insurance for liability) is not evidence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from compression.terms import stems
from contracts.base import Record
from contracts.chunks import SECTION_PATH, Chunk
from contracts.evidence import AuditRecord, Candidate, CandidateAudit, Contradiction, Dispatch, Role
from contracts.questions import AGGREGATES, Keyword, Question
from serve.anchor import holds, place
from serve.contradictions import asks_changes, find_contradictions, replaces, says_change
from serve.matching import focus_of, matched, own_titles, phrases_of
from serve.outline_detector import plain_title
from serve.weigh import READS_AS_ANSWER

_EVIDENCE = (Role.PRIMARY, Role.SUPPORTING)
_ORDER = (Role.PRIMARY, Role.SUPPORTING, Role.TANGENTIAL, Role.DISCARDED)


class Arbitration(Record):
    """Candidates with roles, primary first (within a role in the order they came), and the account of it."""

    candidates: tuple[Candidate, ...]
    contradictions: tuple[Contradiction, ...]
    audit: AuditRecord


def arbitrate(question: Question, candidates: Sequence[Candidate], dispatch: Dispatch) -> Arbitration:
    """Every candidate gets exactly one role and one reason."""
    ordered, contradictions = judge_candidates(question, candidates)
    return Arbitration(
        candidates=ordered,
        contradictions=contradictions,
        audit=audit(ordered, dispatch, "rules", "no language model is configured"),
    )


def judge_candidates(
    question: Question, candidates: Sequence[Candidate]
) -> tuple[tuple[Candidate, ...], tuple[Contradiction, ...]]:
    """The candidates with place, role and reason, primary first, and what of the evidence contradicts itself."""
    placed = [place(question, c) for c in candidates]
    judged = _at_least_one_primary([_judge(question, c, rank) for rank, c in enumerate(placed)])
    judged = _with_replacements(judged)
    contradictions = find_contradictions(question, [c for c in judged if c.role in _EVIDENCE])
    return tuple(sorted(judged, key=lambda c: _ORDER.index(c.role or Role.DISCARDED))), contradictions


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
    if codes := [c for c in question.codes if c in chunk.codes]:
        return Role.PRIMARY, f"holds {', '.join(codes)}"
    if "table" in candidate.methods or (chunk.kind == "table" and question.intent in AGGREGATES):
        return Role.PRIMARY, "part of the table that the answer is computed from"
    if asks_changes(question) and says_change(chunk.text):
        return Role.PRIMARY, "says which clause it changes"
    focus = focus_of(question)
    if not focus:
        return _by_rank(rank)
    what = "" if _typed(question, chunk) else f" but holds no {question.answer_type}"
    if title := next((t for t in _titles(chunk) if any(_is_title(t, k) for k in focus)), None):
        return (Role.SUPPORTING if what else Role.PRIMARY), f"its section is titled “{title}”{what}"
    named = matched(question, f"{own_titles(chunk)}\n{chunk.text}")
    found = [k for k in focus if k in named]
    if len(found) == len(focus):
        return (Role.SUPPORTING if what else Role.PRIMARY), f"names {_terms(found)}{what}"
    if found:
        return (Role.TANGENTIAL if what else Role.SUPPORTING), f"names {_terms(found)} of {_terms(focus)}{what}"
    return _off_subject(candidate, named, focus)


def _by_rank(rank: int) -> tuple[Role, str]:
    role = Role.PRIMARY if rank == 0 else Role.SUPPORTING
    return role, f"rank {rank + 1} by score; the question has no keywords to judge by"


def _off_subject(candidate: Candidate, named: Sequence[Keyword], focus: Sequence[Keyword]) -> tuple[Role, str]:
    logit = candidate.rerank_logit
    if logit is not None and logit >= READS_AS_ANSWER:
        return Role.SUPPORTING, f"does not name {_terms(focus)}, but reads as an answer (cross-encoder {logit:.1f})"
    if named:
        return Role.TANGENTIAL, f"names {_terms(named)} but not {_terms(focus)}"
    if candidate.methods == ("dense",):
        return Role.DISCARDED, "only embeddings found it and no word of the question is in it"
    return Role.DISCARDED, "no word of the question is in it"


def _typed(question: Question, chunk: Chunk) -> bool:
    return question.answer_type == "text" or holds(question, chunk.text)


def _terms(keywords: Sequence[Keyword]) -> str:
    return ", ".join(k.term for k in keywords)


def _titles(chunk: Chunk) -> list[str]:
    return [t for t in own_titles(chunk).split(SECTION_PATH) if t]


def _is_title(title: str, keyword: Keyword) -> bool:
    return stems(plain_title(title)) in phrases_of(keyword)


def _with_replacements(judged: Sequence[Candidate]) -> list[Candidate]:
    """What replaces a clause of the evidence is evidence, though it may share no word with the question."""
    clauses = [c for c in judged if c.role in _EVIDENCE]
    return [
        c.model_copy(update={"role": Role.SUPPORTING, "reason": f"changes a clause of {old.doc_name}"})
        if c.role not in _EVIDENCE and (old := next((e for e in clauses if replaces(c, e)), None))
        else c
        for c in judged
    ]


def _at_least_one_primary(judged: Sequence[Candidate]) -> list[Candidate]:
    """Where no rule names one, the best that there is carries it; whether that is enough is not decided here."""
    if any(c.role is Role.PRIMARY for c in judged):
        return list(judged)
    best = min(
        range(len(judged)),
        key=lambda i: (_ORDER.index(judged[i].role or Role.DISCARDED), _unread(judged[i]), i),
        default=None,
    )
    return [
        c.model_copy(update={"role": Role.PRIMARY, "reason": f"{c.reason}; the best there is"}) if i == best else c
        for i, c in enumerate(judged)
    ]


def _unread(candidate: Candidate) -> float:
    return -candidate.rerank_logit if candidate.rerank_logit is not None else math.inf
