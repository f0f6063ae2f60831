"""A line cut where a column may end: at wide spaces, and at narrower ones between two numbers."""

from __future__ import annotations

import re
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
        return all(looks_like_value(w.text) or w.text in "$€£₹%" for w in self.words)


def looks_like_value(text: str) -> bool:
    """Whether a word is a number, a dash for none, or `n/a`, by its look alone."""
    return _VALUE.match(text) is not None


def make_segment(words: list[Word]) -> Segment:
    return Segment(min(w.x0 for w in words), max(w.x1 for w in words), tuple(words))


def split_segments(line: TextLine | list[Word], uprights: Sequence[Rule] = ()) -> list[Segment]:
    """The segments of a line, from left to right; a drawn vertical rule between two words parts them."""
    crossing = [r.at for r in uprights if line and r.start <= line[0].middle <= r.end]
    runs: list[list[Word]] = []
    for word in line:
        if runs and not _parts(runs[-1], word, crossing):
            runs[-1].append(word)
        else:
            runs.append([word])
    return [make_segment(run) for run in runs]


def _parts(run: list[Word], word: Word, crossing: list[float]) -> bool:
    gap = word.x0 - max(w.x1 for w in run)
    size = min(word.size, run[-1].size)
    if gap > WIDE * size or any(run[-1].centre < x < word.centre for x in crossing):
        return True
    return gap > _BETWEEN_NUMBERS * size and looks_like_value(word.text) and looks_like_value(run[-1].text)
