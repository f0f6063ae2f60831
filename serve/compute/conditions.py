"""A `Where` as SQL over a view, and the SQL columns that it and the plan's other parts read.

Each view column gives up to four SQL columns, named so that the statement in a trace reads like the question:
`"Net Pay"` (its number, or its text), `"Joined (date)"`, `"Joined (year)"`, `"Speed (value)"` (see `ColumnView.measures`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from compression.terms import stem
from contracts.numbers import parse_number
from contracts.plans import Where
from serve.compute.view import ColumnView, TableView
from serve.compute.words import norms, ordinal

_SYMBOL = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_ISO = re.compile(r"^\d{4}-\d{2}-\d{2}$")


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


class Frame:
    """The SQL columns that one statement needs, collected while it is written."""

    def __init__(self, view: TableView) -> None:
        self.view = view
        self.arrays: dict[str, tuple[str, list[object]]] = {}
        """SQL column to its type and its values, one per view row."""

    def text(self, column: ColumnView) -> str:
        return self._add(column.name, "VARCHAR", column.texts) if not column.numeric else self._printed(column)

    def _printed(self, column: ColumnView) -> str:
        return self._add(f"{column.name} (printed)", "VARCHAR", column.texts)

    def number(self, column: ColumnView) -> str:
        """Exact decimals of a number column, else what the column is ordered by."""
        values = column.numbers if column.numeric else column.measures
        # One digit more than the cells have, so that the middle of two values is exact too.
        scale = 1 + max((_scale(v) for v in values if v is not None), default=0)
        name = column.name if column.numeric else f"{column.name} (value)"
        return self._add(name, f"DECIMAL(38,{min(scale, 18)})", [None if v is None else f"{v:f}" for v in values])

    def date(self, column: ColumnView) -> str:
        return self._add(f"{column.name} (date)", "DATE", [d.isoformat() if d else None for d in column.dates])

    def year(self, column: ColumnView) -> str:
        return self._add(f"{column.name} (year)", "INTEGER", column.years)

    def _add(self, name: str, kind: str, values: Iterable[object]) -> str:
        if name not in self.arrays:
            self.arrays[name] = (kind, list(values))
        return quoted(name)


def _scale(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def condition(frame: Frame, where: Where) -> str:
    """The SQL of one condition. A `ne` holds for empty cells too."""
    column = frame.view.column(where.column)
    assert column is not None, where.column
    if where.op in ("empty", "not_empty"):
        return _in(frame.text(column), [t for i, t in enumerate(column.texts) if column.empty(i)], where.op == "empty")
    if where.op in ("eq", "ne"):
        return _equal(frame, column, where)
    if where.op == "contains":
        return " OR ".join(f"contains(lower({frame.text(column)}), {literal(v.lower())})" for v in where.values)
    return _ordered(frame, column, where)


def _equal(frame: Frame, column: ColumnView, where: Where) -> str:
    if column.numeric and not (column.by_year and all(_is_year(v) for v in where.values)):
        values = [v for t in where.values if (v := _as_number(column, t)) is not None]
        listed = ", ".join(f"{v:f}" for v in values) or "NULL"
        inside = f"{frame.number(column)} IN ({listed})"
        return inside if where.op == "eq" else f"coalesce(NOT {inside}, true)"
    texts = list(
        dict.fromkeys(t for i, t in enumerate(column.texts) if any(_means(column, i, v) for v in where.values))
    )
    return _in(frame.text(column), texts, where.op == "eq")


def _in(name: str, texts: Iterable[str], wanted: bool) -> str:
    listed = ", ".join(literal(t) for t in dict.fromkeys(texts))
    if not listed:
        return "false" if wanted else "true"
    return f"{name} {'' if wanted else 'NOT '}IN ({listed})"


def _as_number(column: ColumnView, text: str) -> Decimal | None:
    value = parse_number(text, column.type.style, column.type.unit)
    return value if value is not None else parse_number(text)


def _means(column: ColumnView, row: int, value: str) -> bool:
    """Whether a text cell is the value: the same words, the same year, or a rank (`T4`, `4th`, `Week 4` are 4)."""
    cell = column.texts[row]
    if cell == value or (norms(cell) and norms(cell) == norms(value)):
        return True
    if not value.isdigit():
        return False
    if column.is_calendar and _is_year(value):
        return column.years[row] == int(value)
    number = [n for n in map(rank_of, column.tokens[row]) if n is not None]
    return len(number) > 0 and number[0] == int(value)


def _is_year(value: str) -> bool:
    return value.isdigit() and len(value) == 4


def rank_of(norm: str) -> int | None:
    if (place := ordinal(norm)) is not None:
        return place
    found = re.fullmatch(r"t?(\d{1,4})", norm)
    return int(found[1]) if found else None


def _ordered(frame: Frame, column: ColumnView, where: Where) -> str:
    name, shown = _comparable(frame, column, where.values)
    if where.op == "between":
        return f"{name} BETWEEN {shown[0]} AND {shown[1]}"
    return f"{name} {_SYMBOL[where.op]} {shown[0]}"


def _comparable(frame: Frame, column: ColumnView, values: tuple[str, ...]) -> tuple[str, list[str]]:
    """The SQL column to compare and the literals to compare it with."""
    if column.by_year and all(_is_year(v) for v in values):
        return frame.year(column), list(values)
    if column.numeric:
        return frame.number(column), [f"{_as_number(column, v):f}" for v in values]
    if all(_ISO.match(v) for v in values):
        return frame.date(column), [f"DATE {literal(v)}" for v in values]
    return frame.number(column), [f"{parse_number(v) or 0:f}" for v in values]


def stems_of(text: str) -> tuple[str, ...]:
    return tuple(map(stem, norms(text)))
