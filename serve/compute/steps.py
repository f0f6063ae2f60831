"""Questions in two steps: above the average, the sum of the highest few, how far two figures are apart.

Each step is a question of its own, planned and run like any other; here they are only worded and put together. What
the wording leaves open (whose average?) is not planned.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal

from contracts.marks import Mark
from contracts.plans import Computation
from serve.compute.measuring import measures_of
from serve.compute.naming import amount
from serve.compute.plan import Planner
from serve.compute.reading import Reading
from serve.compute.result import computation
from serve.compute.running import Trial
from serve.compute.subject import pay_column
from serve.compute.view import ColumnView
from serve.compute.words import CARDINAL

Ask = Callable[[str], Trial | None]
"""The one sure trial of a question, None when there is none."""

_LESS = "below|under|beneath|less than|lower than|fewer than|smaller than"
_MORE = "above|over|exceeding|more than|higher than|greater than|larger than"
_AVERAGE = re.compile(rf"\b(?:(?P<less>{_LESS})|{_MORE})\s+(?:the\s+)?(?:overall\s+)?(?:average|mean)\b", re.IGNORECASE)
_NUMBER = rf"(?:\d{{1,3}}|{'|'.join(w for w in CARDINAL if w not in ('one', 'a', 'an'))})"
_EXTREME = "highest|lowest|largest|smallest|biggest|top|bottom|best|most|least"
_FEW = re.compile(rf"\b(?:(?:{_EXTREME})\s+{_NUMBER}|{_NUMBER}\s+(?:{_EXTREME}))\b", re.IGNORECASE)
_SUM = re.compile(r"\b(?:sum|total|combined)\b(?:\s+of\b)?\s*", re.IGNORECASE)
_APART = re.compile(r"\bdifference\s+(?:in|of|between)\s+(?:the\s+)?", re.IGNORECASE)
_SPREAD = re.compile(
    r"\bdifference\s+between\s+(?:the\s+)?(?:highest|largest|maximum|biggest)\s+and\s+(?:the\s+)?"
    r"(?:lowest|smallest|minimum)\b",
    re.IGNORECASE,
)
_PLACES = 6
"""Decimals of an average that is compared with; no cell has as many, so rounding moves no row across it."""


def stepped(planner: Planner, text: str, ask: Ask, language: str) -> Computation | None:
    """The answer in steps; None for other questions, and where a step is not sure."""
    for step in (_over_average, _few_added, _spread, _apart):
        if (made := step(planner, text, ask, language)) is not None:
            return made
    return None


def _over_average(planner: Planner, text: str, ask: Ask, language: str) -> Computation | None:
    found = _AVERAGE.search(text)
    view = planner.view
    if found is None or len(view.tables) != 1:
        return None
    reading = planner.reader.read(text)
    column = _averaged(planner, reading)
    behind = next((i for i, w in enumerate(reading.words) if w.start >= found.end()), len(reading.words))
    groups = [s for s in reading.columns_in(behind, len(reading.words)) if column and s.best.column != column.index]
    if column is None or groups or reading.values_in(behind, len(reading.words)):
        return None  # the average of a department is another one
    values = [v for v in column.numbers if v is not None]
    average = sum(values, Decimal(0)) / len(values)
    than = f"{'below' if found['less'] else 'above'} {average:.{_PLACES}f}"
    trial = ask(f"{text[: found.start()]}{than}{text[found.end() :]}")
    if trial is None:
        return None
    made = computation(trial, language)
    said = f"{'El promedio de' if language == 'es' else 'The average of'} {column.name}"
    said += f" {'es' if language == 'es' else 'is'} {amount(average, column, averaged=True)}."
    # Of all rows, or of those that the other conditions choose?
    marks = (*made.marks, str(Mark.AMBIGUOUS_PLAN)) if len(trial.draft.plan.where) > 1 else made.marks
    return made.model_copy(
        update={
            "text": f"{said} {made.text}",
            "marks": tuple(dict.fromkeys(marks)),
            "confidence": trial.confidence,
        }
    )


def _averaged(planner: Planner, reading: Reading) -> ColumnView | None:
    columns = {s.best.column for s in measures_of(reading)}
    if len(columns) > 1:
        return None
    column = planner.view.columns[columns.pop()] if columns else pay_column(reading, planner.subject)
    return column if column is not None and any(v is not None for v in column.numbers) else None


def _few_added(planner: Planner, text: str, ask: Ask, language: str) -> Computation | None:
    if not _FEW.search(text) or not _SUM.search(text):
        return None
    trial = ask(_SUM.sub("", text, count=1))
    if trial is None or trial.draft.plan.op != "top" or trial.draft.plan.group_by is not None:
        return None
    plan, view = trial.draft.plan, trial.planner.view
    # `The total basic of the two lowest paid`: chosen by one column, added up in the one that is asked for.
    asked, by = view.column(plan.column or ""), view.column(plan.by or "")
    column = asked if asked is not None and asked.numeric else by
    rows = trial.outcome.rows
    if column is None or not column.numeric or len(rows) != plan.limit or len(rows) < 2:
        return None  # with a tie at the end there are more, and which of them counts is not said
    values = [v for r in rows if (v := column.numbers[r]) is not None]
    if len(values) < len(rows):
        return None
    label = f"{column.name} {'juntos' if language == 'es' else 'together'}"
    return _with_value(trial, sum(values, Decimal(0)), column, label, language)


def _spread(planner: Planner, text: str, ask: Ask, language: str) -> Computation | None:
    if not _SPREAD.search(text):
        return None
    high, low = ask(_SPREAD.sub("highest", text)), ask(_SPREAD.sub("lowest", text))
    if high is None or low is None or (high.draft.plan.op, low.draft.plan.op) != ("max", "min"):
        return None
    if (high.draft.plan.column, high.draft.plan.where) != (low.draft.plan.column, low.draft.plan.where):
        return None
    column = high.planner.view.column(high.draft.plan.column or "")
    if column is None or high.draft.plan.group_by is not None or high.outcome.value is None:
        return None
    made = _with_value(high, high.outcome.value - low.outcome.value, column, _difference(language), language)
    other = computation(low, language)
    cited = tuple(dict.fromkeys((*made.citations, *other.citations)))
    return made.model_copy(update={"text": f"{made.text} {other.text}", "citations": cited})


def _apart(planner: Planner, text: str, ask: Ask, language: str) -> Computation | None:
    """`The difference in net pay between ST001 and ST002`: the distance of two rows' cells, whichever is larger."""
    if not _APART.search(text):
        return None
    trial = ask(re.sub(r"\bbetween\b", "of", _APART.sub("", text, count=1), flags=re.IGNORECASE))
    if trial is None or trial.draft.plan.op not in ("lookup", "list") or len(trial.outcome.rows) != 2:
        return None
    plan, view = trial.draft.plan, trial.planner.view
    column = view.column(plan.column or "")
    if column is None or not column.numeric or [(w.op, len(w.values)) for w in plan.where] != [("eq", 2)]:
        return None
    one, two = (column.numbers[r] for r in trial.outcome.rows)
    if one is None or two is None:
        return None
    made = _with_value(trial, abs(one - two), column, _difference(language), language)
    return made.model_copy(update={"marks": tuple(m for m in made.marks if m != Mark.AMBIGUOUS_PLAN)})


def _difference(language: str) -> str:
    return "Diferencia" if language == "es" else "Difference"


def _with_value(trial: Trial, value: Decimal, column: ColumnView, label: str, language: str) -> Computation:
    """The trial's answer with `value` put before what it was made of."""
    made = computation(trial, language)
    assert made.computed is not None
    return made.model_copy(
        update={
            "computed": made.computed.model_copy(update={"value": f"{value:f}"}),
            "text": f"{label}: {amount(value, column)}. {made.text}",
            "confidence": trial.confidence,
        }
    )
