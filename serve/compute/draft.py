"""A plan in the making: which words it accounts for, and how sure it is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from contracts.dates import MONTHS
from contracts.plans import Plan
from serve.compute import cues
from serve.compute.columns import ColumnMatch
from serve.compute.reading import ColumnSpan, Reading
from serve.compute.words import Word, ordinal

UNKNOWN, MILD, BLOCKED, TOPIC = 0.45, 0.9, 0.2, 0.85
"""What one unexplained word leaves of the confidence, by its kind; see docs/computing.md for how they were set."""


@dataclass(frozen=True)
class Draft:
    plan: Plan
    confidence: float
    notes: tuple[str, ...]
    """What lowered the confidence, for the trace and for the reason of declining."""
    ambiguous: bool = False
    label: str = ""
    """Words of the question that name what was counted or asked for."""
    missing: str = ""
    """A name or code of the question that no cell holds."""
    sure_without_missing: float = 0.0
    """The confidence, were that name there."""


class Span(Protocol):
    """A stretch of words, `end` exclusive."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


@dataclass
class Builder:
    """Collects what one reading of a question uses. Discarded when the draft is made."""

    reading: Reading
    used: set[int] = field(default_factory=set)
    factor: float = 1.0
    notes: list[str] = field(default_factory=list)
    ambiguous: bool = False
    lacking: float = 1.0
    """Below 1 when the plan has no condition that it needs; the name of something missing would give it one."""

    def use(self, *ranges: Iterable[int]) -> None:
        for words in ranges:
            self.used.update(words)

    def use_span(self, span: Span) -> None:
        self.used.update(range(span.start, span.end))

    def doubt(self, factor: float, why: str) -> None:
        if factor < 1:
            self.factor *= factor
            self.notes.append(why)

    def take_column(self, span: ColumnSpan) -> ColumnMatch:
        """Uses a column span; a tie between columns is an ambiguity that the answer states."""
        self.use_span(span)
        if span.ambiguous:
            names = [self.reading.view.columns[m.column].name for m in span.matches]
            self.ambiguous = True
            self.doubt(0.65, f"“{self.reading.phrase(span.start, span.end)}” could be {' or '.join(names)}")
        self.doubt(min(1.0, span.best.score + 0.08), f"column by {span.best.why}")
        return span.best

    def finish(self, plan: Plan, label: str = "") -> Draft:
        """The draft, with what every word not accounted for costs."""
        self._use_names_of(plan)
        self._use_all_sources()
        missing = [i for i in self._left() if self._is_name(i)]
        without = self.factor
        for i in self._left():
            norm = self.reading.words[i].norm
            cost = self._cost_of(i)
            self.doubt(cost, f"“{norm}” is not accounted for")
            without *= 1.0 if i in missing else cost
        name = self.reading.phrase(missing[0], missing[-1] + 1) if missing else ""
        together = bool(missing) and missing[-1] - missing[0] < len(missing) + 1
        return Draft(
            plan=plan,
            confidence=round(self.factor * self.lacking, 4),
            notes=tuple(self.notes),
            ambiguous=self.ambiguous,
            label=label,
            missing=name if together else "",
            sure_without_missing=round(without, 4) if together else 0.0,
        )

    def _use_names_of(self, plan: Plan) -> None:
        """Words that name a column which the plan reads anyway: `a colour of white`, `directed by`."""
        names = {plan.column, plan.by, plan.group_by, *(w.column for w in plan.where)}
        columns = [c for c in self.reading.view.columns if c.name in names]
        for span in self.reading.columns:
            if any(m.column == c.index for m in span.matches for c in columns):
                self.use_span(span)
        heads = {s[:5] for c in columns for s in c.stems if len(s) >= 5}
        self.use(i for i in self._left() if self.reading.words[i].stem[:5] in heads)
        printed = {s for c in columns for s in c.stems if not s.isdigit()} - cues.NEGATIONS
        self.use(i for i in self._left() if self.reading.words[i].stem in printed)

    def _use_all_sources(self) -> None:
        """`Across both companies`, `in all registers`: every table of the view, when there are as many."""
        view, norms = self.reading.view, self.reading.norms
        sources = len({t.doc_id for t in view.tables})
        for i, noun in enumerate(norms[1:], start=1):
            said = norms[i - 1] if norms[i - 1] not in ("the", "los", "las") else norms[max(0, i - 2)]
            several = (said in cues.BOTH and sources == 2) or (said in cues.ALL and sources > 1)
            if noun in cues.SOURCES and several:
                self.use(j for j in (i - 2, i - 1, i) if norms[j] in cues.BOTH | cues.ALL | {noun})

    def _left(self) -> list[int]:
        return [i for i in range(len(self.reading.words)) if i not in self.used and i not in self.reading.context]

    def _cost_of(self, i: int) -> float:
        """`the team`, `this season`: what the whole table is about is named without choosing rows."""
        norms = self.reading.norms
        if printed_as_name(self.reading.text, self.reading.words[i], i):
            return UNKNOWN
        if norms[i] in ("under", "with") and {i + 1, i + 2} & self.reading.held:
            # `under the publisher X`: a plain preposition, since no number follows.
            return MILD
        about = norms[i] in cues.TOPICS and i > 0 and norms[i - 1] in cues.DETERMINERS
        return TOPIC if about else _cost(norms[i])

    def _is_name(self, i: int) -> bool:
        """A code, or a capital inside the sentence: what a document would print as it is."""
        word = self.reading.words[i]
        if word.norm in MONTHS or (_cost(word.norm) == 1.0 and not printed_as_name(self.reading.text, word, i)):
            return False
        raw = self.reading.text[word.start : word.end]
        if ordinal(word.norm) is not None:
            return False
        return bool(re.search(r"\d", raw) and re.search(r"[^\W\d]", raw)) or (i > 0 and raw[:1].isupper())


def printed_as_name(text: str, word: Word, i: int) -> bool:
    """Whether a word that seldom says anything does so here by its capitals: `IT` the department, `May` the month."""
    raw = text[word.start : word.end]
    if raw == "May":
        return i > 0
    return len(raw) > 1 and raw.isupper() and not text.isupper()


def _cost(norm: str) -> float:
    if norm in cues.BLOCKERS or norm in cues.NEGATIONS:
        return BLOCKED
    if norm in cues.FUNCTION or norm in cues.NEUTRAL:
        return 1.0
    return MILD if norm in cues.MILD or norm in cues.EARNING else UNKNOWN
