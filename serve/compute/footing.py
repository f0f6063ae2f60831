"""`Does the June register add up?`: every number column's rows against every printed total."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from contracts.plans import Check, Computation, Computed, Coverage, Plan
from serve.compute.coverage import cite, cover, marks_of
from serve.compute.execute import Outcome
from serve.compute.naming import amount, source_name
from serve.compute.view import TableView

_CUE = re.compile(
    r"\b(?:adds?\s+up(?!\s+to)|add\s+correctly|tall(?:y|ies)|foots?|footing|reconciles?|cuadran?|suman?\s+bien)\b"
    r"|\b(?:totals?|sums?)\b.{0,40}\b(?:correct|right|match|agree|wrong|consistent|correctos?|coinciden?)\b"
    r"|\b(?:is|are|match)\b.{0,40}\b(?:printed|stated)\s+totals?\b",
    re.IGNORECASE,
)


def asks_footing(text: str) -> bool:
    return bool(_CUE.search(text))


def foot(view: TableView, language: str) -> Computation:
    """The verdict column by column; `absent` when nothing is printed that sums could be compared with."""
    es = language == "es"
    rows = tuple(range(len(view)))
    outcome = Outcome(None, "", rows, len(rows))
    coverage = cover(view, outcome, None, None)
    checks = [c for c in coverage.checks if c.name == "footing"]
    tables = tuple(t.table_id for t in view.tables)
    if not checks:
        said = "No printed total to compare with" if not es else "No hay un total impreso con el que comparar"
        text = f"{said}: {source_name(view.summary(0), language)}."
        return Computation(text=text, coverage=coverage, absent=True, table_ids=tables)
    failed = [c for c in checks if not c.passed]
    plan = Plan(op="footing", table_ids=tables)
    computed = Computed(
        op="footing",
        value="no" if failed else "yes",
        plan=plan,
        sql=_sql(view),
        rows=tuple((view.tables[b.table].table_id, b.row.index) for b in view.rows),
        columns=("column", "rows add up to", "printed", "agrees"),
        groups=tuple((c.column, c.computed, c.printed, c.passed) for c in checks),
    )
    return Computation(
        computed=computed,
        text=_text(view, checks, failed, coverage, es),
        coverage=coverage,
        citations=cite(view, rows),
        marks=tuple(marks_of(coverage, view, rows, None)),
        table_ids=tables,
    )


def _sql(view: TableView) -> str:
    sums = ", ".join(f'sum("{c.name}")' for c in view.columns if c.numeric and not c.made)
    return f"SELECT {sums} FROM body"


def _text(view: TableView, checks: Sequence[Check], failed: Sequence[Check], coverage: Coverage, es: bool) -> str:
    source = " / ".join(
        dict.fromkeys(source_name(view.summary(n), "es" if es else "en") for n in range(len(view.tables)))
    )
    said = "; ".join(_said(view, c, es) for c in (failed or checks))
    agree = len(checks) - len(failed)
    if es:
        head = f"No: {source} no cuadra" if failed else f"Sí: {source} cuadra"
        return f"{head} ({agree} de {len(checks)} totales coinciden, {coverage.rows_used} filas). {said}."
    head = f"No: {source} does not add up" if failed else f"Yes: {source} adds up"
    return f"{head} ({agree} of {len(checks)} printed totals agree, {coverage.rows_used} rows). {said}."


def _said(view: TableView, check: Check, es: bool) -> str:
    column = view.column(check.column or "")
    computed, printed = (amount(Decimal(t or "0"), column) for t in (check.computed, check.printed))
    if check.passed:
        return f"{check.column} {computed}"
    if es:
        return f"{check.column}: las filas suman {computed}, el total impreso dice {printed} ({check.detail})"
    return f"{check.column}: the rows add up to {computed}, the printed total says {printed} ({check.detail})"
