"""Look-ups and lists: the cell in the row that the question describes, the rows that meet its conditions."""

from __future__ import annotations

import itertools

from contracts.plans import Plan, Where
from serve.compute import cues
from serve.compute.draft import Builder, Draft
from serve.compute.filters import add_conditions
from serve.compute.reading import ColumnSpan, Reading
from serve.compute.subject import Subject, name_column
from serve.compute.view import ColumnView

_PLACES = frozenset({"locat", "location", "place", "venu", "citi", "site", "countri", "stadium"})


def plan_find(reading: Reading, subject: Subject) -> list[Draft]:
    found = [_neighbour(reading, subject), _edge(reading, subject), _cell(reading, subject)]
    return [d for d in found if d is not None]


def _cell(reading: Reading, subject: Subject) -> Draft | None:
    """One column asked for, in the rows that the conditions leave."""
    b = Builder(reading)
    asked = _asked(b, subject)
    if asked is None:
        return None
    column, span = asked
    where = tuple(add_conditions(b, subject, keep=[span] if span else []))
    every = not where and span is None and subject.of_domain and _asks_for_all(reading)
    if not where and not every:
        b.lacking = 0.1
    if any(w.column == column.name and w.op == "eq" for w in where):
        b.doubt(0.2, f"{column.name} is what is asked for and what is given")
    many = any(reading.norms[i] in ("list", "all", "names") for i in range(min(4, len(reading.words))))
    # `Who has no sick leave?` may be several people.
    many = many or (span is None and column.index in subject.matcher.by_concept("employee_name") and _who(reading))
    many = many or every or _plural(reading, span) or (span is None and _plural_rows(reading, subject))
    return b.finish(Plan(op="list" if many else "lookup", column=column.name, where=where), column.name)


_ALL_OF = (("list",), ("show",), ("name",), ("enumerate",), ("lista",), ("listar",), ("enumera",), ("muestra",),
           ("who", "is"), ("who", "are"), ("quien", "esta"), ("quienes", "estan"))  # fmt: skip


def _asks_for_all(reading: Reading) -> bool:
    """`List the employees of the register`, `who is in it?`: every row is asked for, without a condition."""
    said = tuple(n for n in reading.norms if n not in ("please", "can", "you", "give", "me", "all", "muestrame"))
    return any(said[: len(cue)] == cue for cue in _ALL_OF)


def _who(reading: Reading) -> bool:
    return not {"who", "quien", "quienes"}.isdisjoint(reading.norms[:2])


def _plural(reading: Reading, span: ColumnSpan | None) -> bool:
    return span is not None and reading.norms[span.end - 1].endswith("s") and "which" in reading.norms


def _plural_rows(reading: Reading, subject: Subject) -> bool:
    return any(n.endswith("s") and subject.names(reading, i, i + 1) for i, n in enumerate(reading.norms))


def _asked(b: Builder, subject: Subject) -> tuple[ColumnView, ColumnSpan | None] | None:
    """The column that the question wants, by its wh-word and the phrase behind it."""
    view, norms = b.reading.view, b.reading.norms
    spans = list(b.reading.columns)
    wh = next((i for i, n in enumerate(norms) if n in _WH), None)
    if wh is not None:
        close = [s for s in spans if 0 < s.start - wh <= 4]
        if norms[wh] in _NOUN_BEHIND and _entity_behind(b, subject, wh):
            name = name_column(view, subject.matcher)
            return (name, None) if name is not None else None
        if close and norms[wh] not in ("who", "quien", "when", "where"):
            b.take_column(close[0])
            return view.columns[close[0].best.column], close[0]
        if norms[wh] in ("who", "whose", "quien"):
            return _person(b, subject, close)
        if norms[wh] in ("when", "cuando"):
            said = [s for s in spans if view.columns[s.best.column].is_calendar]
            if len(said) == 1:
                b.take_column(said[0])
                return view.columns[said[0].best.column], said[0]
            fit = [c for c in view.columns if not c.made and c.is_calendar]
            return (fit[0], None) if len(fit) == 1 else None
        if norms[wh] in ("where", "donde"):
            fit = [c for c in view.columns if set(c.stems) & _PLACES]
            return (fit[0], None) if len(fit) == 1 else None
    free = [s for s in spans if not any(v.end == s.start or s.end == v.start for v in b.reading.values)] or spans
    if len(free) == 1:
        b.take_column(free[0])
        return view.columns[free[0].best.column], free[0]
    return _rows_asked(b, subject, wh)


def _entity_behind(b: Builder, subject: Subject, wh: int) -> bool:
    """`Which employees …`, `list the staff …`: rows are asked for, whatever columns come later."""
    noun = next((i for i in range(wh + 1, len(b.reading.words)) if b.reading.norms[i] not in cues.FUNCTION), None)
    return noun is not None and noun <= wh + 2 and subject.names(b.reading, noun, noun + 1)


_NOUN_BEHIND = frozenset({"which", "what", "list", "name", "show", "enumerate", "que", "cual", "lista", "muestra"})
_WH = _NOUN_BEHIND | {"who", "whose", "when", "where", "quien", "cuando", "donde"}


def _person(b: Builder, subject: Subject, close: list[ColumnSpan]) -> tuple[ColumnView, ColumnSpan | None] | None:
    """`Who was the winner` asks for Winner; `who` alone for what names the rows."""
    at_verb = [s for s in close if b.reading.norms[s.start - 1] in ("the", "is", "was", "el", "la")]
    view = b.reading.view
    if subject.of_documents and not at_verb:
        return None
    if at_verb and not view.columns[at_verb[0].best.column].numeric:
        b.take_column(at_verb[0])
        return view.columns[at_verb[0].best.column], at_verb[0]
    name = name_column(view, subject.matcher)
    return (name, None) if name is not None else None


def _rows_asked(b: Builder, subject: Subject, wh: int | None) -> tuple[ColumnView, ColumnSpan | None] | None:
    """`Which employees …`: the noun stands for the rows, so what names them is asked for."""
    if wh is None or wh + 1 >= len(b.reading.words):
        return None
    name = name_column(b.reading.view, subject.matcher)
    noun = next((i for i in range(wh + 1, len(b.reading.words)) if b.reading.norms[i] not in cues.FUNCTION), None)
    if name is None or noun is None or noun > wh + 3:
        return None
    if any(v.start <= noun < v.end for v in b.reading.values):
        # `List the software engineers`: what the rows are is their condition.
        return (name, None) if b.reading.norms[wh] in ("list", "name") else None
    b.doubt(subject.cost(b.reading, noun, noun + 1), f"rows are taken to be “{b.reading.norms[noun]}”")
    b.use(range(noun, noun + 1))
    return name, None


def _edge(reading: Reading, subject: Subject) -> Draft | None:
    """`The first / last X listed`: in document order."""
    at = next((i for i, n in enumerate(reading.norms) if n in ("first", "last", "primer", "ultimo")), None)
    if at is None or any(c.start <= at < c.end for c in reading.columns):
        return None
    listed = {"listed", "list", "chart", "table", "top", "bottom"}.intersection(reading.norms)
    b = Builder(reading)
    b.use(range(at, at + 1))
    asked = _edge_column(b, subject, at)
    if asked is None:
        return None
    column, span = asked
    where = tuple(add_conditions(b, subject, keep=[span] if span else []))
    if not listed and not _chronological(reading):
        b.doubt(0.75, "rows are not in order of time")
    order = "asc" if reading.norms[at] in ("first", "primer") else "desc"
    if not listed and _descending(reading):
        order = "desc" if order == "asc" else "asc"
    return b.finish(Plan(op="lookup", column=column.name, where=where, order=order, limit=1), column.name)


def _edge_column(b: Builder, subject: Subject, at: int) -> tuple[ColumnView, ColumnSpan | None] | None:
    behind = [s for s in b.reading.columns if s.start in (at + 1, at + 2)]
    if {"who", "quien"}.intersection(b.reading.norms):
        columns = b.reading.view.columns
        behind = [s for s in behind if not columns[s.best.column].numeric and not columns[s.best.column].is_calendar]
    wh = [s for s in b.reading.columns if s.end <= at]
    if {"when", "cuando"}.intersection(b.reading.norms):
        fit = [c for c in b.reading.view.columns if not c.made and c.is_calendar]
        noun = b.reading.norms[at + 1 : at + 2]
        if len(fit) == 1 and noun and noun[0] in cues.TOPICS:
            b.use(range(at + 1, at + 2))
        return (fit[0], None) if len(fit) == 1 else None
    if b.reading.norms[at + 1 : at + 2] in (("year",), ("season",), ("date",), ("ano",)) and not behind:
        b.use(range(at + 1, at + 2))
        fit = [c for c in b.reading.view.columns if not c.made and c.is_calendar]
        return (fit[0], None) if len(fit) == 1 else None
    for span in (*wh[:1], *behind[:1]):
        b.take_column(span)
        return b.reading.view.columns[span.best.column], span
    return _rows_asked(b, subject, at)


def _chronological(reading: Reading) -> bool:
    return any(_sorted(c) for c in reading.view.columns if c.is_calendar)


def _descending(reading: Reading) -> bool:
    return any(_sorted(c) == "desc" for c in reading.view.columns if c.is_calendar)


def _sorted(column: ColumnView) -> str:
    values = [v for v in column.measures if v is not None]
    if len(values) < 2:
        return ""
    if all(a <= b for a, b in itertools.pairwise(values)):
        return "asc"
    return "desc" if all(a >= b for a, b in itertools.pairwise(values)) else ""


def _neighbour(reading: Reading, subject: Subject) -> Draft | None:
    """`What comes after X`, `which X is listed before Y`: the row beside the one named."""
    at = next((i for i, n in enumerate(reading.norms) if n in _OFFSET), None)
    if at is None:
        return None
    named = [v for v in reading.values if v.whole and 0 < v.start - at <= 3]
    if len(named) != 1:
        return None
    columns = [c for c in named[0].places if not reading.view.columns[c].numeric]
    if len(columns) != 1 or len(named[0].places[columns[0]]) != 1:
        return None
    column = reading.view.columns[columns[0]]
    b = Builder(reading)
    b.use(range(at, at + 1), range(named[0].start, named[0].end))
    b.use(
        i for i, n in enumerate(reading.norms) if n in ("next", "previous", "immediately", "right", "directly", "come")
    )
    _asked_same(b, subject, column, at)
    listed = {"listed", "list", "table", "chart", "next"}.intersection(reading.norms)
    if not listed and not _chronological(reading):
        b.doubt(0.9, "rows are taken in document order")
    where = Where(column=column.name, op="eq", values=(column.texts[named[0].places[columns[0]][0]],))
    step = _OFFSET[reading.norms[at]]
    if not listed and _descending(reading) and reading.norms[at] in ("after", "before"):
        step = -step
    return b.finish(Plan(op="lookup", column=column.name, where=(where,), offset=step), column.name)


_OFFSET = {"after": 1, "below": 1, "before": -1, "above": -1, "previous": -1}


def _asked_same(b: Builder, subject: Subject, column: ColumnView, at: int) -> None:
    """Words before the cue must name the same column, or the rows."""
    for span in b.reading.columns:
        if span.end <= at and span.best.column == column.index:
            b.take_column(span)
            return
    wh = next((i for i, n in enumerate(b.reading.norms[:at]) if n in _WH), None)
    if wh is not None:
        _rows_asked(b, subject, wh)
