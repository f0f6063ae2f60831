"""Conditions by another row: `more goals than X`, `built after X`, `the same score as X`."""

from __future__ import annotations

from contracts.plans import Where
from serve.compute.draft import Builder
from serve.compute.reading import ValueSpan
from serve.compute.view import ColumnView

_MORE = frozenset({"more", "higher", "larger", "bigger", "greater", "longer", "taller", "heavier", "later"})
_LESS = frozenset({"less", "fewer", "lower", "smaller", "shorter", "lighter", "earlier"})
_TIME = {"after": "gt", "before": "lt", "since": "ge"}
_REACH = 5
"""Words between the comparative and its `than`."""


def relative_conditions(b: Builder) -> list[tuple[Where, int, int]]:
    """Conditions whose other side is a row that the question names; (condition, first word, last word + 1)."""
    found = []
    for span in b.reading.values:
        row = _one_row(b, span)
        if row is None:
            continue
        same = _same(b, span, row)
        made = same or _than(b, span, row) or _time(b, span, row)
        if made is not None:
            b.use_span(span)
            found.append((made, span.start, span.end))
        if made is not None and made.op != "ge":
            # The row that others are compared with is not one of the others.
            found.append((_other_than(b, span, row), span.start, span.end))
    return found


def _other_than(b: Builder, span: ValueSpan, row: int) -> Where:
    column = next(b.reading.view.columns[c] for c, rows in span.places.items() if row in rows)
    return Where(column=column.name, op="ne", values=(column.texts[row],))


def _one_row(b: Builder, span: ValueSpan) -> int | None:
    rows = {r for c, rows in span.places.items() if not b.reading.view.columns[c].numeric for r in rows}
    return next(iter(rows)) if len(rows) == 1 and span.whole else None


def _before(b: Builder, span: ValueSpan) -> int:
    """The word right before the name, articles skipped."""
    at = span.start - 1
    return at - 1 if at > 0 and b.reading.norms[at] in ("the", "a", "el", "la") else at


def _than(b: Builder, span: ValueSpan, row: int) -> Where | None:
    at = _before(b, span)
    if at < 1 or b.reading.norms[at] not in ("than", "que"):
        return None
    cue = next((i for i in range(at - 1, max(-1, at - 1 - _REACH), -1) if b.reading.norms[i] in _MORE | _LESS), None)
    columns = [s for s in b.reading.columns if cue is not None and cue < s.start < at]
    if cue is None or len(columns) != 1:
        return None
    column = b.reading.view.columns[b.take_column(columns[0]).column]
    text = _value(column, row)
    if text is None:
        return None
    b.use(range(cue, cue + 1), range(at, at + 1), range(columns[0].end, at))
    return Where(column=column.name, op="gt" if b.reading.norms[cue] in _MORE else "lt", values=(text,))


def _time(b: Builder, span: ValueSpan, row: int) -> Where | None:
    at = _before(b, span)
    op = _TIME.get(b.reading.norms[at]) if at >= 0 else None
    calendars = [c for c in b.reading.view.columns if not c.made and c.is_calendar]
    if op is None or len(calendars) != 1:
        return None
    text = _value(calendars[0], row)
    if text is None:
        return None
    b.use(range(at, at + 1))
    return Where.model_validate({"column": calendars[0].name, "op": op, "values": (text,)})


def _same(b: Builder, span: ValueSpan, row: int) -> Where | None:
    """`The same score as X`."""
    at = _before(b, span)
    if at < 1 or b.reading.norms[at] != "as":
        return None
    same = next((i for i in range(at - 1, max(-1, at - 2 - _REACH), -1) if b.reading.norms[i] == "same"), None)
    columns = [s for s in b.reading.columns if same is not None and same < s.start < at]
    if same is None or len(columns) != 1:
        return None
    column = b.reading.view.columns[b.take_column(columns[0]).column]
    b.use(range(same, same + 1), range(at, at + 1), range(columns[0].end, at))
    return Where(column=column.name, op="eq", values=(column.texts[row],)) if column.texts[row].strip() else None


def _value(column: ColumnView, row: int) -> str | None:
    """The named row's own value, in the form that conditions on the column compare with."""
    if column.numeric:
        return None if column.numbers[row] is None else f"{column.numbers[row]:f}"
    day = column.dates[row]
    if day is not None:
        return day.isoformat()
    if column.is_calendar:
        return None if column.years[row] is None else str(column.years[row])
    return None if column.measures[row] is None else f"{column.measures[row]:f}"
