"""What a model wrote, held against the evidence: numbers, codes and names must stand there.

Numbers are compared by value (`18,000.00` is `18000`), names and codes by their words. A sentence with
anything unsupported is removed; when none is left the whole answer is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from contracts.base import Record
from contracts.numbers import number_tokens, parse_number
from contracts.sentences import split_sentences
from encode.tokens import find_codes

_NAME = re.compile(r"[^\W\d_][\w'’-]*")
_SENTENCE_END = re.compile(r"[.!?:]\s*$")


class Verified(Record):
    """`text` is what may be shown, "" when nothing may."""

    text: str
    removed: tuple[str, ...] = ()
    """Sentences taken out."""
    unsupported: tuple[str, ...] = ()
    """What in them stands nowhere in the evidence."""


def verify(answer: str, evidence: str, question: str, language: str = "en") -> Verified:
    """The sentences of `answer` whose every number, code and name stands in `evidence`, or, names only, in `question`.

    A number of the question is no support: a model that repeats the asker's wrong number would pass.
    """
    numbers, tokens = _values(evidence), set(number_tokens(evidence))
    words = _words(f"{evidence} {question}")
    codes = set(find_codes(evidence))
    kept, removed, unsupported = [], [], []
    for start, end in split_sentences(answer, language):
        sentence = answer[start:end]
        wrong = [*_wrong_numbers(sentence, numbers, tokens), *(c for c in find_codes(sentence) if c not in codes)]
        wrong += _wrong_names(sentence, words)
        if wrong:
            removed.append(sentence)
            unsupported.extend(wrong)
        else:
            kept.append(sentence)
    text = " ".join(kept)
    return Verified(text=text, removed=tuple(removed), unsupported=tuple(dict.fromkeys(unsupported)))


def _values(text: str) -> set[Decimal]:
    """Every number of the text, in each reading that its marks allow."""
    return {abs(v) for token in number_tokens(text) for v in _readings(token)}


def _readings(token: str) -> Iterable[Decimal]:
    value = parse_number(token)
    if value is not None:
        yield value
    digits = re.sub(r"\D", "", token)
    if digits:
        yield Decimal(digits)


def _wrong_numbers(sentence: str, numbers: set[Decimal], tokens: set[str]) -> list[str]:
    """A token that is no number in any style must stand in the evidence letter for letter."""
    wrong = []
    for token in number_tokens(sentence):
        value = parse_number(token)
        supported = token in tokens if value is None else abs(value) in numbers
        if not supported:
            wrong.append(token)
    return wrong


def _words(text: str) -> set[str]:
    return {m.group().casefold() for m in _NAME.finditer(text)}


def _wrong_names(sentence: str, words: set[str]) -> list[str]:
    """Capitalised words inside the sentence that neither evidence nor question has."""
    wrong = []
    for match in _NAME.finditer(sentence):
        word = match.group()
        first = not sentence[: match.start()].strip() or _SENTENCE_END.search(sentence[: match.start()])
        if word[0].isupper() and not first and word.casefold() not in words:
            wrong.append(word)
    return wrong
