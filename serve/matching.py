"""Whether a text speaks of what a question names."""

from __future__ import annotations

from functools import lru_cache

from compression.terms import contains_phrase, stems
from contracts.questions import Keyword, Question


@lru_cache(maxsize=4096)
def phrases_of(keyword: Keyword) -> tuple[tuple[str, ...], ...]:
    """The ways to name a keyword, as stems: itself, then its expansions."""
    return tuple(p for p in dict.fromkeys(stems(t) for t in (keyword.term, *keyword.expansions)) if p)


def names_keyword(words: tuple[str, ...], keyword: Keyword) -> bool:
    """`words` are stems of a text."""
    return any(contains_phrase(words, phrase) for phrase in phrases_of(keyword))


def matched(question: Question, text: str) -> tuple[Keyword, ...]:
    """The question's keywords that the text names, by their own words or by a synonym."""
    words = stems(text)
    return tuple(k for k in question.keywords if names_keyword(words, k))
