"""Company, period and number narrow the scope before scores do.

Look-alike documents (the same register of another month, the same invoice form of another buyer) score
alike; only what the question names tells them apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from contracts.base import Record
from contracts.documents import Document
from contracts.filters import Match, Scope
from contracts.periods import covers
from contracts.protocols import Index, SparseEncoder, VectorQuery
from contracts.questions import Question

PHRASE_HITS = 200
"""Chunks looked through for a name; more mention it only in a corpus where it tells nothing apart."""

UNKNOWN = "unknown"
"""`Document.doc_type` when neither a manifest, an upload nor a folder says it."""


class Narrowed(Record):
    """The scope to search, why it is what it is, and what was named but is not there."""

    scope: Scope
    documents: tuple[Document, ...]
    reasons: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    """What the question names and no document in scope has: a period, a company."""
    relaxed: bool = False
    """What was named contradicts itself; the whole permitted scope is searched instead."""
    inner: tuple[str, ...] = ()
    """As `Question.inner`."""


def narrow(
    question: Question, documents: Sequence[Document], scope: Scope, index: Index, sparse: SparseEncoder
) -> Narrowed:
    """Keeps the documents that agree with the period, the codes and the names of the question."""
    kept, reasons = tuple(documents), []
    named, inner = _by_names(question, documents, scope, index, sparse)
    missing = _missing_periods(question, documents, named)
    for what, allowed in (
        ("period", _by_period(question, documents)),
        ("code", _by_codes(question, documents, scope, index)),
        ("name", named),
    ):
        if allowed is not None and len(allowed) < len(documents):
            kept = tuple(d for d in kept if d.doc_id in allowed)
            reasons.append(f"{what}: {len(allowed)} of {len(documents)} documents")
    if len(kept) == len(documents):
        return Narrowed(scope=scope, documents=tuple(documents), missing=missing, inner=inner)
    if not kept:
        return Narrowed(
            scope=scope,
            documents=tuple(documents),
            reasons=tuple(reasons),
            missing=missing,
            relaxed=not missing,
            inner=inner,
        )
    ids = Match(field="doc_id", any_of=tuple(d.doc_id for d in kept))
    return Narrowed(scope=scope.and_(ids), documents=kept, reasons=tuple(reasons), missing=missing, inner=inner)


def _by_period(question: Question, documents: Sequence[Document]) -> set[str] | None:
    """Documents of the periods named, and those without a period (a policy holds for every month)."""
    if not question.periods:
        return None
    return {d.doc_id for d in documents if d.period is None or _in_periods(d, question.periods)}


def _in_periods(document: Document, periods: Iterable[str]) -> bool:
    return document.period is not None and any(
        covers(p, document.period) or covers(document.period, p) for p in periods
    )


def _missing_periods(question: Question, documents: Sequence[Document], named: Set[str] | None) -> tuple[str, ...]:
    """Periods of a kind of document, or of a company's documents, that exist for other periods only.

    Documents without a period may speak of any month, so they leave the question open; so does a document of
    that month whose kind nobody stated, such as an upload without a type.
    """
    kind, asked = "", [d for d in documents if d.doc_type in question.doc_types and d.period is not None]
    if asked:
        kind = f"{'/'.join(question.doc_types)}"
    if named is not None:
        asked = [d for d in asked or documents if d.doc_id in named]
        kind = f"{kind or 'document'} of {', '.join(question.names)}"
    if not asked or not kind or any(d.period is None for d in asked):
        return ()
    there = ", ".join(sorted({d.period or "" for d in asked}))
    possible = [*asked, *(d for d in documents if named is None and d.doc_type == UNKNOWN)]
    return tuple(
        f"no {kind} for {p}; there are: {there}"
        for p in question.periods
        if not any(_in_periods(d, (p,)) for d in possible)
    )


def _by_codes(question: Question, documents: Sequence[Document], scope: Scope, index: Index) -> set[str] | None:
    """Documents that hold any of the codes, in their text or their name. None when none does."""
    found: set[str] = set()
    for code in question.codes:
        found.update(c.doc_id for c in index.chunks(scope.and_(Match(field="codes", any_of=(code,)))))
        found.update(d.doc_id for d in documents if code.casefold() in d.name.casefold())
    return found or None


def _by_names(
    question: Question, documents: Sequence[Document], scope: Scope, index: Index, sparse: SparseEncoder
) -> tuple[Set[str] | None, tuple[str, ...]]:
    """Documents that hold every name word for word, or, when none holds all (two companies compared), any of them;
    and the names that stand inside documents only.

    None when no document holds any. A name that is nowhere is left to the judge.
    """
    if not question.names:
        return None, ()
    queries = [VectorQuery(sparse=sparse.encode_query(n), scope=scope, limit=PHRASE_HITS) for n in question.names]
    holders, inner = [], []
    for name, hits in zip(question.names, index.search(queries), strict=True):
        inside = [h.chunk for h in hits if _folded(name) in _folded(h.chunk.text)]
        titled = {d.doc_id for d in documents if _folded(name) in _folded(f"{d.title} {d.name}")}
        found = titled | {c.doc_id for c in inside}
        if found:
            holders.append(found)
        if inside and not titled and all(c.page_start > 1 for c in inside):
            inner.append(name)
    if not holders:
        return None, ()
    return set.intersection(*holders) or set.union(*holders), tuple(inner)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
