"""How much of the question a sentence covers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from compression.terms import contains_phrase, content_stems, stems
from contracts.questions import Question

Phrase = tuple[str, ...]


def question_terms(question: Question) -> tuple[tuple[Phrase, ...], ...]:
    """For each thing the question names, the ways to name it, as stems. Codes are things of their own."""
    groups = [tuple(stems(t) for t in (k.term, *k.expansions)) for k in question.keywords]
    groups += [(stems(code),) for code in question.codes]
    if not groups:
        groups = [((s,),) for s in dict.fromkeys(content_stems(question.text))]
    return tuple(tuple(p for p in group if p) for group in groups)


def coverage(question: Question, texts: Sequence[str]) -> list[float]:
    """For each text the weighted share of the question's terms in it, in [0, 1]; 1 when nothing is asked for.

    A term weighs its IDF over the texts, `log(1 + (N - n + 0.5) / (n + 0.5))` as BM25 has it: what only one
    sentence says tells more than what all say. A term that no text has cannot tell them apart and counts
    with the highest weight, so that a pool without the subject scores low.
    """
    terms = question_terms(question)
    if not terms:
        return [1.0] * len(texts)
    stemmed = [stems(text) for text in texts]
    present = [[any(contains_phrase(s, p) for p in group) for group in terms] for s in stemmed]
    weights = [_idf(len(texts), sum(row[i] for row in present)) for i in range(len(terms))]
    total = sum(weights)
    return [sum(w for w, there in zip(weights, row, strict=True) if there) / total for row in present]


def _idf(size: int, having: int) -> float:
    return math.log(1 + (size - having + 0.5) / (having + 0.5))
