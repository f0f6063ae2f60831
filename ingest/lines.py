"""Words to visual lines.

A line is what a reader's eye takes as one: words whose baselines agree, with raised and lowered small print
(`Total²`) taken into the line it hangs on.
"""

from __future__ import annotations

from collections.abc import Iterable

from ingest.layout import Word

_SAME = 0.3
"""Of the smaller font size: how far baselines of one line may differ."""
_HANGS = 0.5
"""Of a small word's height that must lie inside a line for it to be that line's index."""


class TextLine(list[Word]):
    """The words of one visual line, from left to right."""

    @property
    def top(self) -> float:
        return min(w.top for w in self)

    @property
    def bottom(self) -> float:
        return max(w.bottom for w in self)

    @property
    def x0(self) -> float:
        return self[0].x0

    @property
    def x1(self) -> float:
        return max(w.x1 for w in self)

    @property
    def baseline(self) -> float:
        return max(self, key=lambda w: w.size).baseline

    @property
    def size(self) -> float:
        return max(w.size for w in self)

    @property
    def text(self) -> str:
        return " ".join(w.text for w in self)


def group_lines(words: Iterable[Word]) -> list[TextLine]:
    """Lines from top to bottom."""
    lines: list[TextLine] = []
    for word in sorted(words, key=lambda w: (w.baseline, w.x0)):
        home = next((line for line in reversed(lines[-4:]) if _belongs(word, line)), None)
        if home is None:
            lines.append(TextLine([word]))
        else:
            home.append(word)
    for line in lines:
        line.sort(key=lambda w: w.x0)
    return sorted(lines, key=lambda line: line.baseline)


def _belongs(word: Word, line: TextLine) -> bool:
    if abs(word.baseline - line.baseline) <= _SAME * min(word.size, line.size):
        return True
    small, tall = sorted((word.size, line.size))
    if small > 0.8 * tall:
        return False
    inside = min(word.bottom, line.bottom) - max(word.top, line.top)
    height = word.bottom - word.top if word.size <= line.size else line.bottom - line.top
    return inside >= _HANGS * height and abs(word.baseline - line.baseline) <= 0.6 * tall and _near(word, line)


def _near(word: Word, line: TextLine) -> bool:
    """Small print hangs on a word; it does not stand alone across the page."""
    reach = max(word.size, line.size)
    return any(word.x0 - w.x1 < reach and w.x0 - word.x1 < reach for w in line)
