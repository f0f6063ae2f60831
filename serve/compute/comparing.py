"""Two tables against each other by their key: who joined, who left, what changed."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.evidence import Citation
from contracts.marks import Mark
from contracts.numbers import parse_number
from contracts.plans import Computation, Computed, Plan
from serve.compute.comparison_wording import Kind, column_index, folded_key
from serve.compute.conditions import quoted
from serve.compute.coverage import cite, cover, marks_of
from serve.compute.execute import Outcome
from serve.compute.naming import amount, listed, source_name
from serve.compute.view import ColumnView, TableView

Difference = tuple[int, tuple[str, ...]]
"""A row of the view that is shown, and its cells: all of them, or (key, before, after) for a change."""


def compare(
    first: TableView,
    second: TableView,
    key: str,
    column: ColumnView | None,
    kind: Kind,
    language: str,
    only: frozenset[str] = frozenset(),
) -> Computation:
    """`first` is the earlier table (or the one named first for `left`); rows meet by the cells of `key`.

    `only`: folded keys of the rows that were named; empty for all rows."""
    found = _differences(first, second, key, column, kind)
    if only:
        found = [(r, cells) for r, cells in found if folded_key(cells[0]) in only]
    view = second if kind == "joined" else first
    rows = tuple(r for r, _ in found)
    outcome = Outcome(None, _sql(key, column, kind), rows, len(rows))
    coverage = cover(view, outcome, view.column(key), None)
    other = first if kind == "joined" else second
    both = coverage.model_copy(
        update={
            "tables": tuple(t.table_id for v in (first, second) for t in v.tables),
            "rows_extracted": len(first) + len(second),
            "checks": (*coverage.checks, *cover(other, Outcome(None, "", (), 0), None, None).checks),
        }
    )
    plan = Plan(op="compare", compare=kind, column=column.name if column else key, table_ids=both.tables)
    tables = {b: v.tables[v.rows[b].table].table_id for v in (view,) for b in rows}
    computed = Computed(
        op="compare",
        value=[key_of(view, key, kind, cells) for _, cells in found],
        plan=plan,
        sql=outcome.sql,
        rows=tuple((tables[r], view.rows[r].row.index) for r in rows),
        columns=_columns(view, key, column, kind),
        groups=tuple(cells for _, cells in found),
    )
    return Computation(
        computed=computed,
        text=_text(first, second, found, kind, column, language, len(only)),
        coverage=both,
        citations=(*cite(view, rows), *_other_side(other, found, key, kind)),
        marks=tuple(dict.fromkeys(m for m in marks_of(both, view, rows, view.column(key)) if m != Mark.DUPLICATE_KEYS)),
        table_ids=both.tables,
        confidence=0.9,
    )


def key_of(view: TableView, key: str, kind: Kind, cells: tuple[str, ...]) -> str:
    return cells[0] if kind == "changed" else cells[column_index(view, key)]


def _columns(view: TableView, key: str, column: ColumnView | None, kind: Kind) -> tuple[str, ...]:
    if kind == "changed" and column is not None:
        return (key, f"{column.name} before", f"{column.name} after")
    return tuple(c.name for c in view.columns if not c.made)


def _differences(
    first: TableView, second: TableView, key: str, column: ColumnView | None, kind: Kind
) -> list[Difference]:
    """In document order of the view that is shown."""
    keys = [_by_key(v, key) for v in (first, second)]
    if kind == "changed":
        assert column is not None
        before, after = first.column(column.name), second.column(column.name)
        assert before is not None and after is not None
        return [
            (r, (first.rows[r].row.cells[column_index(first, key)], before.texts[r], after.texts[keys[1][k]]))
            for k, r in keys[0].items()
            if k in keys[1] and _differs(before, r, after, keys[1][k])
        ]
    shown, other = (keys[1], keys[0]) if kind == "joined" else (keys[0], keys[1])
    view = second if kind == "joined" else first
    return [(r, view.rows[r].row.cells) for k, r in shown.items() if k not in other]


def _by_key(view: TableView, key: str) -> dict[str, int]:
    column = view.column(key)
    assert column is not None
    found: dict[str, int] = {}
    for row, text in enumerate(column.texts):
        if text.strip():
            found.setdefault(folded_key(text), row)
    return found


def _differs(before: ColumnView, r: int, after: ColumnView, s: int) -> bool:
    if before.numeric and after.numeric:
        return before.numbers[r] != after.numbers[s]
    return before.texts[r].strip() != after.texts[s].strip()


def _sql(key: str, column: ColumnView | None, kind: Kind) -> str:
    k = quoted(key)
    if kind == "changed" and column is not None:
        c = quoted(column.name)
        return f"SELECT a.{k}, a.{c}, b.{c} FROM first a JOIN second b USING ({k}) WHERE a.{c} IS DISTINCT FROM b.{c}"
    one, two = ("second", "first") if kind == "joined" else ("first", "second")
    return f"SELECT * FROM {one} ANTI JOIN {two} USING ({k})"


def _by(first: TableView, second: TableView, column: ColumnView | None, before: str, after: str) -> str:
    """`, +2,000.00`: by how much a number changed."""
    if column is None or not column.numeric:
        return ""
    later = second.column(column.name)
    style, unit = column.type.style, column.type.unit
    a = parse_number(before, style, unit)
    b = parse_number(after, later.type.style if later else style, later.type.unit if later else unit)
    if a is None or b is None:
        return ""
    return f", {'+' if b > a else ''}{amount(b - a, column)}"


def _other_side(other: TableView, found: Sequence[Difference], key: str, kind: Kind) -> tuple[Citation, ...]:
    if kind != "changed":
        return ()
    keys = _by_key(other, key)
    rows = [keys[folded_key(cells[0])] for _, cells in found]
    return cite(other, sorted(rows))


def _text(
    first: TableView,
    second: TableView,
    found: Sequence[Difference],
    kind: Kind,
    column: ColumnView | None,
    language: str,
    named: int,
) -> str:
    """`named`: how many rows the question named; 0 when all were compared."""
    es = language == "es"
    one, two = source_name(first.summary(0), language), source_name(second.summary(0), language)
    where = {
        "left": (f"in {one} but not in {two}", f"en {one} pero no en {two}"),
        "joined": (f"in {two} but not in {one}", f"en {two} pero no en {one}"),
        "changed": (f"changed between {one} and {two}", f"cambiaron entre {one} y {two}"),
    }[kind][es]
    covered = f"({len(first)} {'y' if es else 'and'} {len(second)} {'filas comparadas' if es else 'rows compared'})"
    if not found:
        return (
            f"{'Ninguno está' if es else 'No one and nothing is'} {where} {covered}."
            if kind != "changed"
            else (f"{'Nada cambió' if es else 'Nothing has changed'}: {one}, {two} {covered}.")
        )
    if kind == "changed":
        said = [f"{k} ({a} → {b}{_by(first, second, column, a, b) if named else ''})" for _, (k, a, b) in found]
    else:
        said = [", ".join(c for c in cells[:2] if c) for _, cells in found]
    verb = "" if kind == "changed" else ("está " if es else "is ") if len(found) == 1 else ("están " if es else "are ")
    return f"{len(found)} {verb}{where}: {listed(said, language)} {covered}."
