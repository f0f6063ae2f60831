"""A trial as the record that leaves this package: value, text, coverage, citations, marks."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from contracts.marks import Mark
from contracts.plans import Computation, Computed, Coverage, Plan
from serve.compute.answer_text import write
from serve.compute.coverage import cite, cover, marks_of
from serve.compute.facts import LINE_TABLE
from serve.compute.naming import column_name, conditions, view_name
from serve.compute.running import Trial
from serve.compute.subject import key_column, telling_column
from serve.compute.view import ColumnView, TableView


def computation(trial: Trial, language: str) -> Computation:
    """The trial's result with its proof; `absent` when its rows or cells are not there."""
    view, outcome = trial.planner.view, trial.outcome
    matcher = trial.planner.matcher
    key = telling_column(view, matcher) if trial.draft.plan.op == "count" else key_column(view, matcher)
    used = view.column(trial.draft.plan.by or trial.draft.plan.column or "")
    coverage = cover(view, outcome, key, used)
    marks = marks_of(coverage, view, outcome.rows, key)
    if trial.draft.ambiguous or _adds_namesakes(trial, view):
        marks.append(str(Mark.AMBIGUOUS_PLAN))
    if view.carried.intersection(_columns(trial.draft.plan)):
        marks.append(str(Mark.EXTRACTION_UNCERTAIN))
    tables = view.tables_of(outcome.rows, _columns(trial.draft.plan))
    plan = _told(trial, tables, language)
    if outcome.value is None:
        text = nothing(view, plan, outcome.matched, language)
        return Computation(text=text, coverage=coverage, marks=tuple(marks), absent=True, table_ids=tables)
    computed = Computed(
        op=plan.op,
        value=jsonable(outcome.value),
        unit=used.type.unit
        if used is not None and used.numeric and plan.op not in ("count", "count_distinct")
        else None,
        plan=plan,
        sql=outcome.sql,
        rows=references(view, outcome.rows, _columns(plan)),
        columns=outcome.columns,
        groups=tuple(tuple(jsonable(v) for v in g) for g in outcome.groups),
    )
    return Computation(
        computed=computed,
        text=write(view, plan, outcome, coverage, key, trial.draft.label, language),
        coverage=coverage,
        citations=cite(view, outcome.rows, _columns(plan)),
        marks=tuple(dict.fromkeys(marks)),
        table_ids=tables,
    )


def _adds_namesakes(trial: Trial, view: TableView) -> bool:
    """Whether one person's figure was asked for and several of that name are in it."""
    plan, matcher = trial.draft.plan, trial.planner.matcher
    key, names = key_column(view, matcher), set(matcher.by_concept("employee_name"))
    if key is None or plan.op not in ("sum", "avg", "min", "max", "median", "share"):
        return False
    columns = (view.column(w.column) for w in plan.where if w.op == "eq" and len(w.values) == 1)
    named = any(c is not None and c.index in names for c in columns)
    codes = {(view.rows[r].table, key.texts[r].strip()) for r in trial.outcome.rows}
    return named and len(codes) > len({table for table, _ in codes})


def _told(trial: Trial, tables: tuple[str, ...], language: str) -> Plan:
    """The plan with its tables, and in words when the wording left a choice."""
    plan = trial.draft.plan.model_copy(update={"table_ids": tables})
    if not trial.draft.ambiguous and not _adds_namesakes(trial, trial.planner.view):
        return plan
    parts = [f"{plan.op} of {plan.column}" if plan.column else f"{plan.op} of rows"]
    if plan.by:
        parts.append(f"by {plan.by}")
    if plan.group_by:
        parts.append(f"per {column_name(plan.group_by, language)}")
    if plan.where:
        parts.append(f"where {conditions(plan.where, trial.planner.view, language)}")
    return plan.model_copy(update={"interpretation": " ".join(parts)})


def nothing(view: TableView, plan: Plan, matched: int, language: str) -> str:
    """Why a clear plan has no value: no such row, or an empty cell."""
    es = language == "es"
    source, meets = view_name(view, language), conditions(plan.where, view, language)
    if matched == 0:
        if es:
            return f"En {source} ninguna fila cumple que {meets} ({len(view)} filas revisadas)."
        return f"No row of {source} has {meets} ({len(view)} rows searched)."
    column = plan.by or plan.column or ""
    if es:
        return f"{column} no tiene valor en {source}, donde {meets} ({matched} filas)."
    return f"{column} has no value in {source} where {meets} ({matched} rows)."


def absent(view: TableView, names: str, key: ColumnView | None, language: str) -> Computation:
    """The plan was clear but for a name or code that no cell holds."""
    source = view_name(view, language)
    shown = ""
    if key is not None and len(view):
        joint = "a" if language == "es" else "to"
        shown = f": {key.texts[0].strip()} {joint} {key.texts[-1].strip()}"
    if language == "es":
        text = f"“{names}” no aparece en {source} ({len(view)} filas revisadas{shown})."
    else:
        text = f"“{names}” does not occur in {source} ({len(view)} rows searched{shown})."
    tables = view.table_ids
    coverage = Coverage(rows_extracted=len(view), rows_used=0, rows_matched_filter=0, tables=tables)
    return Computation(text=text, coverage=coverage, absent=True, table_ids=tables)


def joined(parts: Sequence[Computation]) -> Computation:
    """Several results of one question as one: texts in order, coverage of the first, everything cited."""
    first = parts[0]
    assert first.computed is not None and first.coverage is not None
    results = [p.computed for p in parts if p.computed is not None]
    checks = dict.fromkeys(c for p in parts if p.coverage is not None for c in p.coverage.checks)
    return Computation(
        computed=first.computed.model_copy(
            update={
                "value": [r.value for r in results],
                "sql": ";\n".join(r.sql for r in results),
                "parts": tuple(results),
            }
        ),
        text=" ".join(p.text for p in parts),
        coverage=first.coverage.model_copy(update={"checks": tuple(checks)}),
        citations=tuple(dict.fromkeys(c for p in parts for c in p.citations)),
        marks=tuple(dict.fromkeys(m for p in parts for m in p.marks)),
        table_ids=tuple(dict.fromkeys(t for p in parts for t in p.table_ids)),
    )


def references(view: TableView, rows: Sequence[int], columns: Sequence[str]) -> tuple[tuple[str, int], ...]:
    every = ((view.tables[e.table].table_id, e.row.index) for r in rows for e in view.evidence(r, columns))
    return tuple(e for e in every if e[0] != LINE_TABLE)


def _columns(plan: Plan) -> tuple[str, ...]:
    """Columns whose cells the result stands on."""
    named = (plan.column, plan.by, plan.group_by, *(w.column for w in plan.where))
    return tuple(dict.fromkeys(n for n in named if n is not None))


def jsonable(value: Any) -> Any:
    """Decimals as text, so that JSON keeps every digit."""
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, list):
        return [jsonable(v) for v in value]
    return value
