"""A line cut where a column may end: at wide spaces, and at narrower ones between two numbers."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from ingest.layout import Rule, Word
from ingest.lines import TextLine

WIDE = 0.9
"""Of the font size: the narrowest space that parts two columns by itself; justified prose stays below."""
_BETWEEN_NUMBERS = 0.5
"""Of the font size: between two numbers less is enough; a space inside a number (`1 234`) is half as wide."""
_VALUE = re.compile(
    r"^[(\[<>≈~±+\-–−]?[$€£₹]?\s*[\d.,'’/:%()\-–−]*\d[\d.,'’/:%()\-–−*†‡]*[a-z]?\)?$|^[-–—−]+$|^n\.?[/.]?a\.?$", re.I
)


CURRENCY = frozenset({"$", "€", "£", "₹", "¥", "Rs", "Rs.", "INR", "USD", "EUR", "GBP", "US$", "CHF"})
_LEADING = CURRENCY - {"€", "EUR", "CHF"}
"""Signs that stand before their number wherever they are written."""
_CLOSING = frozenset({"%", ")", ")%", "%)", "Cr", "Dr", "CR", "DR", "Cr.", "Dr."})


class Segment(NamedTuple):
    """Words of one line that stand together."""

    x0: float
    x1: float
    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        return " ".join(w.text for w in self.words)

    @property
    def centre(self) -> float:
        return (self.x0 + self.x1) / 2

    @property
    def is_value(self) -> bool:
        return all(looks_like_value(w.text) or w.text in CURRENCY or w.text in _CLOSING for w in self.words)


def looks_like_value(text: str) -> bool:
    """Whether a word is a number, a dash for none, or `n/a`, by its look alone."""
    return _VALUE.match(text) is not None


def make_segment(words: list[Word]) -> Segment:
    return Segment(min(w.x0 for w in words), max(w.x1 for w in words), tuple(words))


def split_segments(line: TextLine | list[Word], uprights: Sequence[Rule] = ()) -> list[Segment]:
    """The segments of a line, from left to right; a drawn vertical rule between two words parts them."""
    crossing = sorted(r.at for r in uprights if line and r.start <= line[0].middle <= r.end)
    runs: list[list[Word]] = []
    for word in line:
        if runs and not _parts(runs[-1], word, crossing):
            runs[-1].append(word)
        else:
            runs.append([word])
    return [make_segment(run) for run in _with_signs(runs)]


def _with_signs(runs: list[list[Word]]) -> list[list[Word]]:
    """A currency sign that stands apart goes with the number after it, a percent sign or a bracket with the one before."""
    joined: list[list[Word]] = []
    for run in runs:
        after_sign = joined and all(w.text in CURRENCY for w in joined[-1]) and looks_like_value(run[0].text)
        closing = joined and all(w.text in _CLOSING for w in run) and looks_like_value(joined[-1][-1].text.lstrip("("))
        if after_sign or closing:
            joined[-1] = [*joined[-1], *run]
        else:
            joined.append(run)
    return joined


_NEAR = 16
"""Words back of which one may reach over its successors; all of them would be quadratic in a line of 200,000 words."""


def _parts(run: list[Word], word: Word, crossing: list[float]) -> bool:
    gap = word.x0 - max(w.x1 for w in run[-_NEAR:])
    size = min(word.size, run[-1].size)
    if word.text in _LEADING and gap > 0 and looks_like_value(run[-1].text):
        return True
    if gap > WIDE * size or _crossed(crossing, run[-1].centre, word.centre):
        return True
    return gap > _BETWEEN_NUMBERS * size and looks_like_value(word.text) and looks_like_value(run[-1].text)


def _crossed(crossing: list[float], left: float, right: float) -> bool:
    i = bisect_right(crossing, left)
    return i < len(crossing) and crossing[i] < right
