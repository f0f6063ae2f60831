"""Contexts of equal length, and what of a question's evidence they hold."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

from contracts.base import Record
from contracts.chunks import Chunk
from contracts.sentences import split_sentences
from evaluation.hotpot import Evidence


class Recall(Record):
    facts: float | None
    """Share of the supporting facts in the context; None when the question names none."""
    answer: bool | None
    """None when no string of the documents answers it (yes, no, a computed value)."""


def fill(chunks: Sequence[Chunk], budget: int, count_tokens: Callable[[Sequence[str]], list[int]]) -> str:
    """Chunks in order, up to `budget` model tokens; the last sentence is cut where the budget ends, by its characters.

    A sentence that an earlier chunk of the same document held is left out, as compression does it.
    """
    seen: set[tuple[str, str]] = set()
    kept: list[str] = []
    left = budget
    for chunk in chunks:
        sentences = [chunk.text[a:b] for a, b in split_sentences(chunk.text)]
        new = [s for s in sentences if (chunk.doc_id, s) not in seen]
        seen.update((chunk.doc_id, s) for s in new)
        for sentence, tokens in zip(new, count_tokens(new), strict=True):
            if tokens > left:
                return "\n".join([*kept, sentence[: len(sentence) * left // tokens]]).rstrip("\n")
            kept.append(sentence)
            left -= tokens
    return "\n".join(kept)


def recall(evidence: Evidence, context: str) -> Recall:
    """Strings are compared without case, accents' form and white space."""
    plain = flat(context)
    facts = [flat(fact) in plain for fact in evidence.supporting]
    answers = [flat(answer) in plain for answer in evidence.answers]
    return Recall(facts=sum(facts) / len(facts) if facts else None, answer=any(answers) if answers else None)


def flat(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
