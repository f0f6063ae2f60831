"""`Which X has the most Y`, `the three highest …`, `the second lowest …`."""

from __future__ import annotations

from contracts.plans import Plan
from serve.compute import cues
from serve.compute.draft import Builder, Draft
from serve.compute.filters import add_conditions
from serve.compute.reading import ColumnSpan, Reading
from serve.compute.subject import Subject, money_column, name_column, pay_column
from serve.compute.traits import is_identifier, noun_behind
from serve.compute.view import PERIOD_COLUMN, ColumnView
from serve.compute.words import CARDINAL, ordinal

_PERIODS = frozenset({"month", "period", "quarter", "year", "mes", "periodo", "trimestre"})
_SUMMED = frozenset({"sum", "together", "combined", "altogether", "suma", "juntos", "juntas"})
COUNTED_MONEY = frozenset({"expense", "expenses", "gasto", "gastos"})
"""Nouns that may mean the rows or their money: `the most expenses`."""
_PERSON = frozenset({"who", "whose", "quien", "quienes"})


def plan_ranking(reading: Reading, subject: Subject) -> list[Draft]:
    found = _superlative(reading, subject)
    return [found] if found is not None else []


def _superlative(reading: Reading, subject: Subject) -> Draft | None:
    at = superlative_at(reading)
    if at is None:
        return None
    b = Builder(reading)
    b.use(range(at, at + 1))
    norm = reading.norms[at]
    kind = cues.superlative(norm)
    money = money_column(reading, subject)
    measure = _measure(b, subject, at, norm, kind or "high") or _pay(b, subject) or _spent(b, money)
    if measure is None:
        return None
    column, span = measure
    limit, skipped = _limit(b, at), _skipped(b, at)
    target = target_column(b, subject, at, span)
    if target is None:
        return None
    where = tuple(add_conditions(b, subject, keep=[span] if span else []))
    added = _added_up(b, at, span)
    if not added and not _SUMMED.isdisjoint(reading.norms):
        b.doubt(0.3, "what is asked for is the sum of several")
    order = "asc" if kind in ("low", "early") else "desc"
    if set(column.stems) & cues.RANKS and kind in ("high", "low"):
        order = "asc" if kind == "high" else "desc"
        b.doubt(0.9, f"1 is the best {column.name}")
    plan = Plan(op="top", column=target.name, by=column.name, order=order, limit=limit, offset=skipped, where=where)
    if skipped and (added or target.made or limit > 1):
        return None
    if added or target.made or (column is money and _repeats(target) and not _of_one_row(reading, at)):
        if skipped or (not added and not any(s.best.column == target.index for s in reading.columns)):
            return None  # what is spent most on is not said
        plan = Plan(op="top", group_by=target.name, by=column.name, order=order, limit=limit, where=where)
    elif _repeats(target) and target.index not in subject.matcher.by_concept("employee_name"):
        b.ambiguous = True  # the department of the best-paid person, or the department that is paid most?
    return b.finish(plan, reading.phrase(at, span.end) if span and span.end > at else column.name)


def _added_up(b: Builder, at: int, span: ColumnSpan | None) -> bool:
    """`The highest total net pay` ranks groups by their sums; an average of groups is not planned."""
    between = range(at + 1, span.start) if span is not None else range(0)
    said = [i for i in between if b.reading.norms[i] in ("total", "combined", "overall", "average", "mean")]
    b.use(said)
    if any(b.reading.norms[i] in ("average", "mean") for i in said):
        b.doubt(0.2, "groups are not ranked by averages")
    return bool(said)


def _repeats(column: ColumnView) -> bool:
    filled = [t.strip() for t in column.texts if t.strip()]
    return len(set(filled)) < 0.8 * len(filled)


def superlative_at(reading: Reading) -> int | None:
    inside = {i for s in reading.columns for i in range(s.start, s.end)}
    taken = {i for c in reading.comparisons for i in range(c.start, c.end)}
    at = (i for i, n in enumerate(reading.norms) if i not in inside and i not in taken and cues.superlative(n))
    return next(at, None)


def _measure(
    b: Builder, subject: Subject, at: int, norm: str, kind: str
) -> tuple[ColumnView, ColumnSpan | None] | None:
    """The column that is ranked by, with the words that name it if any do."""
    columns = b.reading.view.columns
    if kind in ("late", "early"):
        fit = [c for c in columns if not c.made and c.is_calendar]
        if len(fit) == 1:
            b.use(i for i in range(len(b.reading.words)) if b.reading.norms[i] == "most" and i in (at - 1, at + 1))
            return fit[0], None
        return None
    people = set(subject.matcher.by_concept("employee_id", "employee_name"))
    behind = [s for s in b.reading.columns if at < s.start <= at + 4]
    if behind and behind[0].best.column in people and subject.names(b.reading, behind[0].start, behind[0].end):
        b.use_span(behind.pop(0))  # `the top 3 employees by net pay`
    ahead = [s for s in reversed(b.reading.columns) if s.end <= at] if not behind else []
    for span in (*behind, *ahead):
        column = columns[span.best.column]
        if column.numeric and is_identifier(b, column) and not set(column.stems) & cues.RANKS:
            return None
        if column.numeric or (span in behind and _ordered(column)):
            b.take_column(span)
            noun_behind(b, span)
            return column, span
        if span in behind:
            return None
    return _implied(b, norm)


def _pay(b: Builder, subject: Subject) -> tuple[ColumnView, None] | None:
    """`Who earns the most?` is by what is paid out, and says so."""
    column = pay_column(b.reading, subject)
    if column is None:
        return None
    b.use(i for i, n in enumerate(b.reading.norms) if n in cues.EARNING)
    b.ambiguous = True
    return column, None


def _spent(b: Builder, money: ColumnView | None) -> tuple[ColumnView, None] | None:
    """`Which vendor did we spend most with?` is by the one column of money."""
    if money is None:
        return None
    b.use(i for i, n in enumerate(b.reading.norms) if n in cues.SPENDING)
    b.doubt(0.95, f"spending is taken to be {money.name}")
    b.ambiguous = bool(COUNTED_MONEY.intersection(b.reading.norms))  # most money, or most rows?
    return money, None


def _of_one_row(reading: Reading, at: int) -> bool:
    """`The highest expense` is a row's, `most expenses` are a group's."""
    return reading.norms[at] not in ("most", "least") and not {"expense", "gasto"}.isdisjoint(
        reading.norms[at + 1 : at + 2]
    )


def _skipped(b: Builder, at: int) -> int:
    """1 for `the second highest`, 0 when no place is said."""
    place = ordinal(b.reading.norms[at - 1]) if at else None
    if place is None or place < 2:
        return 0
    b.use(range(at - 1, at))
    return place - 1


def _ordered(column: ColumnView) -> bool:
    return sum(v is not None for v in column.measures) >= 0.9 * max(1, len(column.texts)) and not column.is_calendar


def _implied(b: Builder, norm: str) -> tuple[ColumnView, ColumnSpan | None] | None:
    """`tallest` without a column said is by height, when there is such a column."""
    words = cues.DIMENSION.get(norm, ())
    fit = [c for c in b.reading.view.columns if set(c.stems) & set(words) and (c.numeric or _ordered(c))]
    return (fit[0], None) if len(fit) == 1 else None


def target_column(b: Builder, subject: Subject, at: int, measure: ColumnSpan | None) -> ColumnView | None:
    """What is asked for: the column after the wh-word, else what names rows."""
    view = b.reading.view
    before = [s for s in b.reading.columns if s.end <= at and s is not measure]
    wh = next((i for i, n in enumerate(b.reading.norms) if n in ("which", "what", "que", "cual", "name")), None)
    for span in before:
        if wh is None or span.start - wh <= 3:
            b.take_column(span)
            return view.columns[span.best.column]
    if wh is not None and _PERIODS.intersection(b.reading.norms[wh + 1 : wh + 3]):
        b.use(i for i in (wh + 1, wh + 2) if i < at and b.reading.norms[i] in _PERIODS)
        period = view.column(PERIOD_COLUMN)
        if period is not None:
            return period
        return _asked_time(b) if "year" in b.reading.norms else None
    if calendar := _asked_time(b):
        return calendar
    name = name_column(view, subject.matcher)
    noun = _noun_after(b, wh, at)
    if wh is not None and subject.document_noun(b.reading, wh + 1, at):
        b.doubt(subject.cost(b.reading, wh + 1, at), "rows are not what is asked for")
        b.use(range(wh + 1, at))
    elif noun is not None:
        b.doubt(subject.cost(b.reading, noun, noun + 1), f"rows are taken to be “{b.reading.norms[noun]}”")
        b.use(range(noun, noun + 1))
    elif wh is not None and not _PERSON.intersection(b.reading.norms):
        b.doubt(0.8, "what is asked for is not named")
    return name


def _asked_time(b: Builder) -> ColumnView | None:
    """`When`, `what year` and `which season` ask for the calendar column."""
    asked = {"when", "cuando", "year", "ano", "season"}.intersection(b.reading.norms)
    b.use(i for i, n in enumerate(b.reading.norms) if n in asked)
    fit = [c for c in b.reading.view.columns if not c.made and c.is_calendar]
    return fit[0] if asked and len(fit) == 1 else None


def _noun_after(b: Builder, wh: int | None, at: int) -> int | None:
    """The last plain word between the wh-word (or the start) and the superlative that no condition uses."""
    first = 0 if wh is None else wh + 1
    held = {i for v in b.reading.values for i in range(v.start, v.end)} | b.used | set(b.reading.context)
    plain = [
        i
        for i in range(first, at)
        if i not in held and b.reading.norms[i] not in cues.FUNCTION | cues.NEUTRAL | cues.MILD | cues.BLOCKERS
    ]
    return plain[-1] if plain else None


def _limit(b: Builder, at: int) -> int:
    """`top 3`, `three highest`, `5 lowest`; 1 when no number stands beside the superlative."""
    for i in (at - 1, at + 1):
        if 0 <= i < len(b.reading.words):
            norm = b.reading.norms[i]
            number = int(norm) if norm.isdigit() and len(norm) < 4 else CARDINAL.get(norm)
            if number is not None and number > 0:
                b.use(range(i, i + 1))
                return number
    return 1
