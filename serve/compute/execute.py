"""A plan run by DuckDB over every body row of a view, in exact decimals, with the SQL and the rows it used."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from contracts.plans import Plan
from serve.compute.conditions import Frame, condition, quoted
from serve.compute.view import ColumnView, TableView

if TYPE_CHECKING:
    import duckdb

_AGGREGATES = {"sum": "sum({0})", "min": "min({0})", "max": "max({0})", "median": "median({0})"}
_local = threading.local()


@dataclass(frozen=True)
class Outcome:
    """`value`: a Decimal, an int, a text, a list of them, or None when there is nothing. `rows`: of the view."""

    value: Any
    sql: str
    rows: tuple[int, ...]
    matched: int
    """Rows that the filter let through."""
    columns: tuple[str, ...] = ()
    groups: tuple[tuple[Any, ...], ...] = ()
    unusable: tuple[int, ...] = ()
    """Rows let through whose cell is no usable number."""
    extra: dict[str, Any] = field(default_factory=dict)


class Statement:
    """One table of arrays and the statements run on it."""

    def __init__(self, view: TableView, plan: Plan) -> None:
        self.view, self.plan = view, plan
        self.frame = Frame(view)
        parts = [condition(self.frame, w) for w in plan.where]
        self.where = " AND ".join(f"({p})" if " OR " in p else p for p in parts)
        self.sql: list[str] = []
        self._loaded: set[str] = set()

    def column(self, name: str | None) -> ColumnView:
        found = self.view.column(name or "")
        assert found is not None, f"the plan names {name}, which the view does not have"
        return found

    def filtered(self, *more: str) -> str:
        every = [c for c in (self.where, *more) if c]
        return f" WHERE {' AND '.join(every)}" if every else ""

    def run(self, sql: str, shown: bool = True) -> list[tuple[Any, ...]]:
        connection = _connection()
        if self._loaded != set(self.frame.arrays) or not self._loaded:
            self._load(connection)
        if shown:
            self.sql.append(sql)
        return connection.execute(sql).fetchall()

    def _load(self, connection: duckdb.DuckDBPyConnection) -> None:
        arrays = {"row": ("INTEGER", list(range(len(self.view)))), **self.frame.arrays}
        select = ", ".join(
            f"unnest(${i}::{kind}[]) AS {quoted(n)}" for i, (n, (kind, _)) in enumerate(arrays.items(), 1)
        )
        connection.execute(f"CREATE OR REPLACE TEMP TABLE body AS SELECT {select}", [v for _, v in arrays.values()])
        self._loaded = set(self.frame.arrays)

    def unusable(self, column: ColumnView, matched: Sequence[int], used: Sequence[int]) -> tuple[int, ...]:
        """Rows let through whose cell gives no number though it should."""
        left = sorted(set(matched) - set(used))
        return tuple(r for r in left if not (column.empty(r) and self.view.may_be_empty(column)))

    def rows(self, *more: str) -> tuple[int, ...]:
        return tuple(r for (r,) in self.run(f"SELECT row FROM body{self.filtered(*more)} ORDER BY row", shown=False))


def _connection() -> duckdb.DuckDBPyConnection:
    """One in-memory database per thread; imported late, since a question may need none."""
    if not hasattr(_local, "connection"):
        import duckdb

        _local.connection = duckdb.connect(config={"threads": 1})
    connection: duckdb.DuckDBPyConnection = _local.connection
    return connection


def execute(view: TableView, plan: Plan) -> Outcome:
    """Runs a plan whose columns are the view's. Compare and footing plans are not run here."""
    statement = Statement(view, plan)
    if plan.group_by is not None:
        return _grouped(statement)
    match plan.op:
        case "count":
            return _count(statement)
        case "count_distinct":
            return _distinct(statement)
        case "top":
            return _top(statement)
        case "list" | "lookup":
            return _find(statement)
        case "share":
            return _share(statement)
        case _:
            return _aggregate(statement)


def _done(s: Statement, value: Any, rows: Sequence[int], matched: int, **more: Any) -> Outcome:
    return Outcome(value, ";\n".join(s.sql), tuple(rows), matched, **more)


def _count(s: Statement) -> Outcome:
    ((value,),) = s.run(f"SELECT count(*) FROM body{s.filtered()}")
    rows = s.rows()
    return _done(s, value, rows, len(rows))


def _distinct(s: Statement) -> Outcome:
    name = s.frame.text(s.column(s.plan.column))
    ((value,),) = s.run(f"SELECT count(DISTINCT trim({name})) FROM body{s.filtered(_filled(name))}")
    matched = s.rows()
    rows = s.rows(_filled(name))
    return _done(s, value, rows, len(matched))


def _filled(name: str) -> str:
    return f"trim({name}) <> ''"


def _aggregate(s: Statement) -> Outcome:
    name = s.frame.number(s.column(s.plan.column))
    matched = s.rows()
    used = s.rows(f"{name} IS NOT NULL")
    if s.plan.op == "avg":
        ((total, count),) = s.run(f"SELECT sum({name}), count({name}) FROM body{s.filtered()}")
        value = None if not count else Decimal(total) / Decimal(count)
    else:
        ((value,),) = s.run(f"SELECT {_AGGREGATES[s.plan.op].format(name)} FROM body{s.filtered()}")
    rows = used
    if s.plan.op in ("min", "max") and value is not None:
        rows = s.rows(f"{name} = {value:f}")
    unusable = s.unusable(s.column(s.plan.column), matched, used)
    return _done(s, plain(value), rows, len(matched), unusable=unusable, extra={"considered": len(used)})


def plain(value: Any) -> Any:
    """A Decimal without the zeros that the column's scale appended; anything else as it is."""
    if not isinstance(value, Decimal):
        return value
    short = value.normalize()
    exponent = short.as_tuple().exponent
    return short.quantize(Decimal(1)) if isinstance(exponent, int) and exponent > 0 else short


def _share(s: Statement) -> Outcome:
    matched = s.rows()
    if s.plan.column is None:
        part, whole = len(matched), len(s.view)
        ((part, whole),) = s.run(f"SELECT count(*) FILTER ({s.filtered().strip()}), count(*) FROM body")
    else:
        name = s.frame.number(s.column(s.plan.column))
        ((part, whole),) = s.run(f"SELECT sum({name}) FILTER ({s.filtered().strip()}), sum({name}) FROM body")
    value = None if not whole or part is None else Decimal(part) * 100 / Decimal(whole)
    return _done(s, value, matched, len(matched), extra={"part": plain(part), "whole": plain(whole)})


def _top(s: Statement) -> Outcome:
    """The rows with the highest (lowest) values; rows that tie with the last one are all given."""
    by, shown = s.frame.number(s.column(s.plan.by)), s.column(s.plan.column)
    name = s.frame.text(shown)
    order, limit = (s.plan.order or "desc").upper(), s.plan.limit or 1
    ranked = f"rank() OVER (ORDER BY {by} {order}) <= {limit}"
    if s.plan.offset:
        ranked = f"dense_rank() OVER (ORDER BY {by} {order}) = {s.plan.offset + 1}"
    found = s.run(
        f"SELECT row, {name}, {by} FROM body{s.filtered(f'{by} IS NOT NULL')}"
        f" QUALIFY {ranked} ORDER BY {by} {order}, row"
    )
    matched = s.rows()
    considered = s.rows(f"{by} IS NOT NULL")
    texts = [" ".join(t.split()) for _, t, _ in found]
    measured = s.column(s.plan.by)
    groups = tuple((shown.texts[r], measured.texts[r]) for r, _, _ in found)
    return _done(
        s,
        texts[0] if len(texts) == 1 else texts or None,
        [r for r, _, _ in found],
        len(matched),
        columns=(shown.name, measured.name),
        groups=groups,
        unusable=s.unusable(measured, matched, considered),
        extra={"considered": len(considered), "values": [plain(v) for _, _, v in found]},
    )


def _find(s: Statement) -> Outcome:
    """Cells of a column in document order; the first or last, or their neighbours, when the plan says so."""
    shown = s.column(s.plan.column)
    name = s.frame.text(shown)
    order = f" ORDER BY row {'DESC' if s.plan.order == 'desc' else 'ASC'}"
    limit = f" LIMIT {s.plan.limit}" if s.plan.limit else ""
    matched = s.rows()
    if s.plan.offset:
        found = s.run(
            f"SELECT row, {name} FROM body WHERE row IN (SELECT row + {s.plan.offset} FROM body{s.filtered()}){order}"
        )
    else:
        found = s.run(f"SELECT row, {name} FROM body{s.filtered()}{order}{limit}")
    rows = [r for r, _ in found]
    texts = list(dict.fromkeys(" ".join(t.split()) for _, t in found if t.strip()))
    groups = tuple((shown.texts[r],) for r in sorted(rows))
    value: Any = texts[0] if len(texts) == 1 else texts or None
    return _done(s, value, sorted(rows), len(matched), columns=(shown.name,), groups=groups)


def _grouped(s: Statement) -> Outcome:
    """One value per group in order of first appearance, or the group with the most (least) rows or sum."""
    group = s.frame.text(s.column(s.plan.group_by))
    aggregate, label = _group_aggregate(s)
    ranked = f"{aggregate} {(s.plan.order or 'desc').upper()}" if s.plan.op == "top" else "min(row)"
    top = f" QUALIFY rank() OVER (ORDER BY {ranked}) <= {s.plan.limit or 1}" if s.plan.op == "top" else ""
    found = s.run(
        f"SELECT trim({group}) AS grouped, {aggregate} FROM body{s.filtered(_filled(group))}"
        f" GROUP BY grouped{top} ORDER BY {ranked}, min(row)"
    )
    rows = s.rows(_filled(group))
    groups = tuple((name, plain(value)) for name, value in found)
    value: Any = [g for g, _ in groups] if s.plan.op == "top" else [str(v) for _, v in groups]
    value = value[0] if len(value) == 1 else value or None
    return _done(s, value, rows, len(rows), columns=(s.plan.group_by or "", label), groups=groups)


def _group_aggregate(s: Statement) -> tuple[str, str]:
    if s.plan.op == "count" or (s.plan.op == "top" and s.plan.by is None):
        return "count(*)", "rows"
    if s.plan.op == "count_distinct":
        return f"count(DISTINCT {s.frame.text(s.column(s.plan.column))})", s.plan.column or ""
    column = s.column(s.plan.by if s.plan.op == "top" else s.plan.column)
    name = s.frame.number(column)
    # Exact average of decimals: DuckDB's avg() is a float.
    form = "sum({0}) / count({0})" if s.plan.op == "avg" else _AGGREGATES.get(s.plan.op, "sum({0})")
    return form.format(name), column.name
