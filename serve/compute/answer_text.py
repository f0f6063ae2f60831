"""The answer in one or two sentences: the result, what it covers, and what its checks found."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from contracts.plans import Check, Coverage, Plan
from serve.compute.coverage import failed, repeats
from serve.compute.documents import DocumentsView
from serve.compute.execute import Outcome
from serve.compute.naming import MANY, amount, column_name, conditions, listed, plain_amount, spoken_period, view_name
from serve.compute.view import ColumnView, TableView
from serve.compute.words import ORDINALS

SHOWN = 50
"""Rows listed in the text; the rest is in `Computed.groups`."""


def write(
    view: TableView, plan: Plan, outcome: Outcome, coverage: Coverage, key: ColumnView | None, label: str, language: str
) -> str:
    """The text of a computed result. `label`: the question's own words for what was counted."""
    es = language == "es"
    body = _body(view, plan, outcome, coverage, key, label, es)
    return " ".join(p for p in (body, _notes(view, plan, outcome, coverage, key, es)) if p)


def _body(
    view: TableView, plan: Plan, outcome: Outcome, coverage: Coverage, key: ColumnView | None, label: str, es: bool
) -> str:
    language = "es" if es else "en"
    source = view_name(view, language)
    column = view.column(plan.column) if plan.column else None
    meets = conditions(plan.where, view, language)
    if plan.group_by is not None:
        return _groups(view, plan, outcome, source, meets, es)
    match plan.op:
        case "count" | "count_distinct":
            return _count(plan, outcome, coverage, source, meets, label, es)
        case "sum" | "avg" | "min" | "max" | "median":
            return _aggregate(plan, outcome, column, source, meets, es)
        case "top":
            return _top(view, plan, outcome, source, meets, key, es)
        case "share":
            return _share(plan, outcome, column, source, meets, es)
        case _:
            return _found(view, plan, outcome, column, source, meets, key, es)


def ordinal_word(place: int) -> str:
    """`second`, `third`; `21.` where there is no word for it here."""
    return ORDINALS.split()[place - 1] if place <= len(ORDINALS.split()) else f"{place}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _count(plan: Plan, outcome: Outcome, coverage: Coverage, source: str, meets: str, label: str, es: bool) -> str:
    what = label.strip() or ("filas" if es else "rows")
    if plan.op == "count_distinct":
        name = column_name(plan.column or "", "es" if es else "en")
        what = f"valores distintos de {name}" if es else f"distinct values of {name}"
    value = plain_amount(Decimal(outcome.value))
    if not plan.where:
        several = len(coverage.tables) > 1 and (" y " if es else " and ") in source
        verb = ("contienen" if several else "contiene") if es else ("list" if several else "lists")
        return f"{_capital(source)} {verb} {value} {what}"
    return f"{_capital(source)}: {value} {what}; {meets}"


_NAMES = {
    "sum": ("The total of", "El total de"), "avg": ("The average of", "El promedio de"),
    "min": ("The lowest", "El valor más bajo de"), "max": ("The highest", "El valor más alto de"),
    "median": ("The median of", "La mediana de"),
}  # fmt: skip


def _aggregate(plan: Plan, outcome: Outcome, column: ColumnView | None, source: str, meets: str, es: bool) -> str:
    assert column is not None
    value = amount(outcome.value, column, averaged=plan.op in ("avg", "median"))
    name = _NAMES[plan.op][es]
    if plan.op == "sum" and len(outcome.rows) == 1 and plan.where:
        return f"{column.name}: {value} ({source}; {meets})"
    joined = (f" donde {meets}" if es else f" where {meets}") if meets else ""
    return f"{name} {column.name} {'en' if es else 'in'} {source}{joined} {'es' if es else 'is'} {value}"


def _top(
    view: TableView, plan: Plan, outcome: Outcome, source: str, meets: str, key: ColumnView | None, es: bool
) -> str:
    by = view.column(plan.by or "")
    coded = key is not None and key.name != plan.column and not key.made
    said = []
    for row, (name, printed), v in zip(outcome.rows, outcome.groups, outcome.extra["values"], strict=True):
        code = key.texts[row].strip() if key is not None and coded else ""
        value = _shown(by, v, printed)
        name = " ".join(name.split())
        said.append(f"{name} ({code}), {value}" if code else f"{name} ({value})")
    names = listed(said[:SHOWN], "es" if es else "en")
    extreme = ("más alto" if es else "highest") if plan.order != "asc" else ("más bajo" if es else "lowest")
    where = (f", donde {meets}" if es else f", where {meets}") if meets else ""
    if plan.offset:
        extreme = f"{plan.offset + 1}.º {extreme}" if es else f"{ordinal_word(plan.offset + 1)} {extreme}"
    if es:
        return f"{names}: {plan.by} {extreme} en {source}{where}"
    return f"{names}: {extreme} {plan.by} in {source}{where}"


def _shown(by: ColumnView | None, value: Decimal, printed: str) -> str:
    return amount(value, by) if by is not None and by.numeric else " ".join(printed.split())


def _share(plan: Plan, outcome: Outcome, column: ColumnView | None, source: str, meets: str, es: bool) -> str:
    part, whole = outcome.extra["part"], outcome.extra["whole"]
    share = plain_amount(round(outcome.value, 2))
    shown = (amount(Decimal(part), column), amount(Decimal(whole), column))
    of = column.name if column is not None else ("filas" if es else "rows")
    if es:
        return f"{share}% de {of} en {source} ({shown[0]} de {shown[1]}), donde {meets}"
    return f"{share}% of {of} in {source} ({shown[0]} of {shown[1]}), where {meets}"


def _groups(view: TableView, plan: Plan, outcome: Outcome, source: str, meets: str, es: bool) -> str:
    measured = view.column(outcome.columns[1]) if outcome.columns[1] != "rows" else None
    averaged = plan.op in ("avg", "median")
    language = "es" if es else "en"
    said = [
        f"{spoken_period(g, language) or '(—)'}: {amount(Decimal(v), measured, averaged)}"
        for g, v in outcome.groups[:SHOWN]
    ]
    more = len(outcome.groups) - SHOWN
    tail = (f" ({more} más)" if es else f" ({more} more)") if more > 0 else ""
    what = measured.name if measured is not None else ("filas" if es else "rows")
    name = column_name(plan.group_by or "", "es" if es else "en")
    where = (f" donde {meets}" if es else f" where {meets}") if meets else ""
    joint = "por" if es else "by"
    return f"{_capital(source)}, {what} {joint} {name}{where}: {'; '.join(said)}{tail}"


def _found(
    view: TableView,
    plan: Plan,
    outcome: Outcome,
    column: ColumnView | None,
    source: str,
    meets: str,
    key: ColumnView | None,
    es: bool,
) -> str:
    values = outcome.value if isinstance(outcome.value, list) else [outcome.value]
    if column is not None and plan.op in ("list", "lookup"):
        values = cells_told_apart(view, column, outcome.rows, key) or values
    shown = listed([str(v) for v in values[:SHOWN]], "es" if es else "en")
    if len(values) > SHOWN:
        shown += f" … ({len(values)})"
    name = column_name(column.name if column is not None else "", "es" if es else "en")
    return f"{name}: {shown} ({source}{'; ' + meets if meets else ''})"


def _notes(view: TableView, plan: Plan, outcome: Outcome, coverage: Coverage, key: ColumnView | None, es: bool) -> str:
    """Rows used out of rows there are, then everything that a reader must know of the number."""
    parts = [_rows(view, outcome, coverage, key, es), _each_document(view, plan, outcome)]
    column = plan.column if plan.op in ("sum", "avg", "median") else None
    parts += [_mismatch(view, c, es) for c in failed(coverage.checks, "footing") if column in (None, c.column)][:3]
    if outcome.unusable:
        n = len(outcome.unusable)
        cells = "; ".join(e.reason for e in coverage.excluded[-n:][:3])
        parts.append(f"{n} filas sin valor utilizable: {cells}." if es else f"{n} rows have no usable value: {cells}.")
    if key is not None and repeats(view, key, outcome.rows):
        filled = sum(bool(key.texts[r].strip()) for r in outcome.rows)
        parts.append(
            f"{key.name} se repite: {filled} filas, {coverage.distinct_keys} distintos."
            if es
            else f"{key.name} repeats: {filled} rows, {coverage.distinct_keys} distinct."
        )
    if plan.interpretation:
        parts.append(("Interpretación: " if es else "Read as: ") + plan.interpretation + ".")
    return " ".join(p for p in parts if p)


def _rows(view: TableView, outcome: Outcome, coverage: Coverage, key: ColumnView | None, es: bool) -> str:
    used, there = plain_amount(Decimal(len(outcome.rows))), plain_amount(Decimal(coverage.rows_extracted))
    keys = _keys(key, outcome.rows, es)
    joint = "de" if es else "of"
    return f"({used} {joint} {there} {'filas' if es else 'rows'}{keys})."


def _each_document(view: TableView, plan: Plan, outcome: Outcome) -> str:
    """What each document adds to one count or sum over several."""
    if plan.op not in ("count", "sum") or plan.group_by is not None or isinstance(view, DocumentsView):
        return ""
    column = view.column(plan.column) if plan.op == "sum" and plan.column else None
    each: dict[str, Decimal] = {}
    for row in outcome.rows:
        about = view.summary(view.rows[row].table)
        value = column.numbers[row] if column is not None else Decimal(1)
        name = about.doc_name if about is not None else ""
        each[name] = each.get(name, Decimal(0)) + (value or Decimal(0))
    if len(each) < 2:
        return ""
    return "; ".join(f"{name}: {amount(value, column)}" for name, value in list(each.items())[:SHOWN]) + "."


def _keys(key: ColumnView | None, rows: Sequence[int], es: bool) -> str:
    if key is None or not rows:
        return ""
    names = [key.texts[r].strip() for r in rows]
    if len(names) <= MANY:
        return f": {', '.join(names)}"
    return f", {names[0]} {'a' if es else 'to'} {names[-1]}"


def _mismatch(view: TableView, check: Check, es: bool) -> str:
    column = view.column(check.column or "")
    computed, printed = (amount(Decimal(t or "0"), column) for t in (check.computed, check.printed))
    if es:
        return (
            f"Atención: las filas de {check.column} suman {computed}; el total impreso dice {printed} ({check.detail})."
        )
    return f"Note: the rows of {check.column} add up to {computed}; the printed total says {printed} ({check.detail})."


def cells_told_apart(view: TableView, column: ColumnView, rows: Sequence[int], key: ColumnView | None) -> list[str]:
    """Cells of several rows, each with what tells its row apart: its code where one cell stands for two rows or is a
    number, its document where there are several. Empty when the cells alone say it all."""
    filled = [r for r in rows if column.texts[r].strip()]
    cells = [" ".join(column.texts[r].split()) for r in filled]
    documents = [about.doc_name if (about := view.summary(view.rows[r].table)) else "" for r in filled]
    several = len(set(documents)) > 1
    coded = key is not None and key.index != column.index and (column.numeric or len(set(cells)) < len(cells))
    if (
        len(filled) < 2
        or column.made
        or len({(c, column.numeric and d) for c, d in zip(cells, documents, strict=True)}) == 1
        or not (several or coded)
    ):
        return []
    codes = [key.texts[r].strip() if key is not None and coded else "" for r in filled]
    sources = documents if several else [""] * len(filled)
    said = (
        (cell, ", ".join(p for p in (code, source) if p))
        for cell, code, source in zip(cells, codes, sources, strict=True)
    )
    return list(dict.fromkeys(f"{cell} ({where})" if where else cell for cell, where in said))
