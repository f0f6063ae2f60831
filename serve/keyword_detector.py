"""Keywords that stand together, and proof that a term stands nowhere.

BM25 is exact about words: a term that no chunk in scope holds returns no hit. That is what "not found" rests on.
"""

from __future__ import annotations

from collections.abc import Sequence

from compression.terms import IRREGULAR, STOPWORDS, contains_phrase, stem, stems, words
from contracts.base import Record
from contracts.chunks import Chunk
from contracts.filters import Match, Scope
from contracts.protocols import Hit, Index, SparseEncoder, VectorQuery
from contracts.questions import Keyword, Question
from serve.matching import focus_of, names_keyword

POOL = 40
"""Chunks with any of the words that are looked through for several of them together."""
PHRASE_HITS = 16
"""Best chunks for a phrase's words in which the phrase itself is looked for."""
MOSTLY = 0.5
_ENDINGS = ("", "s", "e", "es", "ed", "d", "ing", "ment", "al", "ion", "or", "er", "a", "o", "as", "os", "y", "ies")


class KeywordHit(Record):
    hit: Hit
    matched_keywords: tuple[str, ...]
    """Terms of the question, as asked."""
    score: float
    """Share of the question's keywords that the chunk names, each weighed by its rarity in the pool."""

    @property
    def chunk(self) -> Chunk:
        return self.hit.chunk


class AbsentTerm(Record):
    """A keyword that occurs nowhere in the scope searched, by none of its names."""

    term: str
    concept: str | None
    subject: bool
    """See `Keyword.subject`."""
    tried: tuple[str, ...]

    def __str__(self) -> str:
        others = ", ".join(self.tried[1:])
        return f"{self.term} ({others})" if others else self.term


def find_cooccurrence(
    question: Question, index: Index, scope: Scope, limit: int, *, sparse: SparseEncoder
) -> list[KeywordHit]:
    """Chunks in scope that name two keywords or more, or all that the question is about; best first."""
    if not question.keywords:
        return []
    text = " ".join(t for k in question.keywords for t in (k.term, *k.expansions))
    chunks_only = scope.and_(Match(field="granularity", any_of=(0,)))
    hits = index.search([VectorQuery(sparse=sparse.encode_query(text), scope=chunks_only, limit=POOL)])[0]
    named = [_named(question, hit) for hit in hits]
    rarity = {k.term: 1.0 / (1 + sum(k in found for found in named)) for k in question.keywords}
    total = sum(rarity.values())
    found = [
        KeywordHit(
            hit=hit,
            matched_keywords=tuple(k.term for k in keywords),
            score=round(sum(rarity[k.term] for k in keywords) / total, 4),
        )
        for hit, keywords in zip(hits, named, strict=True)
        if _together(question, keywords)
    ]
    return sorted(found, key=lambda h: (-h.score, h.chunk.chunk_id))[:limit]


def _together(question: Question, named: Sequence[Keyword]) -> bool:
    return len(named) >= 2 or (bool(named) and set(focus_of(question)) <= set(named))


def _named(question: Question, hit: Hit) -> tuple[Keyword, ...]:
    found = stems(f"{hit.chunk.section_title}\n{hit.chunk.text}")
    return tuple(k for k in question.keywords if names_keyword(found, k))


def absent_terms(
    question: Question, index: Index, scope: Scope, sparse: SparseEncoder, found: Sequence[Chunk] = ()
) -> tuple[AbsentTerm, ...]:
    """The keywords that occur nowhere in scope, with every name that was looked for.

    `found` are chunks in scope that are known already; what they name is not searched. The rest is one batch.
    """
    texts = [stems(f"{c.section_title}\n{c.text}") for c in found]
    unseen = [k for k in question.keywords if not any(names_keyword(text, k) for text in texts)]
    asked = [(k, name, text) for k in unseen for name, text in _queries(k)]
    queries = [
        VectorQuery(sparse=sparse.encode_query(text), scope=scope, limit=PHRASE_HITS if " " in name else 1)
        for _, name, text in asked
    ]
    present: set[str] = set()
    for (keyword, name, _), hits in zip(asked, index.search(queries) if queries else [], strict=True):
        if hits and (" " not in name or _holds(hits, name)):
            present.add(keyword.term)
    return tuple(
        AbsentTerm(term=k.term, concept=k.concept, subject=k.subject, tried=(k.term, *k.expansions))
        for k in unseen
        if k.term not in present
    )


def diverges(question: Question, absent: Sequence[AbsentTerm]) -> bool:
    """Whether most of the question's words are not the documents' words; codes are matched exactly anyway."""
    return not question.codes and len(absent) > MOSTLY * len(question.keywords)


def _queries(keyword: Keyword) -> list[tuple[str, str]]:
    """(term, text to search): the words of one name each, a single word in all its usual endings."""
    names = [" ".join(words(t)) for t in (keyword.term, *keyword.expansions)]
    return [(name, name if " " in name else " ".join(inflections(name))) for name in dict.fromkeys(names) if name]


def inflections(word: str) -> tuple[str, ...]:
    """Forms that share the word's stem: BM25 folds plurals only, so each other form is a term of its own."""
    base = stem(word)
    bases = (base, base[:-1] + "y") if base.endswith("i") else (base,)
    irregular = [form for form in IRREGULAR if stem(form) == base]
    forms = dict.fromkeys([word, *(b + ending for b in bases for ending in _ENDINGS), *irregular])
    return tuple(form for form in forms if form == word or stem(form) == base)


def _holds(hits: Sequence[Hit], term: str) -> bool:
    """Whether a chunk holds the words of the term side by side, function words aside."""
    phrase = tuple(s for s in stems(term) if s not in STOPWORDS) or stems(term)
    return any(
        contains_phrase(tuple(s for s in stems(h.chunk.text) if s not in STOPWORDS) or stems(h.chunk.text), phrase)
        for h in hits
    )
