"""`How many …`: rows, distinct values, or - when what is counted is a number column - its cells."""

from __future__ import annotations

import re
from dataclasses import dataclass

from compression.terms import stem
from contracts.plans import Plan, Where
from serve.compute import cues
from serve.compute.draft import Builder, Draft
from serve.compute.filters import add_conditions
from serve.compute.measuring import GROUPING, group_of
from serve.compute.reading import ColumnSpan, Reading
from serve.compute.subject import Subject, name_column
from serve.compute.traits import is_identifier
from serve.compute.words import word_set

_CUE = re.compile(
    r"\b(how many|the number of|number of|what number of|count of|count the|total number of|cuantos|cuantas|numero de)\b"
)
_ASKED = re.compile(r"(?:what (?:is|was|are|were)|tell me|give|find|in total|state)?\s*(?:the )?(?:total )?\Z")
"""What may stand before `number of` when the number is asked for; `the highest number of` ranks instead."""
_STOP = word_set("""
    was were is are did do does have has had in of on at with from that which who there to for by not won win lost be
    been under above below over before after since between can will would and finished scored received played during
    hay en de del con que tiene tienen son estan fueron cobran ganan trabajan
    """)
_DISTINCT = frozenset({"different", "distinct", "unique", "distintos", "distintas", "diferentes"})
_DURATIONS = frozenset(map(stem, ("year", "day", "month", "week", "hour", "minute", "second", "decade")))


@dataclass(frozen=True)
class Focus:
    """What is counted: words `start` to `end` after the cue that begins at `cue`."""

    cue: int
    start: int
    end: int


def plan_count(reading: Reading, subject: Subject) -> list[Draft]:
    focus = find_focus(reading)
    if focus is None:
        return []
    spans = reading.columns_in(focus.start, focus.end)
    if not spans and (wider := _of_column(reading, focus)) is not None:
        spans, focus = reading.columns_in(focus.start, wider.end), wider
    measure = [s for s in spans if _is_measure(reading, s)]
    drafts: list[Draft | None] = [_count_rows(reading, subject, focus)]
    drafts.append(_quantity(reading, subject, focus))
    if measure:
        drafts.append(_measured(reading, subject, focus, measure))
    return [d for d in drafts if d is not None]


def find_focus(reading: Reading) -> Focus | None:
    text = " ".join(reading.norms)
    found = _CUE.search(text)
    if found is None or (found[0].endswith("number of") and not _ASKED.match(text[: found.start()])):
        return None
    if re.match(r" the \w+(?<!s)\b", text[found.end() :]) and found[0].endswith("number of"):
        return None  # `the number of the invoice` is its number
    cue = text[: found.start()].count(" ")
    start = cue + found[0].count(" ") + 1
    end = start
    while end < len(reading.words) and (end == start or _goes_on(reading, end)):
        end += 1
    if found[0].endswith("number of") and end == start + 1 and re.search(r"[a-z]\d", reading.norms[start]):
        return None  # `the number of INV-7`
    return Focus(cue, start, end)


def _of_column(reading: Reading, focus: Focus) -> Focus | None:
    """`How many days of annual leave …`: the column behind the unit is what is counted."""
    only = reading.norms[focus.start : focus.end] in (("days",), ("dias",))
    behind = [s for s in reading.columns if s.start == focus.end + 1 and _is_measure(reading, s)]
    if not only or not behind or reading.norms[focus.end] not in ("of", "de"):
        return None
    return Focus(focus.cue, focus.start, behind[0].end)


def _goes_on(reading: Reading, i: int) -> bool:
    """Whether the counted phrase reaches word `i`: up to its verb, through names that have function words in them."""
    norm = reading.norms[i]
    if norm in cues.MILD or norm in cues.OUTCOMES:
        return False
    return i in reading.held or norm not in _STOP


def _is_measure(reading: Reading, span: ColumnSpan) -> bool:
    column = reading.view.columns[span.best.column]
    b = Builder(reading)
    return column.numeric and not is_identifier(b, column) and not column.is_calendar


def _count_rows(reading: Reading, subject: Subject, focus: Focus) -> Draft | None:
    b = Builder(reading)
    b.use(range(focus.cue, focus.start))
    inside = reading.columns_in(focus.start, focus.end)
    plain = (s for s in reversed(inside) if not _is_measure(reading, s) and reading.norms[s.start - 1] not in GROUPING)
    counted = next(plain, None)
    if counted is None and any(_is_measure(reading, s) for s in inside):
        return None
    _drop_vague_head(b, focus)
    where = tuple(add_conditions(b, subject, keep=[counted] if counted else []))
    group = group_of(b, counted)
    spanned = reading.norms[focus.end : focus.end + 1] in (("after",), ("before",), ("between",), ("since",))
    if spanned and reading.words[focus.end - 1].stem in _DURATIONS:
        b.doubt(0.3, "a length of time is asked for")
    distinct = bool(_DISTINCT.intersection(reading.norms[focus.start : focus.end]))
    if counted is not None and not b.used.issuperset(range(counted.start, counted.end)):
        b.use_span(counted)
        match = counted.best
        if _names_entity(b, subject, counted):
            plan = Plan(op="count", where=where, group_by=group)
            return b.finish(plan, reading.phrase(focus.start, focus.end))
        b.doubt(min(1.0, match.score + 0.08), f"rows are counted by {match.why}")
        if counted.ambiguous and not where:
            b.doubt(0.6, "several columns hold what is counted")
        column = reading.view.columns[match.column]
        label = reading.phrase(focus.start, focus.end)
        op = "count_distinct" if distinct or _repeats(reading, match.column, where) else "count"
        if op == "count_distinct" and not distinct:
            b.doubt(0.8, f"values of {column.name} repeat; distinct ones are counted")
        return b.finish(Plan(op=op, column=column.name, where=where, group_by=group), label)
    _noun(b, subject, focus, bool(where))
    return b.finish(Plan(op="count", where=where, group_by=group), reading.phrase(focus.start, focus.end))


def _names_entity(b: Builder, subject: Subject, counted: ColumnSpan) -> bool:
    """Whether the counted column is the name of who the rows are: two people may share a name, so rows are counted."""
    column = b.reading.view.columns[counted.best.column]
    named = subject.names(b.reading, counted.start, counted.end)
    return named and column.index in subject.matcher.by_concept("employee_id", "employee_name")


def _drop_vague_head(b: Builder, focus: Focus) -> None:
    """A counted noun that merely occurs inside some cells is what rows are, not a condition."""
    for span in b.reading.values_in(focus.start, focus.end):
        if span.end == focus.end and not span.whole:
            b.doubt(0.8, f"“{b.reading.phrase(span.start, span.end)}” also stands in cells")
            b.use_span(span)


def _repeats(reading: Reading, column: int, where: tuple[object, ...]) -> bool:
    """Whether the counted column repeats values while nothing narrows the rows down."""
    texts = [t.strip() for t in reading.view.columns[column].texts if t.strip()]
    return not where and len(set(texts)) < 0.9 * len(texts)


def _noun(b: Builder, subject: Subject, focus: Focus, filtered: bool) -> None:
    """The noun that is counted must be what rows are; one that nothing ties to the table costs."""
    if subject.names(b.reading, focus.start, focus.end):
        b.use(range(focus.start, focus.end))
    elif subject.of_documents or subject.document_noun(b.reading, focus.start, focus.end):
        b.doubt(subject.cost(b.reading, focus.start, focus.end), "rows are not what is counted")
        b.use(range(focus.start, focus.end))
    left = [i for i in range(focus.start, focus.end) if i not in b.used and i not in b.reading.context]
    left = [i for i in left if b.reading.norms[i] not in cues.FUNCTION | cues.NEUTRAL | cues.BLOCKERS]
    if not left:
        return
    head = left[-1]
    if b.reading.words[head].stem in _DURATIONS:
        b.doubt(0.6 if not subject.of_domain else 0.4, f"“{b.reading.norms[head]}” may be a length of time")
    if not filtered:
        b.doubt(0.9, "no condition chooses rows")
    b.doubt(subject.cost(b.reading, focus.start, head + 1), f"rows are taken to be “{b.reading.norms[head]}”")
    b.use(range(head, head + 1))
    if subject.names(b.reading, focus.start, head + 1):
        b.use(range(focus.start, head + 1))


def _quantity(reading: Reading, subject: Subject, focus: Focus) -> Draft | None:
    """`How many days of training does the invoice charge?`: the quantity in the line that is described."""
    columns = subject.matcher.by_concept("quantity")
    if (
        len(columns) != 1
        or reading.columns_in(focus.start, focus.end)
        or subject.names(reading, focus.start, focus.end)
    ):
        return None
    b = Builder(reading)
    b.use(range(focus.cue, focus.end))
    where = tuple(add_conditions(b, subject))
    if not where:
        return None
    column = reading.view.columns[columns[0]]
    return b.finish(Plan(op="sum", column=column.name, where=where), reading.phrase(focus.start, focus.end))


def _measured(reading: Reading, subject: Subject, focus: Focus, measure: list[ColumnSpan]) -> Draft | None:
    """`How many points did X score?`: the cell of one row, or the sum over several when `total` is said."""
    b = Builder(reading)
    b.use(range(focus.cue, focus.start))
    named = [s for s in measure if reading.phrase(s.start, s.end).lower() != "total"] or measure
    if len(named) > 1:
        return None
    column = reading.view.columns[b.take_column(named[0]).column]
    # `gold medals` where the column is Gold: the noun behind it says what is measured.
    b.use(i for i in range(named[0].end, focus.end) if i not in reading.held)
    b.use(i for i in range(focus.start, named[0].start) if reading.words[i].stem in _DURATIONS)
    where = tuple(add_conditions(b, subject, keep=measure))
    if any(w.column == column.name and w.op in ("lt", "le", "gt", "ge", "between") for w in where):
        # `How many withdrawals were above 3,000?` counts the rows that have one.
        return b.finish(Plan(op="count", where=where), reading.phrase(focus.start, focus.end))
    total = {"total", "combined", "together", "altogether", "overall", "all"}.intersection(reading.norms)
    b.use(i for i, n in enumerate(reading.norms) if n in total)
    label = reading.phrase(focus.start, focus.end)
    if reading.view.may_be_empty(column) and not total:
        # `How many withdrawals` are there, of a statement: the rows that have one. Their sum is `how much`.
        return b.finish(Plan(op="count", where=(*where, Where(column=column.name, op="not_empty"))), label)
    if not where and not total:
        b.doubt(0.6, f"all rows of {column.name} are added up")
    return b.finish(Plan(op="sum", column=column.name, where=where), label)


__all__ = ["find_focus", "name_column", "plan_count"]
