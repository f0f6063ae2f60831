"""Where sentences begin and end, in English and Spanish business text.

Shared by the sentence windows of `ingest` and the compression of prose, so that both mean the same thing by
"sentence". Rules, not a model: they run on every chunk, must be explainable and must never lose a character.
A full stop ends a sentence unless something says otherwise (an abbreviation, a list number, a lower-case
continuation); a line break ends one only when the layout shows that it is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

Span = tuple[int, int]
"""Half-open character range of the text."""

_TITLES = {
    "en": "mr mrs ms dr prof hon messrs rs re inr m/s capt lt st mt e.g i.e viz cf vs incl excl approx est attn ref dept govt",
    "es": "sr sra sres srta dr dra prof profa lic ing arq d dña excmo ilmo p.ej ej aprox vs cf av avda c/ incl excl dpto admón rs",
}
"""Always followed by more of the same sentence."""

_NUMBERED = {
    "en": "no nos art arts sec secs sect cl para paras ch fig figs vol max min p pp pg ex sch app annex ann item inv a/c "
    "jan feb mar apr jun jul aug sep sept oct nov dec",
    "es": "núm num nº n.º no nos art arts sec secc cl párr parr cap caps fig figs vol máx mín p pp pág pag págs ap anex fra ref "
    "inc ord ene feb mar abr may jun jul ago sep sept set oct nov dic",
}
"""Abbreviations only in front of a number, a numeral or a code: "No. 3" goes on, "Is it? No. Ask first." does not."""

_EITHER = {
    "en": "etc inc ltd co corp pvt plc llp llc jr sr bros ph.d a.m p.m u.s u.k u.s.a n.a",
    "es": "etc cía cia ltda s.a s.l s.r.l s.a.u ee uu ee.uu ud uds vd vds a.m p.m n.a",
}
"""May end a sentence: only a word that usually opens one decides."""

_OPENERS = {
    "en": "a all an and any as at before both but by each every for from he however if in it its no not of on once "
    "only our she since some such that the their there these they this those to under unless until we when where "
    "which while who with within you your",
    "es": "a al ante antes aunque cada como con cuando de del desde después el ella ellas ellos en entre es esta estas "
    "este estos está hasta la las lo los mientras no nuestra nuestro para pero por que se según si sin sobre son su "
    "sus toda todas todo todos tras un una y",
}

_TERMINATOR = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s|$)")
_WORD_BEFORE = re.compile(r"[^\s(\[\"“«¿¡]*$")
_NEXT = re.compile(r"\s*([\"'“‘«(\[¿¡]*)(\S*)")
_LIST_ITEM = re.compile(r"(?:[-–—•·▪◦*|]|\(?(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-z]|[ivxlIVXL]{1,5})[.)])(?=\s|$)|\|")
_NUMERAL = re.compile(r"[IVXLCDM]+\b|[A-Z]\b|.*\d|[#°º]")
_BLOCK_BREAK = re.compile(r"\n[^\S\n]*\n\s*")
_LINE = re.compile(r"[^\n]+")

_LONGEST = 24
"""Characters looked at before a full stop; no abbreviation is longer."""

_DELIBERATE = 0.75
"""A line that leaves more than a quarter of the block's width free, with room for the next word, was ended on purpose."""


def split_sentences(text: str, language: str = "en") -> list[Span]:
    """Spans of the sentences of `text`, in order, without surrounding white space.

    Spans do not overlap and every character that is not white space is in exactly one. `language` is an ISO code
    (`en`, `es-MX`); for any other than English and Spanish the rules of both apply.
    """
    rules = _Rules(language)
    return [
        sentence
        for block in _split_at(text, 0, len(text), _BLOCK_BREAK.finditer(text))
        for part in _deliberate_lines(text, *block)
        for sentence in _split_part(text, *part, rules)
    ]


class _Rules:
    """The word lists of one language."""

    def __init__(self, language: str) -> None:
        code = language.lower()[:2]
        codes = (code,) if code in _TITLES else tuple(_TITLES)
        self.titles, self.numbered, self.either, self.openers = (
            frozenset(word for c in codes for word in words[c].split())
            for words in (_TITLES, _NUMBERED, _EITHER, _OPENERS)
        )

    def goes_on(self, word: str, following: str) -> bool:
        """Whether the full stop after `word` is part of it; `following` is the next word as written."""
        key = word.lower()
        if key in self.titles:
            return True
        if key in self.numbered:
            return bool(_NUMERAL.match(following)) or following.lower().rstrip(".") in self.numbered
        initial = len(word) == 1 and word.isupper()
        if initial or key in self.either or re.fullmatch(r"(?:\w\.)+\w", key):
            return following.lower().rstrip(",;:") not in self.openers
        return False


def _split_at(text: str, start: int, end: int, breaks: Iterator[re.Match[str]]) -> Iterator[Span]:
    for found in breaks:
        yield from _trimmed(text, start, found.start())
        start = found.end()
    yield from _trimmed(text, start, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end


def _deliberate_lines(text: str, start: int, end: int) -> Iterator[Span]:
    """Parts of a block that begin with a list marker or follow a line that was ended on purpose."""
    lines = [(m.start(), m.end()) for m in _LINE.finditer(text, start, end)]
    width = max((stop - begin for begin, stop in lines), default=0)
    part = start
    for (begin, stop), (following, following_end) in pairwise(lines):
        if _is_break(text[begin:stop].strip(), text[following:following_end].strip(), width):
            yield from _trimmed(text, part, following)
            part = following
    yield from _trimmed(text, part, end)


def _is_break(line: str, following: str, width: int) -> bool:
    if not following or _LIST_ITEM.match(following):
        return True
    if line.endswith((",", ";", "-", "–", "(", "/")) or not (following[0].isupper() or following[0] in '¿¡"“«'):
        return False
    return len(line) + 1 + len(following.split(maxsplit=1)[0]) < width * _DELIBERATE


def _split_part(text: str, start: int, end: int, rules: _Rules) -> Iterator[Span]:
    if text[start] == "|":  # a table row written as text
        yield start, end
        return
    marker = _LIST_ITEM.match(text, start, end)
    begin = start
    for found in _TERMINATOR.finditer(text, start, end):
        in_marker = marker is not None and found.end() <= marker.end()
        if not in_marker and _ends_sentence(text, begin, found, end, rules):
            yield from _trimmed(text, begin, found.end())
            begin = found.end()
            marker = _LIST_ITEM.match(text, _skip_space(text, begin, end), end)
    yield from _trimmed(text, begin, end)


def _skip_space(text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    return start


def _ends_sentence(text: str, begin: int, found: re.Match[str], end: int, rules: _Rules) -> bool:
    following = _NEXT.match(text, found.end(), end)
    if following is None or not (following[1] or following[2]):
        return True
    if following[2][:1].islower():
        return False
    stop = found[0]
    if not stop.startswith(".") or stop.startswith(".."):
        return True
    before = _WORD_BEFORE.search(text[max(begin, found.start() - _LONGEST) : found.start()])
    return not rules.goes_on(before[0] if before else "", following[2])
