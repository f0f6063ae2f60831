"""A text as words with their places, folded the same way in questions, headers and cells."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from compression.terms import fold, stem

_WORD = re.compile(
    r"\d+(?:st|nd|rd|th)\b"
    r"|\d+(?:[.,]\d+)*"
    # An accent may be a character of its own behind its letter: files from a Mac spell names so.
    r"|[^\W\d_](?:[^\W_]|[\u0300-\u036f])*(?:['’`´](?:[^\W_]|[\u0300-\u036f])+)*",
    re.IGNORECASE,
)
_APOSTROPHES = str.maketrans("", "", "'’`´")


def word_set(text: str) -> frozenset[str]:
    """The words of a list written as prose."""
    return frozenset(text.split())


ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
ORDINAL: dict[str, int] = {w: n for n, w in enumerate(ORDINALS.split(), start=1)} | {
    "primer": 1, "primero": 1, "primera": 1, "segundo": 2, "segunda": 2, "tercer": 3, "tercero": 3, "tercera": 3
}  # fmt: skip
NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve"
CARDINAL: dict[str, int] = {w: n for n, w in enumerate(NUMBER_WORDS.split())} | {
    "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9, "diez": 10
}  # fmt: skip


@dataclass(frozen=True)
class Word:
    """`norm` is folded, without apostrophes; `stem` is its key. `start` and `end` are characters of the text."""

    norm: str
    stem: str
    start: int
    end: int


def words_of(text: str) -> tuple[Word, ...]:
    return tuple(Word(n, stem(n), m.start(), m.end()) for m in _WORD.finditer(text) for n in (_norm(m[0]),))


def _norm(raw: str) -> str:
    folded = re.sub(r"['’]s$", "", fold(raw))
    return folded.translate(_APOSTROPHES)


@lru_cache(maxsize=65_536)
def norms(text: str) -> tuple[str, ...]:
    """The folded words of a text, in order."""
    return tuple(_norm(m[0]) for m in _WORD.finditer(text))


def word_stems(text: str) -> tuple[str, ...]:
    return tuple(stem(n) for n in norms(text))


def ordinal(norm: str) -> int | None:
    """3 for `third` and `3rd`."""
    if found := re.fullmatch(r"(\d+)(?:st|nd|rd|th)", norm):
        return int(found[1])
    return ORDINAL.get(norm)
