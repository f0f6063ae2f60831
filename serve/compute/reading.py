"""The question taken apart against one table view: which words are columns, cells, comparisons, and which are left.

What the planner may rely on is only what was found here. Words that nothing explains lower its confidence: a
question that says more than the plan does is not the plan's question.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from compression.terms import STOPWORDS
from serve.compute.columns import ColumnMatch, ColumnMatcher
from serve.compute.comparisons import Comparison, find_comparisons
from serve.compute.values import CellIndex, Places
from serve.compute.view import TableView
from serve.compute.words import Word, words_of

LONGEST = 8
"""Words of the longest phrase looked up in headers and cells."""


@dataclass(frozen=True)
class ColumnSpan:
    start: int
    end: int
    matches: tuple[ColumnMatch, ...]
    """Best first."""

    @property
    def best(self) -> ColumnMatch:
        return self.matches[0]

    @property
    def ambiguous(self) -> bool:
        return len(self.matches) > 1 and self.matches[1].score > self.best.score - 0.02


@dataclass(frozen=True)
class ValueSpan:
    start: int
    end: int
    places: Places
    whole: bool
    """Cells are the phrase, rather than hold it."""


@dataclass(frozen=True)
class Reading:
    text: str
    view: TableView
    words: tuple[Word, ...]
    columns: tuple[ColumnSpan, ...]
    values: tuple[ValueSpan, ...]
    comparisons: tuple[Comparison, ...]
    context: frozenset[int] = field(default_factory=frozenset)
    """Words that name the document, its type or its period."""

    @property
    def norms(self) -> tuple[str, ...]:
        return tuple(w.norm for w in self.words)

    def phrase(self, start: int, end: int) -> str:
        return self.text[self.words[start].start : self.words[end - 1].end] if end > start else ""

    def columns_in(self, start: int, end: int) -> list[ColumnSpan]:
        return [c for c in self.columns if c.start >= start and c.end <= end]

    def values_in(self, start: int, end: int) -> list[ValueSpan]:
        return [v for v in self.values if v.start >= start and v.end <= end]


class Reader:
    """Reads questions against one view."""

    def __init__(self, view: TableView, matcher: ColumnMatcher, cells: CellIndex) -> None:
        self.view, self.matcher, self.cells = view, matcher, cells

    def read(self, text: str, context: frozenset[str] = frozenset()) -> Reading:
        """`context`: stems that name where the table comes from, such as its period."""
        words = words_of(text)
        comparisons = find_comparisons(words, text)
        taken = {i for c in comparisons for i in range(c.start, c.end)}
        columns, values = self._spans(text, words, taken)
        free = (i for i, w in enumerate(words) if w.stem in context)
        return Reading(text, self.view, words, tuple(columns), tuple(values), comparisons, frozenset(free))

    def _spans(self, text: str, words: Sequence[Word], taken: set[int]) -> tuple[list[ColumnSpan], list[ValueSpan]]:
        """Longest phrases first; a phrase inside a longer one is not looked up again."""
        columns: list[ColumnSpan] = []
        values: list[ValueSpan] = []
        used: set[int] = set(taken)
        for size in range(min(LONGEST, len(words)), 0, -1):
            for start in range(len(words) - size + 1):
                span = range(start, start + size)
                if used.intersection(span) or _trivial(words[start : start + size]):
                    continue
                if column := self._column(text, words, start, size):
                    columns.append(column)
                elif value := self._value(words, start, size):
                    values.append(value)
                else:
                    continue
                used.update(span)
        return sorted(columns, key=lambda s: s.start), sorted(values, key=lambda s: s.start)

    def _column(self, text: str, words: Sequence[Word], start: int, size: int) -> ColumnSpan | None:
        part = words[start : start + size]
        if part[0].norm in STOPWORDS or part[-1].norm in STOPWORDS:
            return None
        matches = self.matcher.match(text[part[0].start : part[-1].end], [w.stem for w in part])
        best = tuple(m for m in matches if m.score >= matches[0].score - 0.15)
        return ColumnSpan(start, start + size, best) if best else None

    def _value(self, words: Sequence[Word], start: int, size: int) -> ValueSpan | None:
        part = words[start : start + size]
        phrase = tuple(w.stem for w in part)
        if any(s not in self.cells for s in phrase):
            return None
        if places := self.cells.whole(phrase):
            return ValueSpan(start, start + size, places, whole=True)
        if part[0].norm in STOPWORDS or part[-1].norm in STOPWORDS:
            return None
        places = self.cells.inside(phrase)
        return ValueSpan(start, start + size, places, whole=False) if places else None


def _trivial(words: Iterable[Word]) -> bool:
    """Function words and single digits or letters alone name nothing."""
    return all(w.norm in STOPWORDS or (len(w.norm) < 2 and not w.norm.isdigit()) for w in words)
