"""Sections whose titles say what the question asks for: by their words, else by meaning."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from compression.terms import STOPWORDS, content_stems
from contracts.base import Record
from contracts.documents import Document, Section
from contracts.protocols import DenseEncoder
from contracts.questions import Question
from serve.matching import matched, phrases_of

MIN_COVERED = 0.5
"""Share of a title's words that must be the question's, for a hit that is not exact."""
MIN_COSINE = 0.5
"""Between the question and a title, MiniLM; below it titles are no better than chance."""
_NUMBERING = re.compile(
    r"^\s*(?:(?:section|article|clause|chapter|part|annex|cláusula|artículo)\s+)?[\dIVX.()]+[.)\s:–-]+", re.IGNORECASE
)


class SectionHit(Record):
    document: Document
    section: Section
    score: float
    """In [0, 1]: 1 for an exact title, else the share of covered words, or the cosine."""
    exact: bool
    """The title's words are one of the names of a keyword, or all are in the question."""
    matched_keywords: tuple[str, ...] = ()


def find_sections(
    question: Question, sections: Sequence[tuple[Document, Section]], dense: DenseEncoder | None = None
) -> list[SectionHit]:
    """Hits, best first. Titles are compared by meaning only when no title shares words with the question."""
    hits = [hit for document, section in sections if (hit := _by_words(question, document, section))]
    if not hits and dense is not None and sections:
        hits = _by_meaning(question, sections, dense)
    return sorted(hits, key=lambda h: (-h.score, h.document.name, h.section.page, h.section.line))


def plain_title(title: str) -> str:
    """Without its number: `4.2 Annual leave` → `Annual leave`."""
    return _NUMBERING.sub("", title)


def _by_words(question: Question, document: Document, section: Section) -> SectionHit | None:
    title = content_stems(plain_title(section.title))
    if not title:
        return None
    keywords = matched(question, section.title)
    asked = {s for k in keywords for p in phrases_of(k) for s in p} | set(content_stems(question.text))
    covered = sum(s in asked for s in title) / len(title)
    exact = any(title == tuple(s for s in p if s not in STOPWORDS) for k in keywords for p in phrases_of(k))
    exact = exact or (covered == 1.0 and bool(keywords))
    if not keywords or (not exact and covered < MIN_COVERED):
        return None
    return SectionHit(
        document=document,
        section=section,
        score=1.0 if exact else round(covered * 0.9, 4),
        exact=exact,
        matched_keywords=tuple(k.term for k in keywords),
    )


def _by_meaning(
    question: Question, sections: Sequence[tuple[Document, Section]], dense: DenseEncoder
) -> list[SectionHit]:
    titles = [plain_title(section.title) for _, section in sections]
    vectors = dense.encode(titles)[0]
    asked = dense.encode([question.text])[0][0]
    cosines = vectors @ np.asarray(asked)
    return [
        SectionHit(document=document, section=section, score=round(float(cosine), 4), exact=False)
        for (document, section), cosine in zip(sections, cosines, strict=True)
        if cosine >= MIN_COSINE
    ]
