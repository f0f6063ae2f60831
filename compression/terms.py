"""Words as sentences are matched by: folded, without grammar, with a light stem.

BM25 and codes have their tokeniser in `encode.tokens`; it keeps words as they are written. Choosing a
sentence needs "reimbursed" to meet "reimbursement" and "vacaciones" to meet "vacación", so this one
cuts the endings that English and Spanish add. It knows no dictionary: a stem is a key, not a word.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_WORD = re.compile(r"\d+(?:[.,]\d+)*|\w+", re.UNICODE)
_CONTRACTED = re.compile(r"['’`´](?:s|m|re|ve|ll|d|t)?\b")


def word_set(text: str) -> frozenset[str]:
    """The words of a list written as running text."""
    return frozenset(text.split())


STOPWORDS = word_set(
    """
    don doesn didn isn aren wasn won wouldn shouldn couldn hasn haven cant whats
    a about above after again all also am an and any are as at be been being below between both but by can
    could did do does doing done down during each else ever few for from further get gets getting give gives
    given go got had has have having he her here hers him his how i if in into is it its itself just let like
    may me might more most much must my no nor not now of off on once one only or other our ours out over own
    per please same say says shall she should show so some such tell than that the their theirs them then
    there these they this those through to too under until up upon us very was we were what when where whether
    which while who whom whose why will with within would you your yours al algo ante como con cual cuales
    cuando cuanta cuantas cuanto cuantos de del desde dice donde dos el ella ellas ellos en entre era es esa
    ese eso esta este esto estos fue ha hay la las le les lo los mas me mi mis muy nos o para pero por que
    quien quienes se segun ser si sin sobre son su sus tiene tienen tu tus un una uno unos y ya
    """
)
"""Function words of English and Spanish, folded."""


def fold(text: str) -> str:
    """Lower case without accents; `Línea` and `linea` are one word."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def words(text: str) -> list[str]:
    """Folded words and numbers in order, what an apostrophe adds dropped (`employee's` → `employee`)."""
    return _WORD.findall(_CONTRACTED.sub("", fold(text)))


IRREGULAR = {
    "later": "late", "latest": "late", "earlier": "early", "earliest": "early", "longer": "long", "higher": "high",
    "lower": "low", "larger": "large", "smaller": "small", "sooner": "soon", "paid": "pay", "sent": "send",
    "given": "give", "gave": "give", "taken": "take", "took": "take", "held": "hold", "kept": "keep", "made": "make",
    "spent": "spend", "written": "write", "bought": "buy", "sold": "sell", "begun": "begin", "began": "begin",
    "ran": "run", "chosen": "choose", "children": "child", "men": "man", "women": "woman",
}  # fmt: skip
"""Forms that no ending explains."""


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The key of a folded word: plural, -ed, -ing, -ment, -ion and a final e or y do not tell words apart."""
    word = IRREGULAR.get(word, word)
    if len(word) <= 3 or not word.isalpha():
        return word
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ment", "ing", "ed"):
        head = word.removesuffix(ending)
        if head != word and len(head) >= 3 and re.search("[aeiouy]", head) and not word.endswith("eed"):
            word = _undouble(head)
            break
    if word.endswith(("tion", "sion")) and len(word) > 5:
        word = word[:-3]
    if word.endswith("e") and len(word) > 3:
        word = word[:-1]
    return word[:-1] + "i" if word.endswith("y") and len(word) > 3 else word


def _undouble(head: str) -> str:
    """`capp` of capped → `cap`; `bill` and `pass` keep theirs."""
    return head[:-1] if len(head) > 3 and head[-1] == head[-2] and head[-1] in "bdgmnprt" else head


@lru_cache(maxsize=16_384)
def stems(text: str) -> tuple[str, ...]:
    """The stems of all words of the text, in order, function words included."""
    return tuple(stem(w) for w in words(text))


@lru_cache(maxsize=16_384)
def content_stems(text: str) -> tuple[str, ...]:
    """The stems of the words that carry meaning, in order."""
    return tuple(stem(w) for w in words(text) if w not in STOPWORDS)


def contains_phrase(haystack: tuple[str, ...], needle: tuple[str, ...]) -> bool:
    """Whether the stems of `needle` stand side by side in `haystack`."""
    if not needle:
        return False
    first, size = needle[0], len(needle)
    return any(haystack[i : i + size] == needle for i, word in enumerate(haystack) if word == first)
