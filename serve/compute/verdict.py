"""Yes or no about one row: `Is Asha Rao in Weaving?`, `Does ST002 earn more than 50,000?`.

Asked as a count of one: the row that is named, and whether it meets the rest. A question that names no one row, or
says anything that the plan does not, is not answered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from contracts.plans import Computation, Where
from serve.compute.execute import execute
from serve.compute.naming import conditions, view_name
from serve.compute.plan import Planner
from serve.compute.result import computation
from serve.compute.steps import Ask
from serve.compute.view import ColumnView, TableView

_ASKED = re.compile(r"^\s*(?:is|are|was|were|does|do|did|has|have)\s+(?=\S+\s+\S)", re.IGNORECASE)


def verdict(planner: Planner, text: str, ask: Ask) -> Computation | None:
    """The answer with the cells that decide it; None for other questions and where the plan is not sure. English."""
    people = planner.matcher.by_concept("employee_id", "employee_name")
    found = _ASKED.match(text)
    if found is None or not people or len(planner.view.tables) != 1:
        return None
    trial = ask(f"How many employees {text[found.end() :]}")
    if trial is None or trial.draft.plan.op != "count" or trial.draft.plan.group_by is not None:
        return None
    view, plan = trial.planner.view, trial.draft.plan
    naming = [w for w in plan.where if _names_one(view, w, people)]
    rest = tuple(w for w in plan.where if w not in naming)
    if len(naming) != 1 or not rest:
        return None
    named = execute(view, plan.model_copy(update={"where": tuple(naming)}))
    if len(named.rows) != 1:
        return None
    row, yes = named.rows[0], trial.outcome.value == 1
    if any(c is None or c.empty(row) for c in (view.column(w.column) for w in rest)):
        return None  # an empty cell says neither
    made = computation(replace(trial, outcome=replace(trial.outcome, rows=(row,))), "en")
    assert made.computed is not None
    return made.model_copy(
        update={
            "computed": made.computed.model_copy(update={"value": "yes" if yes else "no"}),
            "text": f"{'Yes' if yes else 'No'}: {_said(view, row, naming[0], rest)} ({view_name(view, 'en')}; asked: "
            f"{conditions(rest, view, 'en')}).",
            "confidence": trial.confidence,
        }
    )


def _names_one(view: TableView, where: Where, people: Sequence[int]) -> bool:
    column = view.column(where.column)
    return where.op == "eq" and len(where.values) == 1 and column is not None and column.index in people


def _said(view: TableView, row: int, naming: Where, rest: Sequence[Where]) -> str:
    columns: list[ColumnView] = [c for w in rest if (c := view.column(w.column)) is not None]
    cells = dict.fromkeys(
        f"{c.name} of {naming.values[0].strip()} is {' '.join(c.texts[row].split())}" for c in columns
    )
    return "; ".join(cells)
