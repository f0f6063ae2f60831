"""`Does the June register add up?`: every number column's rows against every printed total."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from contracts.plans import Check, Computation, Computed, Coverage, Plan
from serve.compute.coverage import cite, cover, marks_of
from serve.compute.execute import Outcome
from serve.compute.naming import amount, listed, view_name
from serve.compute.view import ColumnView, TableView

_CUE = re.compile(
    r"\b(?:adds?\s+up(?!\s+to)|add\s+correctly|tall(?:y|ies)|foots?|footing|reconciles?|cuadran?|suman?\s+bien)\b"
    r"|\b(?:totals?|sums?)\b.{0,40}\b(?:correct|right|match|agree|wrong|consistent|correctos?|coinciden?)\b"
    r"|\b(?:is|are|match)\b.{0,40}\b(?:printed|stated)\s+totals?\b",
    re.IGNORECASE,
)


def asks_footing(text: str) -> bool:
    return bool(_CUE.search(text))


def foot(views: Sequence[TableView], language: str) -> Computation:
    """The verdict column by column, over the views that print totals, the ones found first leading.

    `absent` when nothing is printed that sums could be compared with.
    """
    covered = [(v, _cover(v)) for v in views]
    printed = [(v, c) for v, c in covered if any(k.name == "footing" for k in c.checks)]
    if not printed:
        return _nothing(*covered[0], language)
    coverage = _merged([c for _, c in printed])
    checks = [c for c in coverage.checks if c.name == "footing"]
    failed = [c for c in checks if not c.passed]
    computed = Computed(
        op="footing",
        value="no" if failed else "yes",
        plan=Plan(op="footing", table_ids=coverage.tables),
        sql=";\n".join(_sql(v) for v, _ in printed),
        rows=tuple((v.tables[b.table].table_id, b.row.index) for v, _ in printed for b in v.rows),
        columns=("column", "rows add up to", "printed", "agrees"),
        groups=tuple((c.column, c.computed, c.printed, c.passed) for c in checks),
    )
    marks = (m for v, c in printed for m in marks_of(c, v, range(len(v)), None))
    return Computation(
        computed=computed,
        text=_text([v for v, _ in printed], checks, failed, coverage, language == "es"),
        coverage=coverage,
        citations=tuple(c for v, _ in printed for c in cite(v, range(len(v)))),
        marks=tuple(dict.fromkeys(marks)),
        table_ids=coverage.tables,
        confidence=1.0,
    )


def _cover(view: TableView) -> Coverage:
    rows = tuple(range(len(view)))
    return cover(view, Outcome(None, "", rows, len(rows)), None, None)


def _nothing(view: TableView, coverage: Coverage, language: str) -> Computation:
    said = "No hay un total impreso con el que comparar" if language == "es" else "No printed total to compare with"
    text = f"{said}: {view_name(view, language)}."
    return Computation(text=text, coverage=coverage, absent=True, table_ids=coverage.tables)


def _merged(parts: Sequence[Coverage]) -> Coverage:
    return Coverage(
        rows_extracted=sum(p.rows_extracted for p in parts),
        rows_used=sum(p.rows_used for p in parts),
        excluded=tuple(e for p in parts for e in p.excluded),
        pages=tuple(sorted({n for p in parts for n in p.pages})),
        tables=tuple(t for p in parts for t in p.tables),
        complete=all(p.complete for p in parts),
        checks=tuple(c for p in parts for c in p.checks),
    )


def _sql(view: TableView) -> str:
    sums = ", ".join(f'sum("{c.name}")' for c in view.columns if c.numeric and not c.made)
    return f"SELECT {sums} FROM body"


def _text(
    views: Sequence[TableView], checks: Sequence[Check], failed: Sequence[Check], coverage: Coverage, es: bool
) -> str:
    source = listed(list(dict.fromkeys(view_name(v, "es" if es else "en") for v in views)), "es" if es else "en")
    columns = {(v.tables[n].table_id, c.name): c for v in views for n in range(len(v.tables)) for c in v.columns}
    said = "; ".join(_said(columns.get((c.table_id, c.column or "")), c, es) for c in (failed or checks))
    agree = len(checks) - len(failed)
    if es:
        head = f"No: {source} no cuadra" if failed else f"Sí: {source} cuadra"
        return f"{head} ({agree} de {len(checks)} totales coinciden, {coverage.rows_used} filas). {said}."
    head = f"No: {source} does not add up" if failed else f"Yes: {source} adds up"
    return f"{head} ({agree} of {len(checks)} printed totals agree, {coverage.rows_used} rows). {said}."


def _said(column: ColumnView | None, check: Check, es: bool) -> str:
    computed, printed = (amount(Decimal(t or "0"), column) for t in (check.computed, check.printed))
    if check.passed:
        return f"{check.column} {computed}"
    if es:
        return f"{check.column}: las filas suman {computed}, el total impreso dice {printed} ({check.detail})"
    return f"{check.column}: the rows add up to {computed}, the printed total says {printed} ({check.detail})"
