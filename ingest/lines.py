"""Words to visual lines.

A line is what a reader's eye takes as one: words whose baselines agree, with raised and lowered small print
(`Total²`) taken into the line it hangs on.
"""

from __future__ import annotations

from collections.abc import Iterable

from ingest.layout import Word

_SAME = 0.3
"""Of the smaller font size: how far baselines of one line may differ."""
_SMALL = 0.8
"""Of the line's font size: what is larger is no index."""
_SHIFT = 0.6
"""Of the font size: an index is raised or lowered by no more."""
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
    lines: list[_Growing] = []
    for word in sorted(words, key=lambda w: (w.baseline, w.x0)):
        home = next((line for line in reversed(lines[-4:]) if line.takes(word)), None)
        if home is None:
            lines.append(_Growing(word))
        else:
            home.add(word)
    done = [TextLine(sorted(line.words, key=lambda w: w.x0)) for line in lines]
    return sorted(done, key=lambda line: line.baseline)


class _Growing:
    """A line while words are added to it."""

    def __init__(self, word: Word) -> None:
        self.words = [word]
        self.largest = word
        self.top, self.bottom = word.top, word.bottom

    def add(self, word: Word) -> None:
        self.words.append(word)
        self.top, self.bottom = min(self.top, word.top), max(self.bottom, word.bottom)
        if word.size > self.largest.size:
            self.largest = word

    def takes(self, word: Word) -> bool:
        shift = abs(word.baseline - self.largest.baseline)
        small, tall = sorted((word.size, self.largest.size))
        if shift <= _SAME * small:
            return True
        if small > _SMALL * tall or shift > _SHIFT * tall:
            return False
        inside = min(word.bottom, self.bottom) - max(word.top, self.top)
        height = word.bottom - word.top if word.size <= self.largest.size else self.bottom - self.top
        return inside >= _HANGS * height and self._near(word)

    def _near(self, word: Word) -> bool:
        """Small print hangs on a word; it does not stand alone across the page."""
        reach = max(word.size, self.largest.size)
        return any(word.x0 - w.x1 < reach and w.x0 - word.x1 < reach for w in self.words)
