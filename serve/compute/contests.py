"""`Who had more, A or B`, `which X occurs most`: two rows, or all groups, against each other."""

from __future__ import annotations

from contracts.plans import Plan, Where
from serve.compute import cues
from serve.compute.draft import Builder, Draft
from serve.compute.filters import add_conditions
from serve.compute.ranking import COUNTED_MONEY, superlative_at
from serve.compute.reading import Reading
from serve.compute.subject import Subject, money_column
from serve.compute.traits import is_identifier

_COMPARATIVE = {
    "more": "desc", "higher": "desc", "larger": "desc", "bigger": "desc", "greater": "desc", "longer": "desc",
    "taller": "desc", "later": "desc", "heavier": "desc", "less": "asc", "fewer": "asc", "lower": "asc",
    "smaller": "asc", "shorter": "asc", "earlier": "asc", "lighter": "asc", "first": "asc",
    "mas": "desc", "menos": "asc", "mayor": "desc", "menor": "asc",
}  # fmt: skip


def plan_contest(reading: Reading, subject: Subject) -> list[Draft]:
    found = [_either_or(reading, subject), _most_rows(reading, subject)]
    return [d for d in found if d is not None]


def _either_or(reading: Reading, subject: Subject) -> Draft | None:
    """`Who had more goals, A or B?`: the one of the two rows that is ahead."""
    if "or" not in reading.norms and "o" not in reading.norms:
        return None
    joint = reading.norms.index("or" if "or" in reading.norms else "o")
    left = [v for v in reading.values if v.end == joint]
    right = [v for v in reading.values if v.start in (joint + 1, joint + 2)]
    cue = next((i for i, n in enumerate(reading.norms) if n in _COMPARATIVE or cues.superlative(n)), None)
    if not left or not right or cue is None:
        return None
    both = [c for c in left[0].places if c in right[0].places and not reading.view.columns[c].numeric]
    spans = [s for s in reading.columns if reading.view.columns[s.best.column].numeric and s.best.column not in both]
    if len(both) != 1 or len(spans) != 1:
        return None
    b = Builder(reading)
    column, measure = reading.view.columns[both[0]], reading.view.columns[b.take_column(spans[0]).column]
    b.use(range(cue, cue + 1), range(joint, joint + 1), range(left[0].start, left[0].end))
    b.use(range(right[0].start, right[0].end))
    rows = [left[0].places[both[0]], right[0].places[both[0]]]
    if any(len(r) != 1 for r in rows) or rows[0] == rows[1]:
        return None
    norm = reading.norms[cue]
    order = _COMPARATIVE.get(norm) or ("asc" if cues.superlative(norm) in ("low", "early") else "desc")
    if is_identifier(b, measure):
        b.doubt(0.6, f"{measure.name} may be a rank")
    where = Where(column=column.name, op="eq", values=tuple(column.texts[r[0]] for r in rows))
    plan = Plan(op="top", column=column.name, by=measure.name, order=order, limit=1, where=(where,))
    return b.finish(plan, measure.name)


def _most_rows(reading: Reading, subject: Subject) -> Draft | None:
    """`Which country has the most players?`: the group with the most rows."""
    at = superlative_at(reading)
    if at is None or cues.superlative(reading.norms[at]) not in ("high", "low") or reading.norms[at] == "top":
        return None
    if money_column(reading, subject) is not None and COUNTED_MONEY.isdisjoint(reading.norms):
        return None  # money is ranked, not rows
    before = [s for s in reading.columns if s.end <= at and not reading.view.columns[s.best.column].numeric]
    if not before:
        return None
    b = Builder(reading)
    b.use(range(at, at + 1))
    column = reading.view.columns[b.take_column(before[-1]).column]
    filled = [t.strip() for t in column.texts if t.strip()]
    if len(set(filled)) > 0.8 * len(filled):
        return None
    behind = [s for s in reading.columns if at < s.start <= at + 3]
    if behind and (measured := reading.view.columns[behind[0].best.column]).numeric and not is_identifier(b, measured):
        return None
    for span in behind[:1]:
        b.take_column(span)
    where = tuple(add_conditions(b, subject, keep=[before[-1], *behind[:1]]))
    noun = [i for i in range(at + 1, len(reading.words)) if i not in b.used and reading.norms[i] not in cues.FUNCTION]
    if noun and not behind:
        b.doubt(0.8, f"rows are taken to be “{reading.norms[noun[0]]}”")
        b.use(range(noun[0], noun[0] + 1))
    order = "asc" if cues.superlative(reading.norms[at]) == "low" else "desc"
    return b.finish(Plan(op="top", group_by=column.name, order=order, limit=1, where=where), "rows")
