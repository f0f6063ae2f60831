"""Years, ranks and numbers beside a column as conditions: `in 1962`, `3rd place`, `7 laps`, `round 1`."""

from __future__ import annotations

from contracts.plans import Where
from serve.compute import cues
from serve.compute.draft import Builder
from serve.compute.traits import Condition, holds_ranks, noun_behind
from serve.compute.view import ColumnView
from serve.compute.words import CARDINAL, ordinal

_MEASURING = frozenset({"day", "days", "hour", "hours", "of", "dia", "dias", "hora", "horas", "de"})
"""What may stand between a number and the column it is of: `4 days of sick leave`."""


def figure_conditions(b: Builder, busy: set[tuple[int, int]]) -> list[Condition]:
    """Years, ranks and numbers beside a column: `in 1962`, `3rd place`, `7 laps`, `round 1`."""
    found: list[Condition] = []
    for i in range(len(b.reading.words)):
        if i in b.used or i in b.reading.context or i in b.reading.held:
            continue
        if any(c.start <= i < c.end for c in b.reading.comparisons):
            continue
        condition = _year_at(b, i) or _rank_at(b, i) or _number_at(b, i, busy)
        if condition is not None:
            b.use(range(i, i + 1))
            found.append(condition)
    return found


def _year_at(b: Builder, i: int) -> Condition | None:
    norm = b.reading.words[i].norm
    if not (norm.isdigit() and len(norm) == 4 and 1000 <= int(norm) <= 2100):
        return None
    beside = [
        s for s in b.reading.columns if i in (s.end, s.start - 1) and b.reading.view.columns[s.best.column].is_calendar
    ]
    column = b.reading.view.columns[b.take_column(beside[0]).column] if beside else _calendar_with(b, int(norm))
    return Condition(Where(column=column.name, op="eq", values=(norm,)), i, i + 1) if column else None


def _calendar_with(b: Builder, year: int) -> ColumnView | None:
    """The calendar columns that have the year; of several the first, at a cost."""
    fit = [c for c in b.reading.view.columns if not c.made and c.is_calendar]
    having = [c for c in fit if year in c.years]
    if len(having) > 1:
        b.doubt(0.55, f"{year} stands in {', '.join(c.name for c in having)}")
    if not having and len(fit) > 1:
        b.doubt(0.5, f"{year} stands in none of {', '.join(c.name for c in fit)}")
    return next(iter(having or fit), None)


def _rank_at(b: Builder, i: int) -> Condition | None:
    """`third place`, `ranked 9th`, `seventh round`: a rank column, or the one named right after."""
    words, view = b.reading.words, b.reading.view
    rank = ordinal(words[i].norm)
    if rank is None:
        return None
    after = [s for s in b.reading.columns if s.start == i + 1]
    spoken = {w.stem for w in words[max(0, i - 2) : i + 2]}
    if after and holds_ranks(view.columns[after[0].best.column]):
        column = view.columns[b.take_column(after[0]).column]
    else:
        fit = [c for c in view.columns if set(c.stems) & cues.RANKS]
        if len(fit) != 1 or not spoken & (cues.RANKS | {"rank", "finish", "place", "come", "came"}):
            return None
        column = fit[0]
        b.use(j for j in range(max(0, i - 2), min(len(words), i + 2)) if words[j].stem in cues.RANKS)
    return Condition(Where(column=column.name, op="eq", values=(str(rank),)), i, i + 1)


def _number_at(b: Builder, i: int, busy: set[tuple[int, int]]) -> Condition | None:
    """A bare number right before or right after a column's name."""
    norm = b.reading.words[i].norm
    number = norm if norm[0].isdigit() and norm.replace(",", "").replace(".", "").isdigit() else None
    if number is None and norm in CARDINAL:
        number = str(CARDINAL[norm])
    if number is None:
        return None
    for span in b.reading.columns:
        column = b.reading.view.columns[span.best.column]
        between = b.reading.norms[i + 1 : span.start]
        measured = span.start > i and set(between) <= _MEASURING and len(between) <= 2
        before, after = (span.start in (i + 1, i + 2) or measured) and column.numeric, span.end == i
        if (before or after) and (span.start, span.end) not in busy:
            b.take_column(span)
            if measured:
                b.use(range(i + 1, span.start))
            b.doubt(1.0 if span.best.score >= 0.95 else 0.75, f"{number} may not be of {column.name}")
            noun_behind(b, span)
            return Condition(Where(column=column.name, op="eq", values=(number,)), i, i + 1)
    return None
