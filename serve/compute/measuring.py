"""Sums, averages, medians, extremes and shares of a number column, over all rows, some, or each group."""

from __future__ import annotations

import re

from contracts.plans import Op, Plan
from serve.compute import cues
from serve.compute.draft import Builder, Draft
from serve.compute.filters import add_conditions
from serve.compute.reading import ColumnSpan, Reading
from serve.compute.subject import Subject, money_column, pay_column
from serve.compute.traits import is_identifier

_CUES: tuple[tuple[tuple[str, ...], Op], ...] = (
    (("average",), "avg"), (("mean",), "avg"), (("promedio",), "avg"), (("media",), "avg"), (("medio",), "avg"),
    (("median",), "median"), (("mediana",), "median"),
    (("sum",), "sum"), (("total",), "sum"), (("combined",), "sum"), (("altogether",), "sum"), (("suma",), "sum"),
    (("add", "up", "to"), "sum"),
    (("highest",), "max"), (("largest",), "max"), (("maximum",), "max"), (("most",), "max"), (("greatest",), "max"),
    (("biggest",), "max"), (("max",), "max"), (("maximo",), "max"), (("mayor",), "max"), (("alto",), "max"),
    (("lowest",), "min"), (("smallest",), "min"), (("minimum",), "min"), (("least",), "min"), (("fewest",), "min"),
    (("min",), "min"), (("minimo",), "min"), (("menor",), "min"), (("bajo",), "min"),
)  # fmt: skip
_SHARE = frozenset({"share", "percentage", "percent", "proportion", "fraction", "porcentaje", "proporcion"})
GROUPING = frozenset({"per", "by", "each", "every", "por", "cada"})
_WE_SPENT = re.compile(r"what (?:did|do|have|had) (?:we|they|i|you) (?:spend|spent|pay|paid)\b")
_ASKING_ROWS = frozenset({"who", "quien", "when", "cuando", "where", "donde", "whose"})
_EVERY = frozenset({"all", "every", "todas", "todos"})
_WHOLE_ROWS = frozenset({"total", "overall", "all", "whole", "entire", "combined", "both", "together", "altogether"})


def plan_measure(reading: Reading, subject: Subject, counting: bool) -> list[Draft]:
    """`counting`: rows are asked for by `how many`, so a number column is only a condition, or a share's measure."""
    if counting and not _SHARE.intersection(reading.norms):
        return []
    return [
        d
        for d in (_aggregate(reading, subject), _share(reading, subject), _bare_amount(reading, subject))
        if d is not None
    ]


def _cue(reading: Reading) -> tuple[int, int, Op] | None:
    """The first cue that is not itself part of a column's name."""
    inside = {i for s in reading.columns for i in range(s.start, s.end)}
    taken = {i for c in reading.comparisons for i in range(c.start, c.end)}
    for at in range(len(reading.words)):
        if at in inside or at in taken:
            continue
        for words, op in _CUES:
            if reading.norms[at : at + len(words)] == words:
                return at, at + len(words), op
    return None


def _unsaid(reading: Reading) -> tuple[int, int, Op] | None:
    """`Net pay per department` and `the total amount of all invoices` (a column by that name) add up too."""
    # The `per` of a column called Hotel per night groups nothing.
    outside = {n for i, n in enumerate(reading.norms) if i not in reading.held}
    adding = (GROUPING | _EVERY) & outside and measures_of(reading)
    return (0, 0, "sum") if adding else None


def measures_of(reading: Reading) -> list[ColumnSpan]:
    b = Builder(reading)
    columns = reading.view.columns
    return [
        s for s in reading.columns if columns[s.best.column].numeric and not is_identifier(b, columns[s.best.column])
    ]


def _aggregate(reading: Reading, subject: Subject) -> Draft | None:
    cue = _cue(reading) or _unsaid(reading)
    if cue is None:
        return None
    start, end, op = cue
    behind = [s for s in measures_of(reading) if s.start >= end] or measures_of(reading)
    if not behind:
        return _spent(reading, subject, cue)
    b = Builder(reading)
    b.use(range(start, end))
    column = reading.view.columns[b.take_column(behind[0]).column]
    if op in ("min", "max") and _asks_for_row(reading, start):
        return None
    group = _group(b, behind[0])
    _doubt_of_totals(b, op, group)
    where = tuple(add_conditions(b, subject, keep=[behind[0]]))
    b.use(i for i, n in enumerate(reading.norms) if n in _WHOLE_ROWS)
    label = reading.phrase(start, behind[0].end) if behind[0].start >= end else column.name
    return b.finish(Plan(op=op, column=column.name, where=where, group_by=group), label)


def _spent(reading: Reading, subject: Subject, cue: tuple[int, int, Op]) -> Draft | None:
    """`What did we spend on travel in total?`: the one column of money, over the rows meant."""
    column = money_column(reading, subject)
    start, end, op = cue
    if column is None or (op in ("min", "max") and _asks_for_row(reading, start)):
        return None
    b = Builder(reading)
    b.use(range(start, end), (i for i, n in enumerate(reading.norms) if n in cues.SPENDING))
    b.doubt(0.95, f"spending is taken to be {column.name}")
    group = _group(b, None)
    _doubt_of_totals(b, op, group)
    where = tuple(add_conditions(b, subject))
    paid = cues.SPENDING.intersection(reading.norms) <= {"paid", "pay"}
    if paid and not any(w.op == "eq" and (c := reading.view.column(w.column)) and not c.is_calendar for w in where):
        b.ambiguous = True  # salaries are paid too
    b.use(i for i, n in enumerate(reading.norms) if n in _WHOLE_ROWS)
    return b.finish(Plan(op=op, column=column.name, where=where, group_by=group), column.name)


def _doubt_of_totals(b: Builder, op: Op, group: str | None) -> None:
    """`The lowest total by category` compares sums of groups, not the lowest cell of each."""
    if group is not None and op in ("min", "max") and not {"total", "combined", "overall"}.isdisjoint(b.reading.norms):
        b.doubt(0.3, "sums of groups are compared")


def _asks_for_row(reading: Reading, cue: int) -> bool:
    """`Which employee has the highest …` wants a row, `what is the highest …` the number."""
    before = reading.norms[:cue]
    if not _ASKING_ROWS.isdisjoint(before):
        return True
    wh = next((i for i, n in enumerate(before) if n in ("which", "what", "que", "cual")), None)
    if wh is None:
        return False
    return wh + 1 < cue and reading.norms[wh + 1] not in ("is", "was", "are", "were", "s", "es", "the", "el", "la")


def _group(b: Builder, measure: ColumnSpan | None) -> str | None:
    """`per department`, `by department`, `for each department`."""
    for span in b.reading.columns:
        if span is measure:
            continue
        column = b.reading.view.columns[span.best.column]
        before = b.reading.norms[max(0, span.start - 2) : span.start]
        if GROUPING.intersection(before) and not column.numeric:
            b.take_column(span)
            b.use(i for i in range(max(0, span.start - 2), span.start) if b.reading.norms[i] in GROUPING)
            return column.name
    return None


def group_of(b: Builder, counted: ColumnSpan | None) -> str | None:
    """The group-by column of a question that counts rows."""
    return _group(b, counted)


def _share(reading: Reading, subject: Subject) -> Draft | None:
    at = next((i for i, n in enumerate(reading.norms) if n in _SHARE), None)
    if at is None:
        return None
    b = Builder(reading)
    b.use(range(at, at + 1))
    measure = [s for s in measures_of(reading) if s.start > at and not _counts_rows(reading, subject, at, s.start)]
    column = reading.view.columns[b.take_column(measure[0]).column].name if measure else None
    if column is None and (spent := money_column(reading, subject)) is not None:
        # Of the money, not of the rows; the answer says so.
        column, b.ambiguous = spent.name, True
        b.use(i for i, n in enumerate(reading.norms) if n in cues.SPENDING)
    where = tuple(add_conditions(b, subject, keep=measure[:1]))
    b.use(i for i, n in enumerate(reading.norms) if n in _WHOLE_ROWS)
    if not where:
        return None
    if column is None:
        _rows_noun(b, subject)
    return b.finish(Plan(op="share", column=column, where=where))


def _counts_rows(reading: Reading, subject: Subject, share: int, end: int) -> bool:
    """`What percentage of employees earn more than … net`: a share of the rows, whatever column comes later."""
    return any(subject.names(reading, i, i + 1) for i in range(share + 1, end))


def _rows_noun(b: Builder, subject: Subject) -> None:
    for i in range(len(b.reading.words)):
        if i not in b.used and subject.names(b.reading, i, i + 1):
            b.use(range(i, i + 1))


def _bare_amount(reading: Reading, subject: Subject) -> Draft | None:
    """`How much is paid in Weaving?` with a number column named: the sum over the rows meant."""
    text = " ".join(reading.norms)
    if not text.startswith(("how much", "cuanto")) and not _WE_SPENT.match(text):
        return None
    measure = measures_of(reading)
    spent = money_column(reading, subject) if not measure else None
    if spent is not None:
        return _spent(reading, subject, (0, 1 if text.startswith("cuanto") else 2, "sum"))
    paid = pay_column(reading, subject) if not measure else None
    if len(measure) != 1 and paid is None:
        return None
    b = Builder(reading)
    b.use(range(2))
    if paid is not None:
        b.use(i for i, n in enumerate(reading.norms) if n in cues.EARNING)
        b.ambiguous = True
    column = paid or reading.view.columns[b.take_column(measure[0]).column]
    where = tuple(add_conditions(b, subject, keep=measure))
    if not where:
        b.doubt(0.7, f"all rows of {column.name} are added up")
    return b.finish(Plan(op="sum", column=column.name, where=where), column.name)
