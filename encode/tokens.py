"""Words as BM25 and keyword matching see them; both sides of every match go through `tokenise`.

One token for one meaning: case, accents, plural and the way a number is written are folded away. Identifiers are
tokens of their own, whole and in parts, and nothing about them is folded but case. Function words of English and
Spanish are removed: on a corpus of two documents their IDF is not small enough to silence them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from encode.codes import find_codes

__all__ = ["STOP_WORDS", "find_codes", "fold_word", "tokenise"]

_FUNCTION_WORDS = (
    # English; `may` (the month), `no` and `not` stay
    "a about all also am an and any are as at be been being but by can could did do does for from had has have he her "
    "his how i if in into is it its many me much my of on or our she should so such than that the their them then "
    "there these they this those to was we were what when where which who whom whose why will with would you your "
    # Spanish; `son` and `era` stay, they are English nouns
    "al como con cual cuales cuando cuanta cuantas cuanto cuantos de del desde donde e el ella ellas ellos en entre "
    "es esa esas ese eso esos esta estan estas este esto estos fue ha han hasta hay la las le les lo los mas muy o "
    "para pero por que quien quienes se ser si sin sobre su sus tambien un una unas uno unos y ya"
)
_MARKS = "\u0300-\u036f\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0980-\u0983\u09bc-\u09cd\u0a00-\u0dff"
"""Combining marks that `\\w` leaves out although they are parts of words (Latin, Indic scripts)."""

_CHAR = rf"[^\W_{_MARKS}][{_MARKS}]*"
_RUN = rf"(?:{_CHAR})+"
_TOKEN = re.compile(
    rf"(?P<acronym>\b(?:[^\W\d_]\.){{2,}}(?!\w)|\b(?:[^\W\d_]\.)+[^\W\d_]\b(?!\.?\w))"
    rf"|(?P<compound>{_RUN}(?:[-/_#:]{_RUN})+)"
    r"|(?P<number>\d+(?:[.,'’]\d+)*(?!\w))"
    rf"|(?P<word>{_RUN}(?:['’]{_RUN})*)"
)
_ACCENTS = re.compile("[\u0300-\u036f]")
_LEVELS = (re.compile("/"), re.compile(r"[-/_#:]"))


def tokenise(text: str) -> list[str]:
    """Tokens of `text` in order, function words left out.

    * `Policies`, `policy's` and `POLICY` give `policy`; `número` gives `numero`.
    * `45,000.00`, `45000` and `₹45,000` give `45000`; `1.234,56` gives `1234.56`; the sign is not kept.
    * `STL/2025-26/003` gives itself, `stl`, `2025-26`, `2025`, `26` and `003`; `ST-001` also gives `st001`.
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    return [token for found in _TOKEN.finditer(plain) for token in _tokens_of(found)]


def _tokens_of(found: re.Match[str]) -> Iterator[str]:
    text = found[0]
    if found.lastgroup == "acronym":
        yield _without_accents(text.replace(".", ""))
    elif found.lastgroup == "compound":
        yield from _compound(text)
    elif found.lastgroup == "number":
        yield from _number(text)
    else:
        word = fold_word(text)
        if word not in STOP_WORDS:
            yield word


def _compound(text: str) -> Iterator[str]:
    """A compound with a digit whole and in parts; hyphenated words in parts only."""
    text = _without_accents(text)
    parts = [p for p in _LEVELS[1].split(text) if p]
    if not any(c.isdigit() for c in text):
        yield from (word for word in map(fold_word, parts) if word not in STOP_WORDS)
        return
    yield text
    if len(parts) == 2 and parts[0].isalpha() != parts[1].isalpha():
        yield "".join(parts)  # ST-001 is ST001 in the next document
    groups = [p for p in _LEVELS[0].split(text) if p]
    yield from (group for group in groups if len(groups) > 1 and group not in parts)
    yield from (fold_word(part) for part in parts)


def _number(text: str) -> Iterator[str]:
    """A number without grouping; `1.234` may be either, so both readings are tokens."""
    digits = re.split(r"[.,'’]", text)
    marks = [c for c in text if not c.isdigit()]
    if not marks:
        yield text
        return
    decimal = _decimal_places(digits, marks)
    if decimal is None:  # a date or a section number
        yield text
        yield from digits
        return
    whole, fraction = ("".join(digits[:-1]), digits[-1]) if decimal else ("".join(digits), "")
    yield _canonical(whole, fraction)
    if marks == ["."] and len(digits[1]) == 3 and 0 < len(digits[0]) <= 3 and digits[0] != "0":
        yield _canonical("".join(digits), "")


def _decimal_places(digits: list[str], marks: list[str]) -> int | None:
    """Digits after the decimal mark, 0 when there is none, None when the text is no number."""
    grouping, last = marks[:-1], marks[-1]
    inner = digits[1:-1]
    if len(set(grouping)) > 1 or any(len(group) not in (2, 3) for group in inner):
        return None
    if not grouping:
        return 0 if last != "." and len(digits[-1]) == 3 and digits[0] != "0" else len(digits[-1])
    if last in grouping:
        return 0 if len(digits[-1]) == 3 else None
    return len(digits[-1])


def _canonical(whole: str, fraction: str) -> str:
    fraction = fraction.rstrip("0")
    return f"{whole}.{fraction}" if fraction else whole


def _without_accents(text: str) -> str:
    return text if text.isascii() else _ACCENTS.sub("", unicodedata.normalize("NFD", text))


_LONGEST_WORD = 40
"""Letters; anything longer is not a word, and must not be allowed to cost time."""

_SUFFIXES = tuple(
    (re.compile(pattern), keep)
    for pattern, keep in (
        (r"(.{2,})ies", r"\1y"),  # salaries
        (r"(.+(?:x|ch|sh|ss|zz|[^aeo\W]us))es", r"\1"),  # taxes, batches, bonuses
        (r"(.+(?:ion|dad|dor|tud))es", r"\1"),  # pensiones, cantidades, proveedores
        (r"(.*(?:[iunr]|tot)al)es", r"\1"),  # mensuales, totales; not `sales`
        (r"(.{2,}[^sui\W])s", r"\1"),  # invoices, facturas; not `gross`, `bonus`, `basis`
    )
)


@lru_cache(maxsize=65_536)
def fold_word(word: str) -> str:
    """Lower-case `word` without accents, possessive and plural; one with a digit keeps its letters."""
    word = re.sub(r"['’]s$", "", _without_accents(word.casefold())).replace("'", "").replace("’", "")
    if not 4 <= len(word) <= _LONGEST_WORD or not word.isalpha():
        return word
    for suffix, keep in _SUFFIXES:
        if found := suffix.fullmatch(word):
            return found.expand(keep)
    return word


STOP_WORDS = frozenset(form for word in _FUNCTION_WORDS.split() for form in (word, fold_word(word)))
"""In lower case and without accents, as written and as folded (`does`, `doe`)."""
