"""What a question about two tables asks: who joined, who left, what changed, in which order and of whom."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from contracts.documents import TableSummary
from contracts.questions import Question
from serve.compute.choose import Group
from serve.compute.plan import Planner
from serve.compute.subject import name_column
from serve.compute.view import ColumnView, TableView

Kind = Literal["joined", "left", "changed"]

_ABSENT = re.compile(
    r"\b(?:but|and)\s+(?:is\s+|are\s+|was\s+|were\s+)?(?:not|missing)\b|\bpero no\b|\bmissing\s+(?:in|from)\b",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"\b(?:joined|new (?:employees|people|staff|entries|joiners)|added|joiners|nuevos|did \w+ join)\b", re.IGNORECASE
)
# `did anyone leave`, but not the leave that a policy grants.
_LEFT = re.compile(
    r"\b(?:left|leavers|removed|gone|dropped out|no longer|bajas|did \w+ (?:leave|quit|resign))\b", re.IGNORECASE
)
_CHANGED = re.compile(
    r"\b(?:chang(?:e|es|ed)|differ(?:s|ent|ence|ences)?|compar(?:e|ed|ing)|against|versus|vs|cambi(?:ó|o|os|aron)|compara)\b",
    re.IGNORECASE,
)


def asks_comparison(text: str) -> Kind | None:
    """`left`: in the first table named and not in the second; whoever asks in the other order gets `joined`."""
    if _ABSENT.search(text):
        return "left"
    for kind, cue in (("joined", _JOINED), ("left", _LEFT), ("changed", _CHANGED)):
        if cue.search(text):
            return kind  # type: ignore[return-value]
    return None


def in_order(question: Question, group: Group, kind: Kind) -> tuple[TableSummary, TableSummary] | None:
    """The two tables meant: by the periods as named for `left … but not in …`, else the earlier first."""
    summaries = [s for s in group.summaries if s.period]
    named = [next((s for s in summaries if s.period == p), None) for p in question.periods]
    if len(named) == 2 and named[0] is not None and named[1] is not None:
        pair = (named[0], named[1])
        return pair if _ABSENT.search(question.text) else _by_time(*pair)
    return _by_time(summaries[0], summaries[1]) if len(summaries) == 2 else None


def _by_time(a: TableSummary, b: TableSummary) -> tuple[TableSummary, TableSummary]:
    return (a, b) if (a.period or "") <= (b.period or "") else (b, a)


def changed_column(planner: Planner, text: str) -> ColumnView | None:
    """The column whose changes are asked for, None when the question names none."""
    reading = planner.reader.read(text)
    spans = [s for s in reading.columns if s.best.score >= 0.7]
    numeric = [s for s in spans if planner.view.columns[s.best.column].numeric]
    chosen = (numeric or spans)[:1]
    return planner.view.columns[chosen[0].best.column] if chosen else None


def named_keys(planners: Sequence[Planner], text: str, key: str) -> frozenset[str]:
    """The keys (folded) of the rows that the question names by their code or their name."""
    found: set[str] = set()
    for planner in planners:
        view, who = planner.view, name_column(planner.view, planner.matcher)
        telling = {c.index for c in (view.column(key), who) if c is not None}
        rows = (
            r
            for span in planner.reader.read(text).values
            if span.whole
            for column, places in span.places.items()
            if column in telling
            for r in places
        )
        found.update(folded_key(view.rows[r].row.cells[column_index(view, key)]) for r in rows)
    return frozenset(found)


def column_index(view: TableView, key: str) -> int:
    found = view.column(key)
    assert found is not None
    return found.index


def folded_key(text: str) -> str:
    """A key as two tables are compared by: without case and further spaces."""
    return " ".join(text.casefold().split())
