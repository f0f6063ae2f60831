"""The question taken apart against one table view: which words are columns, cells, comparisons, and which are left.

What the planner may rely on is only what was found here. Words that nothing explains lower its confidence: a
question that says more than the plan does is not the plan's question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from compression.terms import STOPWORDS
from serve.compute import cues
from serve.compute.around_columns import ADDING, DEDUCTED, JOINING, adds_up, end_of_deduction
from serve.compute.columns import ColumnMatch, ColumnMatcher
from serve.compute.comparisons import Comparison, find_comparisons
from serve.compute.source_words import document_words, period_words
from serve.compute.values import CellIndex, Places
from serve.compute.view import TableView
from serve.compute.words import Word, norms, words_of

LONGEST = 8
"""Words of the longest phrase looked up in headers and cells."""
LEXICON = 0.95
"""Score of a phrase that the lexicon says a header is."""
EXACT = 0.96
"""Score of a phrase that is a header, in its own or another form of the words."""


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
    wider: bool = False
    """Other cells that only hold the phrase are among the places."""


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

    @cached_property
    def held(self) -> frozenset[int]:
        """Words inside column and value spans."""
        columns = {i for s in self.columns for i in range(s.start, s.end)}
        return frozenset(columns | {i for v in self.values for i in range(v.start, v.end)})

    def phrase(self, start: int, end: int) -> str:
        return self.text[self.words[start].start : self.words[end - 1].end] if end > start else ""

    def columns_in(self, start: int, end: int) -> list[ColumnSpan]:
        return [c for c in self.columns if c.start >= start and c.end <= end]

    def values_in(self, start: int, end: int) -> list[ValueSpan]:
        return [v for v in self.values if v.start >= start and v.end <= end]


class Reader:
    """Reads questions against one view, exact phrases first: a header is not lost to a longer phrase around it."""

    def __init__(self, view: TableView, matcher: ColumnMatcher, cells: CellIndex) -> None:
        self.view, self.matcher, self.cells = view, matcher, cells

    def read(self, text: str, context: frozenset[str] = frozenset(), kinds: frozenset[str] = frozenset()) -> Reading:
        """`context`: stems that name where the table comes from, such as its period; `kinds`: those among them that
        name its kind of document, which alone mean no column (`invoice` is not Invoice No.)."""
        words = words_of(text)
        comparisons = find_comparisons(words, text)
        named = document_words(words, kinds) | period_words(text, words, context)
        used = {i for c in comparisons for i in range(c.start, c.end)} | named
        columns: list[ColumnSpan] = []
        values: list[ValueSpan] = []
        for exact in (True, False):
            for start, size in _phrases(len(words)):
                span = range(start, start + size)
                part = words[start : start + size]
                of_kind = all(w.stem in kinds for w in part)
                if (
                    used.intersection(span)
                    or self._names_nothing(text, part, start)
                    # The kind of document names no rows; but Sales is a department, though the folder has its name.
                    or (of_kind and not (exact and self.cells.whole(tuple(w.stem for w in part))))
                    or (size == 1 and adds_up(words, start, {c.start for c in columns}))
                ):
                    continue
                column = None if of_kind else self._column(text, part, start, exact)
                if column is not None and column.ambiguous and all(w.stem in context for w in part):
                    column = None  # `leave` of the leave balances is none of Annual leave and Sick leave
                if column is not None:
                    column = self._stretched(text, words, column, used)
                    columns.append(column)
                    span = range(column.start, column.end)
                elif value := self._value(text, part, start, exact):
                    values.append(value)
                else:
                    continue
                used.update(span)
        # `Total CGST` sums, also where another column is headed Total.
        numbers = {c.start for c in columns if self.view.columns[c.best.column].numeric}
        columns = [c for c in columns if c.end - c.start > 1 or not adds_up(words, c.start, numbers)]
        columns.sort(key=lambda s: s.start)
        values.sort(key=lambda s: s.start)
        free = named | {i for i, w in enumerate(words) if w.stem in context}
        return Reading(text, self.view, words, tuple(columns), tuple(values), comparisons, frozenset(free))

    def _names_nothing(self, text: str, part: Sequence[Word], start: int) -> bool:
        """Function words; but `IT` in capitals is the cell that says so."""
        if not _trivial(part):
            return False
        raw = text[part[0].start : part[-1].end]
        if raw == "May":
            return start == 0
        return not (len(part) == 1 and len(raw) > 1 and raw.isupper() and self.cells.whole((part[0].stem,)))

    def with_likenesses(self, reading: Reading) -> Reading:
        """The reading with columns for phrases that nothing explained, by header embeddings; itself when none is near."""
        spans = [s for run in _unexplained(reading) if (s := self._like(reading, *run)) is not None]
        columns = tuple(sorted((*reading.columns, *spans), key=lambda s: s.start))
        return replace(reading, columns=columns) if spans else reading

    def _like(self, reading: Reading, start: int, end: int) -> ColumnSpan | None:
        match = self.matcher.nearest(reading.phrase(start, end))
        return ColumnSpan(start, end, (match,)) if match is not None else None

    def _column(self, text: str, part: Sequence[Word], start: int, exact: bool) -> ColumnSpan | None:
        """A phrase that is a header (`exact`), or means one by the lexicon or by a part of it."""
        if part[0].norm in STOPWORDS or part[-1].norm in STOPWORDS:
            return None
        matches = self.matcher.match(text[part[0].start : part[-1].end], [w.stem for w in part])
        if not matches or (exact and matches[0].score < EXACT):
            return None
        joints = JOINING & {w.norm for w in part}
        if joints and not joints & set(norms(self.view.columns[matches[0].column].name)):
            return None
        best = tuple(m for m in matches if m.score >= matches[0].score - 0.15)
        return ColumnSpan(start, start + len(part), best)

    def _stretched(self, text: str, words: Sequence[Word], found: ColumnSpan, used: set[int]) -> ColumnSpan:
        """The longest phrase around a column's name that means the same column: `basic pay` around Basic."""
        for start, size in _phrases(len(words)):
            span = range(start, start + size)
            if size <= found.end - found.start or not {found.start, found.end - 1} <= set(span):
                continue
            added = {words[i].norm for i in span if not found.start <= i < found.end}
            wider = (
                None
                if used.intersection(span) or added & ADDING
                else self._column(text, words[start : start + size], start, False)
            )
            if wider is not None and wider.best.column == found.best.column and wider.best.score >= LEXICON:
                return self._deducted(words, ColumnSpan(start, start + size, found.matches), used)
        return self._deducted(words, found, used)

    def _deducted(self, words: Sequence[Word], found: ColumnSpan, used: set[int]) -> ColumnSpan:
        """With `deduction` behind it: what is deducted is named, the total is not asked for."""
        if DEDUCTED & set(self.view.columns[found.best.column].stems):
            return found
        return replace(found, end=end_of_deduction(words, found.end, used))

    def _wider(self, phrase: tuple[str, ...], places: Places) -> Places:
        """A name of several words is the same thing inside longer cells too; a job title of a register is not."""
        if len(phrase) < 2 or self.matcher.of_domain:
            return places
        inside = self.cells.inside(phrase)
        return {c: inside.get(c, rows) for c, rows in places.items()}

    def _value(self, text: str, part: Sequence[Word], start: int, exact: bool) -> ValueSpan | None:
        """A phrase that is a whole cell (`exact`), or stands inside one."""
        size = len(part)
        phrase = tuple(w.stem for w in part)
        if any(s not in self.cells for s in phrase) or (size == 1 and phrase[0].replace(",", "").isdigit()):
            return None
        if places := self.cells.whole(phrase):
            wider = self._wider(phrase, places)
            return ValueSpan(start, start + size, wider, whole=True, wider=wider != places)
        month = text[part[0].start : part[0].end] == "May" and start > 0
        if exact or (part[0].norm in STOPWORDS and not month) or (part[-1].norm in STOPWORDS and not month):
            return None
        telling = [w for w in part if (w.norm not in _COMMON or (month and w is part[0])) and not w.norm.isdigit()]
        if not telling:
            return None
        places = self.cells.inside(phrase)
        if len(telling) < 2:
            if len(telling[0].norm) < 3 and not text[telling[0].start : telling[0].end].isupper():
                return None
            places = {c: rows for c, rows in places.items() if not self.view.columns[c].wordy}
        return ValueSpan(start, start + size, places, whole=False) if places else None


_COMMON = cues.FUNCTION | cues.NEUTRAL | cues.MILD | cues.BLOCKERS | cues.NEGATIONS | cues.OUTCOMES.keys()
"""Words too common to be a name because a cell happens to hold them."""


def _unexplained(reading: Reading) -> Iterator[tuple[int, int]]:
    """Runs of words with a meaning of their own that no column, cell, comparison or source explains."""
    compared = {i for c in reading.comparisons for i in range(c.start, c.end)}
    known = reading.held | reading.context | compared
    start = None
    for i in range(len(reading.words) + 1):
        free = i < len(reading.words) and i not in known and reading.norms[i] not in _COMMON
        if free and start is None:
            start = i
        elif not free and start is not None:
            yield start, i
            start = None


def _phrases(words: int) -> Iterator[tuple[int, int]]:
    """Start and size of all phrases, the longest first, from left to right."""
    for size in range(min(LONGEST, words), 0, -1):
        for start in range(words - size + 1):
            yield start, size


def _trivial(words: Iterable[Word]) -> bool:
    """Function words and single digits or letters alone name nothing."""
    return all(w.norm in STOPWORDS or (len(w.norm) < 2 and not w.norm.isdigit()) for w in words)
