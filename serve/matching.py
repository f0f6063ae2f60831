"""Whether a text speaks of what a question names."""

from __future__ import annotations

from functools import lru_cache

from compression.terms import contains_phrase, fold, stems
from contracts.chunks import SECTION_PATH, Chunk
from contracts.questions import Keyword, Question


@lru_cache(maxsize=4096)
def phrases_of(keyword: Keyword) -> tuple[tuple[str, ...], ...]:
    """The ways to name a keyword, as stems: itself, then its expansions."""
    return tuple(p for p in dict.fromkeys(stems(t) for t in (keyword.term, *keyword.expansions)) if p)


def names_keyword(words: tuple[str, ...], keyword: Keyword) -> bool:
    """`words` are stems of a text. `liability insurance` does not name `liability`."""
    for rival in keyword.rivals:
        words = _without(words, stems(rival))
    return any(contains_phrase(words, phrase) for phrase in phrases_of(keyword))


def _without(words: tuple[str, ...], phrase: tuple[str, ...]) -> tuple[str, ...]:
    if not contains_phrase(words, phrase):
        return words
    size = len(phrase)
    at = next(i for i in range(len(words)) if words[i : i + size] == phrase)
    return (*words[:at], "", *_without(words[at + size :], phrase))


def matched(question: Question, text: str) -> tuple[Keyword, ...]:
    """The question's keywords that the text names, by their own words or by a synonym."""
    words = stems(text)
    return tuple(k for k in question.keywords if names_keyword(words, k))


def own_titles(chunk: Chunk) -> str:
    """The titles above a chunk without the document's own: every section of a travel policy stands under `travel`."""
    whole_document = fold(chunk.prefix.split(" · ", 1)[0])
    titles = [t for t in chunk.section_title.split(SECTION_PATH) if t and fold(t) != whole_document]
    return SECTION_PATH.join(titles)


_OTHER_KINDS = (("column",), ("entity", "doc_type"))


def focus_of(question: Question) -> tuple[Keyword, ...]:
    """What the question is about: its subjects, else the rows' concepts, else all its keywords.

    The names of documents (`contract`) and of the change itself (`amendment`) say where to look, not for what.
    """
    named = [k for k in question.keywords if k.concept != "amendment_of_terms"]
    groups = ([k for k in named if k.subject], *([k for k in named if k.kind in kinds] for kinds in _OTHER_KINDS))
    for found in map(tuple, groups):
        if found:
            return found
    return question.keywords
