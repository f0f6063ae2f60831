"""Whether the evidence carries an answer at all. Evidence says no, scores do not.

The cross-encoder's best score is higher on unanswerable questions than on look-ups (AUC 0.30 to 0.44), so it is
not asked. What can prove absence: the code, the period, the document, the subject's terms, a value of the kind.
"""

from __future__ import annotations

from collections.abc import Sequence

from contracts.base import Record
from contracts.evidence import Candidate, NotFoundReason, Role
from contracts.plans import Computation
from contracts.questions import Question
from serve.keyword_detector import AbsentTerm


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
    documents: int = 0,
    missing: Sequence[str] = (),
    scope: str = "",
) -> NotFoundVerdict | None:
    """None when the evidence carries an answer.

    `documents` is the number of documents searched, `missing` what narrowing did not find (a period, a company),
    `scope` the filters in words.
    """
    searched = _searched(question, documents, scope)
    if documents == 0:
        return _verdict(NotFoundReason.NO_DOCUMENTS, "No document in scope may be searched for this.", searched)
    if missing:
        return _verdict(NotFoundReason.NO_DOCUMENTS, f"Not found: {'; '.join(missing)}.", searched)
    if computation is not None and computation.computed is not None:
        return None
    if computation is not None and computation.absent:
        return _verdict(NotFoundReason.NOT_IN_EVIDENCE, computation.text or "Not found in the table.", searched)
    if codes := [c for c in question.codes if not any(c in x.chunk.codes for x in candidates)]:
        return _verdict(NotFoundReason.NO_KEYWORD_MATCH, f"Not found: {', '.join(codes)} occurs nowhere.", searched)
    if subject := [a for a in absent if a.concept]:
        terms = "; ".join(str(a) for a in subject)
        return _verdict(NotFoundReason.NO_KEYWORD_MATCH, f"Not found: these terms occur nowhere: {terms}.", searched)
    if not any(c.role is Role.PRIMARY for c in candidates):
        return _verdict(NotFoundReason.NOT_IN_EVIDENCE, "Not found: no passage speaks of this.", searched)
    return None


def nothing_to_quote(question: Question, computation: Computation | None, documents: int) -> NotFoundVerdict:
    """The candidates are tables that no plan could read: saying so is the answer."""
    why = computation.declined if computation is not None and computation.declined else "no passage answers this"
    return _verdict(NotFoundReason.LOW_CONFIDENCE, f"Not found: {why}.", _searched(question, documents, ""))


def nothing_to_quote(question: Question, computation: Computation | None, documents: int) -> NotFoundVerdict:
    """For candidates of which none holds a sentence to quote and no table could be computed over."""
    why = computation.declined if computation is not None and computation.declined else "no passage carries an answer"
    return _verdict(NotFoundReason.NOT_IN_EVIDENCE, f"Not found: {why}.", _searched(question, documents, ""))


def _verdict(reason: NotFoundReason, text: str, searched: str) -> NotFoundVerdict:
    return NotFoundVerdict(reason=reason, text=text, searched=searched)


def _searched(question: Question, documents: int, scope: str) -> str:
    terms = [k.term if not k.expansions else f"{k.term} ({', '.join(k.expansions[:8])})" for k in question.keywords]
    looked = "; ".join([*question.codes, *terms]) or "the question's meaning"
    return f"{documents} document(s){f' ({scope})' if scope else ''} for {looked}"
