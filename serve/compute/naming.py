"""How an answer names its source and its conditions, in the language of the question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from contracts.dates import MONTH_NAMES
from contracts.documents import NumberStyle, TableSummary
from contracts.numbers import format_number, parse_number
from contracts.periods import months
from contracts.plans import Where
from serve.compute.view import DOCUMENT_COLUMN, GROUP_COLUMN, PERIOD_COLUMN, ColumnView, TableView
from serve.period_finder import find_periods

_WORDS = {
    "en": {"eq": "is", "ne": "is not", "contains": "contains", "lt": "is below", "le": "is at most", "gt": "is above",
           "ge": "is at least", "between": "is between", "empty": "is empty", "not_empty": "is not empty", "or": "or",
           "and": "and", "group": "group", "document": "document", "period": "period"},
    "es": {"eq": "es", "ne": "no es", "contains": "contiene", "lt": "es menor que", "le": "es como máximo",
           "gt": "es mayor que", "ge": "es al menos", "between": "está entre", "empty": "está vacío",
           "not_empty": "no está vacío", "or": "o", "and": "y", "group": "grupo", "document": "documento",
           "period": "período"},
}  # fmt: skip
_PERIODIC = re.compile(r"\b(?:register|payroll|statement|payslip|sheet|ledger|roll)\b")
"""Kinds of document of which there is one for each period; others are named by their file."""
MANY = 4
"""Values named before an answer says `and N more`."""


def spoken_period(period: str, language: str) -> str:
    """`2025-04` as April 2025; any other period as it is."""
    found = re.fullmatch(r"(\d{4})-(0[1-9]|1[0-2])", period)
    if found is None:
        return period
    month = MONTH_NAMES.get(language, MONTH_NAMES["en"])[int(found[2]) - 1]
    return f"{month} de {found[1]}" if language == "es" else f"{month} {found[1]}"


def source_name(summary: TableSummary | None, language: str) -> str:
    """`the April 2025 salary register`, else the table's title or the file."""
    if summary is None:
        return "la tabla" if language == "es" else "the table"
    kind = summary.doc_type.replace("_", " ")
    if summary.period and _PERIODIC.search(kind):
        when = spoken_period(summary.period, language)
        return f"{summary.doc_name} ({when})" if language == "es" else f"the {when} {kind}"
    if summary.period and len(months(summary.period)) == 1 and summary.period not in find_periods(_words(summary)):
        return f"{summary.doc_name} ({spoken_period(summary.period, language)})"
    return summary.doc_name


def _words(summary: TableSummary) -> str:
    return re.sub(r"[_.-]+", " ", summary.doc_name)


def view_name(view: TableView, language: str) -> str:
    # Lines outside tables have no summary of their own; their document has.
    about = (view.summary(n) or view.about(table.doc_id) for n, table in enumerate(view.tables))
    names = list(dict.fromkeys(source_name(summary, language) for summary in about))
    more = len(names) - MANY
    shown = names if more <= 1 else [*names[:MANY], f"{more} más" if language == "es" else f"{more} more"]
    return listed(shown, language)


def listed(items: Sequence[str], language: str) -> str:
    joint = _WORDS.get(language, _WORDS["en"])["and"]
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {joint} {items[-1]}" if items else ""


def column_name(name: str, language: str) -> str:
    words = _WORDS.get(language, _WORDS["en"])
    made = {GROUP_COLUMN: "group", DOCUMENT_COLUMN: "document", PERIOD_COLUMN: "period"}
    return words[made[name]] if name in made else name


def conditions(where: Sequence[Where], view: TableView, language: str) -> str:
    """`Department is Weaving and Net Pay is above 50,000`."""
    words = _WORDS.get(language, _WORDS["en"])
    return f" {words['and']} ".join(_condition(w, view.column(w.column), words, language) for w in where)


def _condition(where: Where, column: ColumnView | None, words: dict[str, str], language: str) -> str:
    values = [_said_value(v, column) for v in where.values]
    joint = words["and"] if where.op == "between" else words["or"]
    if len(values) > MANY:
        values = [*values[: MANY - 1], f"… ({len(values)})"]
    said = f" {joint} ".join(values)
    return f"{column_name(where.column, language)} {words[where.op]} {said}".rstrip()


def _said_value(text: str, column: ColumnView | None) -> str:
    """A number of a condition in the column's style, anything else as it is."""
    plain = " ".join(text.split())
    if column is None or not column.numeric or column.is_calendar:
        return plain
    value = parse_number(plain, column.type.style, column.type.unit)
    return plain if value is None else format_number(value, column.type.style, max(0, _places(value.normalize())))


def amount(value: Decimal, column: ColumnView | None, averaged: bool = False) -> str:
    """A number as its column writes them: same marks, same decimals, its currency or unit before or after.

    An average or a median is rounded to two places more than nothing and at least the column's own.
    """
    if column is None or not column.numeric:
        return plain_amount(value)
    style = column.type.style or NumberStyle()
    places = max((_places(v) for v in column.numbers if v is not None), default=0)
    own = _places(value)
    decimals = max(places, 2) if averaged and own > places else max(places, own)
    text = format_number(value, style, decimals)
    unit = column.type.unit
    if unit == "%":
        return f"{text}%"
    if unit is None:
        return text
    return f"{unit} {text}" if re.fullmatch(r"[A-Z]{3}", unit) else f"{text} {unit}"


def _places(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def plain_amount(value: Decimal) -> str:
    return format_number(round(value, 2) if _places(value) > 2 else value, NumberStyle())
