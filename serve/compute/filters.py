"""Conditions of a question: cells it names, numbers it compares, ranks and years. Each becomes a `Where`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from contracts.plans import Where
from serve.compute import cues
from serve.compute.comparisons import Comparison, Operand
from serve.compute.conditions import rank_of
from serve.compute.draft import Builder
from serve.compute.reading import ColumnSpan, ValueSpan
from serve.compute.relative import relative_conditions
from serve.compute.subject import Subject, pay_column
from serve.compute.view import ColumnView
from serve.compute.words import CARDINAL, ordinal

SAID_AFTER, SAID_BEFORE = 3, 5
"""How many words a column may stand behind or ahead of the number that is compared with it."""


@dataclass(frozen=True)
class Condition:
    """A condition and the words it came from. `rank` and `year` conditions are by value of a text column."""

    where: Where
    start: int
    end: int


def add_conditions(b: Builder, subject: Subject, keep: Iterable[ColumnSpan] = ()) -> list[Where]:
    """All conditions that the reading supports, their words used. `keep`: columns already spoken for."""
    busy = {(c.start, c.end) for c in keep}
    relative = [Condition(*r) for r in relative_conditions(b)]
    found = relative + _comparisons(b, subject, busy) + _numbers(b, busy) + _values(b, busy) + _outcomes(b)
    return _merge(_negated(b, found, busy))


def _comparisons(b: Builder, subject: Subject, busy: set[tuple[int, int]]) -> list[Condition]:
    found = []
    for comparison in b.reading.comparisons:
        ranked = comparison.operands[0].rank
        column = _rank_column(b, comparison) if ranked else _compared(b, subject, comparison)
        if column is None:
            b.doubt(0.3, f"“{b.reading.phrase(comparison.start, comparison.end)}” compares with no column")
            continue
        b.use_span(comparison)
        where = _bounded(column, comparison)
        if ranked:
            # Above 3rd is 1st and 2nd: the smaller rank is the better one.
            where = where.model_copy(update={"op": _BETTER.get(where.op, where.op)})
        found.append(Condition(where, comparison.start, comparison.end))
    return found


def _compared(b: Builder, subject: Subject, c: Comparison) -> ColumnView | None:
    """The column said beside the comparison, else the only one it can be."""
    reading, view = b.reading, b.reading.view
    near = [s for s in reading.columns if c.end <= s.start <= c.end + SAID_AFTER]
    near += [s for s in reversed(reading.columns) if c.start - SAID_BEFORE <= s.end <= c.start]
    for span in near:
        column = view.columns[span.best.column]
        if c.temporal and not column.is_calendar:
            continue
        if not c.temporal and (column.is_calendar or not any(v is not None for v in column.measures)):
            continue
        b.take_column(span)
        noun_behind(b, span)
        return column
    if c.temporal:
        return _calendar(b)
    if (paid := pay_column(reading, subject)) is not None:
        b.use(i for i, n in enumerate(reading.norms) if n in cues.EARNING)
        b.ambiguous = True
        return paid
    fit = [v for v in view.columns if v.numeric and not is_identifier(b, v) and not v.is_calendar]
    if len(fit) != 1:
        return None
    b.doubt(0.6, f"compared with {fit[0].name}, the only number column")
    return fit[0]


def noun_behind(b: Builder, span: ColumnSpan) -> None:
    """`10 gold medals` with a column Gold: the noun only says what is measured."""
    i = span.end
    plain = i < len(b.reading.words) and b.reading.norms[i] not in cues.FUNCTION | cues.BLOCKERS | cues.NEGATIONS
    if plain and i not in b.reading.held:
        b.use(range(i, i + 1))


_OPPOSITE = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}
_BETTER: dict[str, str] = {"gt": "lt", "lt": "gt", "ge": "le", "le": "ge"}


def _rank_column(b: Builder, c: Comparison) -> ColumnView | None:
    """The column of ranks that the comparison names, else the only one."""
    view = b.reading.view
    near = [s for s in b.reading.columns if c.start - SAID_BEFORE <= s.start <= c.end + 1]
    for span in near:
        if holds_ranks(view.columns[span.best.column]):
            b.take_column(span)
            return view.columns[span.best.column]
    fit = [v for v in view.columns if set(v.stems) & cues.RANKS and holds_ranks(v)]
    b.use(i for i in range(c.end, min(c.end + 1, len(b.reading.words))) if b.reading.words[i].stem in cues.RANKS)
    return fit[0] if len(fit) == 1 else None


def _calendar(b: Builder) -> ColumnView | None:
    """The table's column of days or years; with several, the first is a guess that costs."""
    fit = [v for v in b.reading.view.columns if not v.made and v.is_calendar]
    if len(fit) > 1:
        b.doubt(0.55, f"dates stand in {', '.join(c.name for c in fit)}")
    return fit[0] if fit else None


def is_identifier(b: Builder, column: ColumnView) -> bool:
    """Whether the numbers name rows (serial, rank, id) rather than measure something."""
    stems = set(column.stems)
    return bool(stems & (cues.RANKS | {"no", "id", "serial", "sr", "sl", "number", "#", "code"})) or column.name == "#"


def _bounded(column: ColumnView, c: Comparison) -> Where:
    texts = tuple(_operand_text(column, o) for o in c.operands)
    first = c.operands[0]
    by_year = first.first is None or not column_has_days(column)
    if c.temporal and not by_year and first.first is not None and first.last is not None:
        texts = tuple(_edge(o, c.op).isoformat() for o in c.operands if o.first)
        if c.op == "between" and c.operands[1].last is not None:
            texts = (first.first.isoformat(), c.operands[1].last.isoformat())
    return Where(column=column.name, op=c.op, values=texts)


def _edge(operand: Operand, op: str) -> date:
    """The day of the stretch that the comparison is with: after May 2010 is after its last day."""
    day = operand.last if op in ("gt", "le") else operand.first
    assert day is not None
    return day


def column_has_days(column: ColumnView) -> bool:
    filled = [i for i in range(len(column.texts)) if not column.empty(i)]
    return bool(filled) and sum(column.dates[i] is not None for i in filled) >= 0.9 * len(filled)


def _operand_text(column: ColumnView, operand: Operand) -> str:
    if operand.first is not None:
        return str(operand.first.year)
    return str(operand.number)


def _numbers(b: Builder, busy: set[tuple[int, int]]) -> list[Condition]:
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


def holds_ranks(column: ColumnView) -> bool:
    """Whether most filled cells have a rank or a small number as a word (`T4`, `4th`, `Round 4`)."""
    filled = [t for t in column.tokens if t]
    return bool(filled) and sum(any(rank_of(n) is not None for n in t) for t in filled) >= 0.6 * len(filled)


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
        before, after = span.start in (i + 1, i + 2) and column.numeric, span.end == i
        if (before or after) and (span.start, span.end) not in busy:
            b.take_column(span)
            b.doubt(1.0 if span.best.score >= 0.95 else 0.75, f"{number} may not be of {column.name}")
            noun_behind(b, span)
            return Condition(Where(column=column.name, op="eq", values=(number,)), i, i + 1)
    return None


def _values(b: Builder, busy: set[tuple[int, int]]) -> list[Condition]:
    found: list[Condition] = []
    for span in b.reading.values:
        if b.used.issuperset(range(span.start, span.end)):
            continue
        column = _column_of(b, span, found)
        if column is None:
            continue
        b.use_span(span)
        texts = dict.fromkeys(b.reading.view.columns[column].texts[r] for r in span.places[column])
        if span.whole and span.wider:
            b.doubt(0.9, f"“{b.reading.phrase(span.start, span.end)}” also stands in longer cells")
        if not span.whole:
            b.doubt(0.95, f"“{b.reading.phrase(span.start, span.end)}” is part of a cell")
        found.append(
            Condition(
                Where(column=b.reading.view.columns[column].name, op="eq", values=tuple(texts)), span.start, span.end
            )
        )
    return found


def _column_of(b: Builder, span: ValueSpan, earlier: Sequence[Condition]) -> int | None:
    """The column a named cell is in: the one said beside it, that of its neighbour, else the only one."""
    options = [c for c in span.places if not b.reading.view.columns[c].numeric] or list(span.places)
    if len(options) == 1:
        return options[0]
    near = [
        s for s in b.reading.columns if s.end in (span.start, span.start - 1, span.start - 2) or s.start == span.end
    ]
    for column in near:
        for match in column.matches:
            if match.column in options:
                b.use_span(column)
                return match.column
    before = {c.where.column for c in earlier}
    again = [c for c in options if b.reading.view.columns[c].name in before]
    if again:
        return again[0]
    b.doubt(0.6, f"“{b.reading.phrase(span.start, span.end)}” stands in several columns")
    b.ambiguous = True
    return max(options, key=lambda c: len(span.places[c]))


def _outcomes(b: Builder) -> list[Condition]:
    """`won` where a column of results says `W` or `Won`."""
    found = []
    for i, word in enumerate(b.reading.words):
        if i in b.used or any(c.start <= i < c.end for c in b.reading.columns):
            continue
        for column in b.reading.view.columns:
            texts = _outcome_cells(column, word.norm)
            if texts:
                b.use(range(i, i + 1))
                found.append(Condition(Where(column=column.name, op="eq", values=texts), i, i + 1))
                break
    return found


def _outcome_cells(column: ColumnView, norm: str) -> tuple[str, ...]:
    """The cells of a result column that the verb means; () when the column is none."""
    wanted = cues.OUTCOMES.get(norm)
    if wanted is None or column.numeric:
        return ()
    every = {w for spellings in cues.OUTCOMES.values() for w in spellings}
    firsts = [t[0] if t else "" for t in column.tokens]
    filled = [f for f in firsts if f]
    if not filled or sum(f in every for f in filled) < 0.5 * len(filled):
        return ()
    return tuple(dict.fromkeys(t for t, f in zip(column.texts, firsts, strict=True) if f in wanted))


def _negated(b: Builder, found: list[Condition], busy: set[tuple[int, int]]) -> list[Condition]:
    """`not X` turns the condition behind it; `no X` of a column asks for zero or nothing there."""
    result = list(found)
    for i, word in enumerate(b.reading.words):
        if word.norm not in cues.NEGATIONS and b.reading.norms[i : i + 2] != ("other", "than"):
            continue
        if i in b.used:
            continue
        bound = next((c for c in result if i < c.start <= i + 8 and c.where.op in _OPPOSITE), None)
        if bound is not None and word.norm != "no":
            turned = bound.where.model_copy(update={"op": _OPPOSITE[bound.where.op]})
            result[result.index(bound)] = Condition(turned, bound.start, bound.end)
            b.use(range(i, i + 1))
            continue
        target = next((c for c in result if i < c.start <= i + 4 and c.where.op == "eq"), None)
        column = next((c for c in b.reading.columns if i < c.start <= i + 3 and (c.start, c.end) not in busy), None)
        if target is not None and (column is None or target.start < column.start or target.end >= column.start - 1):
            turned = target.where.model_copy(update={"op": "ne"})
            result[result.index(target)] = Condition(turned, target.start, target.end)
        elif column is not None and word.norm in ("no", "without", "sin", "zero"):
            view = b.reading.view.columns[b.take_column(column).column]
            empty = (
                Where(column=view.name, op="eq", values=("0",)) if view.numeric else Where(column=view.name, op="empty")
            )
            result.append(Condition(empty, i, column.end))
        else:
            continue
        b.use(range(i, i + 2 if word.norm == "other" else i + 1))
    return result


def _merge(found: Sequence[Condition]) -> list[Where]:
    """Equal columns of `eq` are alternatives (`in 2010 and 2012`); everything else must all hold."""
    merged: dict[tuple[str, str], Where] = {}
    for n, condition in enumerate(found):
        where = condition.where
        key = (where.column, where.op if where.op in ("eq", "ne") else f"{where.op}{n}")
        known = merged.get(key)
        values = tuple(dict.fromkeys((*(known.values if known else ()), *where.values)))
        merged[key] = where.model_copy(update={"values": values})
    return list(merged.values())
