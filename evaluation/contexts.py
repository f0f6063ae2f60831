"""Contexts of equal length, and what of a question's evidence they hold."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

from contracts.base import Record
from evaluation.hotpot import Evidence


class Recall(Record):
    facts: float | None
    """Share of the supporting facts in the context; None when the question names none."""
    answer: bool | None
    """None when no string of the documents answers it (yes, no, a computed value)."""


def fill(texts: Sequence[str], budget: int, count_tokens: Callable[[Sequence[str]], list[int]]) -> str:
    """Texts in order, up to `budget` model tokens; the last one is cut where the budget ends, by its characters."""
    kept: list[str] = []
    left = budget
    for text in texts:
        tokens = count_tokens([text])[0]
        if tokens > left:
            kept.append(text[: len(text) * left // tokens])
            break
        kept.append(text)
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
