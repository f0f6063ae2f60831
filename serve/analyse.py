"""What a question asks, read from its wording: deterministic, the same for the same words and documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from compression.terms import STOPWORDS, fold, words
from contracts.documents import Document
from contracts.questions import AGGREGATES, Intent, Keyword, Question
from encode.tokens import find_codes
from serve.lexicon import Lexicon, Mention
from serve.name_finder import find_names
from serve.parts import parts_of
from serve.period_finder import find_periods
from serve.wording import (
    ANSWER_TYPES,
    DURATION_COUNT,
    ENGLISH,
    INTENTS,
    LISTING,
    SCAFFOLD,
    SPANISH,
    SUMMARY,
    AnswerType,
)

_PREFERENCE = ("topic", "column", "entity", "doc_type")
"""Which concept a term means when it names several."""


def analyse(text: str, lexicon: Lexicon, documents: Sequence[Document]) -> Question:
    """The question as understood. `documents` are those that may be searched; they resolve bare months and names."""
    question = _understood(text, lexicon, documents)
    parts = parts_of(question, lambda part: _understood(part, lexicon, documents))
    return question.model_copy(update={"parts": parts})


def _understood(text: str, lexicon: Lexicon, documents: Sequence[Document]) -> Question:
    mentions = _one_per_place(lexicon.mentions(text))
    codes = find_codes(text)
    names = find_names(text, lexicon, documents, codes)
    intent = _intent(text, mentions, codes, names)
    keywords = _keywords(text, lexicon, mentions, codes, documents)
    answer_type = _answer_type(text, mentions, intent)
    return Question(
        text=text,
        language=_language(text),
        intent=intent,
        keywords=keywords,
        codes=codes,
        answer_shape=_shape(text, intent),
        answer_type=answer_type,
        answer_context=_context(text, intent, answer_type),
        doc_types=_doc_types(mentions, lexicon, documents),
        periods=find_periods(_without(text, codes), documents),
        names=names,
        diverges=not keywords and not codes and intent is not Intent.SUMMARIZATION,
    )


_CODE_ASKED = next(pattern for answer_type, pattern in ANSWER_TYPES if answer_type == "code")


def _one_per_place(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    best: dict[int, Mention] = {}
    for mention in mentions:
        old = best.get(mention.start)
        if old is None or _PREFERENCE.index(mention.concept.kind) < _PREFERENCE.index(old.concept.kind):
            best[mention.start] = mention
    return tuple(best[start] for start in sorted(best))


def _without(text: str, codes: Sequence[str]) -> str:
    """The text with its codes blanked: `STL/2025-26/003` names no period."""
    upper = text.upper()
    for code in codes:
        at = upper.find(code)
        if at >= 0 and len(upper) == len(text):
            text = text[:at] + " " * len(code) + text[at + len(code) :]
            upper = text.upper()
    return text


def _language(text: str) -> str:
    """Spanish by its marks or by more of its function words; else English."""
    if "¿" in text or "¡" in text:
        return "es"
    found = words(text)
    return "es" if sum(w in SPANISH for w in found) > sum(w in ENGLISH for w in found) else "en"


def _intent(text: str, mentions: Sequence[Mention], codes: Sequence[str], names: Sequence[str]) -> Intent:
    folded = fold(text)
    if SUMMARY.search(folded):
        return Intent.SUMMARIZATION
    kinds = {m.concept.kind for m in mentions}
    subject = bool(codes or names)
    if DURATION_COUNT.search(folded):
        return Intent.LOOKUP if codes and "column" in kinds else Intent.QA
    for intent, pattern in INTENTS:
        if pattern.search(folded):
            return _about_rows(intent, mentions, codes)
    if subject and "topic" not in kinds and ("column" in kinds or _CODE_ASKED.search(folded)):
        return Intent.LOOKUP
    return Intent.LOOKUP if codes else Intent.QA


def _about_rows(intent: Intent, mentions: Sequence[Mention], codes: Sequence[str]) -> Intent:
    """A question about clauses uses the same words (`total liability`, `maximum notice`): those stay questions."""
    kinds = {m.concept.kind for m in mentions}
    if intent in (Intent.COUNT, Intent.FOOTING):
        return intent
    if intent is Intent.SUM and codes and any(m.concept.name == "invoice_total" for m in mentions):
        return Intent.LOOKUP
    if "topic" in kinds or not kinds & {"column", "entity", "doc_type"}:
        return Intent.LOOKUP if codes else Intent.QA
    return intent


def _keywords(
    text: str, lexicon: Lexicon, mentions: Sequence[Mention], codes: Sequence[str], documents: Sequence[Document]
) -> tuple[Keyword, ...]:
    """Domain terms with their synonyms, then every other word that names something, in order of place."""
    found = words(text)
    covered = {i: m for m in mentions for i in range(m.start, m.end)}
    coded = {w for code in codes for w in words(code)}
    keywords: dict[str, Keyword] = {}
    for place, word in enumerate(found):
        mention = covered.get(place)
        if mention is not None:
            if place == mention.start:
                term = " ".join(found[mention.start : mention.end])
                keywords.setdefault(term, lexicon.keyword(term, mention.concept))
        elif _names_something(word) and word not in coded and not find_periods(f"in {word}", documents):
            keywords.setdefault(word, Keyword(term=word))
    return tuple(keywords.values())


def _names_something(word: str) -> bool:
    asks = word in STOPWORDS or word in SCAFFOLD
    return not asks and not word.replace(",", "").replace(".", "").isdigit() and len(word) > 1


def _answer_type(text: str, mentions: Sequence[Mention], intent: Intent) -> AnswerType:
    """The wording decides; where it leaves open (`What is the notice period?`), the concept asked about does."""
    folded = fold(text)
    if intent is Intent.SUMMARIZATION:
        return "text"
    if intent is Intent.COUNT:
        return "number"
    by_wording = next((t for t, pattern in ANSWER_TYPES if pattern.search(folded)), None)
    about = [m.concept.answer_type for m in mentions if m.concept.answer_type and m.concept.kind in ("topic", "column")]
    if by_wording in ("duration", "date", "person", "code"):
        return by_wording
    if LISTING.search(folded):
        return by_wording or "text"
    if _asks_for_thing(folded) and about:
        return about[0]
    return by_wording or "text"


def _asks_for_thing(folded: str) -> bool:
    return any(
        f" {w} " in f" {folded} "
        for w in ("what is", "what's", "cual es", "which is", "whats", "what was", "how much", "cuanto")
    )


def _shape(text: str, intent: Intent) -> Literal["single", "listing", "count", "aggregate"]:
    if intent is Intent.COUNT:
        return "count"
    if intent is Intent.LIST or (intent not in AGGREGATES and LISTING.search(fold(text))):
        return "listing"
    return "aggregate" if intent in AGGREGATES - {Intent.LOOKUP} else "single"


def _context(text: str, intent: Intent, answer_type: str) -> Literal["line", "paragraph", "section", "table"]:
    if intent in AGGREGATES:
        return "table"
    if intent is Intent.SUMMARIZATION or LISTING.search(fold(text)):
        return "section"
    return "paragraph" if answer_type == "text" else "line"


def _doc_types(mentions: Sequence[Mention], lexicon: Lexicon, documents: Sequence[Document]) -> tuple[str, ...]:
    """Types that documents really have and that the wording names by one of their words."""
    named = {m.concept.name for m in mentions if m.concept.kind == "doc_type"}
    types = sorted({d.doc_type for d in documents})
    return tuple(t for t in types if any(c.name in named for c in lexicon.lookup(t.replace("_", " "), "doc_type")))
