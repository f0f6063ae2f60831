"""Whether the evidence carries an answer at all, and what was searched when it does not.

What proves absence: the scope, the code, the period, the terms of the subject. What judges it: whether the best
sentence names the question, holds content of the asked kind, and reads as an answer. Over tables the
cross-encoder's score is no evidence (it is higher on unanswerable questions than on look-ups, AUC 0.30 to 0.44);
there the plan says what is absent.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from compression.terms import words
from contracts.base import Record
from contracts.evidence import Candidate, NotFoundReason
from contracts.periods import covers
from contracts.plans import Computation
from contracts.questions import AGGREGATES, Intent, Question
from encode.tokens import find_codes
from serve.keyword_detector import AbsentTerm
from serve.matching import matched, own_titles
from serve.quote import Quoted
from serve.weigh import FAR, READS, READS_AS_ANSWER, coverage_of

MIN_CONFIDENCE = 0.5
"""Below it a quoted answer is withheld; chosen from the curve of `make bench-clapnq`, see DECISIONS.md."""

STATED = 0.8
"""Confidence from which a count is taken from a text that states it."""
MOST_UNSAID = 0.4
"""Share of the question's words that may be absent from all documents before the answer must read as one."""
READS_WELL = 4.0
"""Logit from which an answer without an amount or duration stands (`as long as the project lasts`)."""
HALF = 0.5
"""The share when the subject is named and the sentence is far from an answer."""


class NotFoundVerdict(Record):
    reason: NotFoundReason
    text: str
    """What the reader is told."""
    searched: str
    """What was searched, and where."""


def judge(
    question: Question,
    candidates: Sequence[Candidate],
    *,
    absent: Sequence[AbsentTerm] = (),
    computation: Computation | None = None,
    quoted: Quoted | None = None,
    documents: int = 0,
    missing: Sequence[str] = (),
    scope: str = "",
) -> NotFoundVerdict | None:
    """None when there is an answer that can be stood by.

    `documents` is the number of documents searched, `missing` what narrowing did not find (a period, a company),
    `scope` the filters in words.
    """
    found = (
        _no_scope(documents, missing)
        or _no_code(question, candidates)
        or _no_name(question, absent)
        or _no_value(computation)
        or _no_subject(absent, computation)
        or _no_evidence(question, candidates, absent, computation, quoted)
    )
    if found is None:
        return None
    reason, text = found
    return NotFoundVerdict(reason=reason, text=f"Not found: {text}.", searched=_searched(question, documents, scope))


Finding = tuple[NotFoundReason, str] | None


def _no_scope(documents: int, missing: Sequence[str]) -> Finding:
    if documents == 0:
        return NotFoundReason.NO_DOCUMENTS, "no document in scope could hold this"
    return (NotFoundReason.NO_DOCUMENTS, "; ".join(missing)) if missing else None


def _no_code(question: Question, candidates: Sequence[Candidate]) -> Finding:
    """A code that no candidate of the asked period holds, in its text or as its file's name; BM25 would have found it."""
    asked = [c for c in candidates if _of_period(question, c)]
    there = {code for c in asked for code in (*c.chunk.codes, *find_codes(c.doc_name.rsplit(".", 1)[0]))}
    absent = [code for code in question.codes if code not in there]
    when = f" for {', '.join(question.periods)}" if question.periods else ""
    return (NotFoundReason.NO_KEYWORD_MATCH, f"{', '.join(absent)} is in no document{when}") if absent else None


def _of_period(question: Question, candidate: Candidate) -> bool:
    period = candidate.period
    return (
        not question.periods or period is None or any(covers(p, period) or covers(period, p) for p in question.periods)
    )


def _no_name(question: Question, absent: Sequence[AbsentTerm]) -> Finding:
    """A name none of whose words occurs anywhere in scope."""
    unsaid = {word for a in absent for word in words(a.term)}
    names = [n for n in question.names if words(n) and set(words(n)) <= unsaid]
    return (NotFoundReason.NO_KEYWORD_MATCH, f"no document in scope mentions {', '.join(names)}") if names else None


def _no_subject(absent: Sequence[AbsentTerm], computation: Computation | None) -> Finding:
    """A subject of the domain that no document names by any of its names cannot be answered, whatever scores say.

    A plan accounts for every word of the question, so what was computed has its subject.
    """
    if computation is not None and computation.computed is not None:
        return None
    subjects = [a for a in absent if a.subject]
    terms = "; ".join(str(a) for a in subjects)
    return (NotFoundReason.NO_KEYWORD_MATCH, f"no document in scope mentions {terms}") if subjects else None


def _no_value(computation: Computation | None) -> Finding:
    """A clear plan whose row or cell is not there."""
    if computation is None or computation.computed is not None or not computation.absent:
        return None
    return NotFoundReason.NOT_IN_EVIDENCE, (
        computation.text or computation.declined or "the table does not hold it"
    ).rstrip(".")


def _no_evidence(
    question: Question,
    candidates: Sequence[Candidate],
    absent: Sequence[AbsentTerm],
    computation: Computation | None,
    quoted: Quoted | None,
) -> Finding:
    if computation is not None and computation.computed is not None:
        return None
    words = f"; no document in scope mentions {', '.join(a.term for a in absent)}" if absent else ""
    if quoted is None:
        rows = computation is not None and question.intent in AGGREGATES
        why = computation.declined if rows and computation is not None and computation.declined else ""
        why = why or "no passage speaks of it"
        return NotFoundReason.NOT_IN_EVIDENCE, why.rstrip(".") + words
    if _asks_rows(question) and (absent or not _stated(quoted, candidates)):
        why = computation.declined if computation is not None and computation.declined else "no table holds it"
        return NotFoundReason.NOT_IN_EVIDENCE, why.rstrip(".") + words
    if absent and _too_much_unsaid(question, absent, quoted):
        return NotFoundReason.NO_KEYWORD_MATCH, f"no document in scope mentions {', '.join(str(a) for a in absent)}"
    if _needs_value(question) and not quoted.best.typed and not _reads_well(quoted):
        return NotFoundReason.NOT_IN_EVIDENCE, f"the passages on it state no {question.answer_type}{words}"
    if other := _other_kind(question, quoted):
        return NotFoundReason.NOT_IN_EVIDENCE, f"the passages on it do not speak of {other}{words}"
    if quoted.confidence < MIN_CONFIDENCE:
        return NotFoundReason.LOW_CONFIDENCE, f"the nearest passage does not answer it{words}"
    return None


def _needs_value(question: Question) -> bool:
    if question.intent is Intent.LOOKUP:
        return question.answer_type in ("amount", "duration", "date", "person")
    return question.answer_type in ("amount", "duration") and question.answer_context == "line"


def _reads_well(quoted: Quoted) -> bool:
    """By the sentence alone: without an amount in it, that of its passage may well be another's."""
    reads = quoted.best.logit if quoted.best.logit is not None else quoted.best.reads
    return reads is not None and reads >= READS_WELL


def _asks_rows(question: Question) -> bool:
    return question.intent in AGGREGATES and question.answer_shape != "single"


def _stated(quoted: Quoted, candidates: Sequence[Candidate]) -> bool:
    """A number that a text states (`up to 600 employees`), in a document without a table that could be counted."""
    best = quoted.best
    tables = {c.chunk.doc_id for c in candidates if c.chunk.kind == "table"}
    return best.typed and quoted.confidence >= STATED and best.unit.doc_id not in tables


def _too_much_unsaid(question: Question, absent: Sequence[AbsentTerm], quoted: Quoted) -> bool:
    """Words that stand nowhere are forgiven when the sentence reads as an answer, or names the subject and is not far
    from it. A word in front of a subject (`meal` of `meal voucher`) makes it another one."""
    best = quoted.best
    reads = best.reads if best.reads is not None else READS_AS_ANSWER
    if best.reads is not None and reads >= READS_AS_ANSWER:
        return False
    gone = {a.term for a in absent}
    unsaid = 1.0 - coverage_of(question, [k for k in question.keywords if k.term not in gone])
    if best.subject and question.language == READS and reads < FAR:
        return unsaid >= HALF or _compound(question, absent)
    return not best.subject and unsaid >= MOST_UNSAID


def _other_kind(question: Question, quoted: Quoted) -> str:
    """`referral bonus` where the passage speaks of a bonus, not of referrals, `penalty for late delivery` where it
    speaks of late payment; and the passage does not read as an answer."""
    best = quoted.best
    if question.language != READS or best.reads is None or best.reads >= READS_AS_ANSWER:
        return ""
    said = f" {' '.join(words(question.text))} "
    named = {k.term for k in matched(question, f"{own_titles(best.candidate.chunk)}\n{best.candidate.chunk.text}")}
    for subject in (k for k in question.keywords if k.subject):
        for word in (k for k in question.keywords if k.concept is None and k.term not in named):
            if f" {word.term} {subject.term} " in said:
                return f"{word.term} {subject.term}"
            if re.search(_QUALIFIES.format(re.escape(subject.term), re.escape(word.term)), said):
                return f"{subject.term} and {word.term} together"
    return ""


_QUALIFIES = r" {} (?:for|of|on) (?:(?:the|a|an|our|my|any) )?(?:\w+ )?{} "
"""`penalty for late delivery`: the word, or the one after it, says which kind of the subject is meant."""


def _compound(question: Question, absent: Sequence[AbsentTerm]) -> bool:
    said = f" {' '.join(words(question.text))} "
    subjects = [k.term for k in question.keywords if k.subject]
    return any(f" {a.term} {subject} " in said for a in absent if a.concept is None for subject in subjects)


def _searched(question: Question, documents: int, scope: str) -> str:
    terms = [k.term if not k.expansions else f"{k.term} ({', '.join(k.expansions[:8])})" for k in question.keywords]
    looked = "; ".join([*question.codes, *terms]) or "the question's meaning"
    return f"{documents} document(s){f' ({scope})' if scope else ''} for {looked}"
