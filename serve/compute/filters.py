"""Conditions of a question: cells it names, numbers it compares, ranks and years. Each becomes a `Where`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from contracts.documents import ColumnKind
from contracts.plans import Where
from serve.compute import cues
from serve.compute.bounds import compared_conditions
from serve.compute.draft import Builder
from serve.compute.figures import figure_conditions
from serve.compute.reading import ColumnSpan, ValueSpan
from serve.compute.relative import relative_conditions
from serve.compute.subject import Subject
from serve.compute.traits import Condition
from serve.compute.view import ColumnView


def add_conditions(b: Builder, subject: Subject, keep: Iterable[ColumnSpan] = ()) -> list[Where]:
    """All conditions that the reading supports, their words used. `keep`: columns already spoken for."""
    busy = {(c.start, c.end) for c in keep}
    relative = [Condition(*r) for r in relative_conditions(b)]
    found = relative + compared_conditions(b, subject) + figure_conditions(b, busy) + _values(b, busy) + _outcomes(b)
    _join_alternatives(b, found)
    return _merge(_negated(b, found, busy))


def _join_alternatives(b: Builder, found: Sequence[Condition]) -> None:
    """`Finance or Stores`: two cells of one column, either of which will do."""
    equal = [c for c in found if c.where.op == "eq"]
    for left in equal:
        joint = b.reading.norms[left.end : left.end + 1]
        beside = (c for c in equal if c.start == left.end + 1 and c.where.column == left.where.column)
        if joint in (("or",), ("o",), ("u",)) and next(beside, None) is not None:
            b.use(range(left.end, left.end + 1))


_OPPOSITE = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}


def _values(b: Builder, busy: set[tuple[int, int]]) -> list[Condition]:
    found: list[Condition] = []
    for span in b.reading.values:
        if b.used.issuperset(range(span.start, span.end)):
            continue
        column = _column_of(b, span, found)
        if column is None:
            continue
        b.use_span(span)
        texts = dict.fromkeys(b.reading.view.columns[column].texts[r] for r in span.places[column])
        if span.whole and span.wider:
            b.doubt(0.9, f"“{b.reading.phrase(span.start, span.end)}” also stands in longer cells")
        dated = b.reading.view.columns[column].type.kind is ColumnKind.DATE
        if not span.whole and not dated:
            b.doubt(0.95, f"“{b.reading.phrase(span.start, span.end)}” is part of a cell")
        found.append(
            Condition(
                Where(column=b.reading.view.columns[column].name, op="eq", values=tuple(texts)), span.start, span.end
            )
        )
    return found


def _column_of(b: Builder, span: ValueSpan, earlier: Sequence[Condition]) -> int | None:
    """The column a named cell is in: the one said beside it, that of its neighbour, else the only one."""
    options = [c for c in span.places if not b.reading.view.columns[c].numeric] or list(span.places)
    if len(options) == 1:
        return options[0]
    near = [
        s for s in b.reading.columns if s.end in (span.start, span.start - 1, span.start - 2) or s.start == span.end
    ]
    for column in near:
        for match in column.matches:
            if match.column in options:
                b.use_span(column)
                return match.column
    before = {c.where.column for c in earlier}
    again = [c for c in options if b.reading.view.columns[c].name in before]
    if again:
        return again[0]
    b.doubt(0.6, f"“{b.reading.phrase(span.start, span.end)}” stands in several columns")
    b.ambiguous = True
    return max(options, key=lambda c: len(span.places[c]))


def _outcomes(b: Builder) -> list[Condition]:
    """`won` where a column of results says `W` or `Won`."""
    found = []
    for i, word in enumerate(b.reading.words):
        if i in b.used or any(c.start <= i < c.end for c in b.reading.columns):
            continue
        for column in b.reading.view.columns:
            texts = _outcome_cells(column, word.norm)
            if texts:
                b.use(range(i, i + 1))
                found.append(Condition(Where(column=column.name, op="eq", values=texts), i, i + 1))
                break
    return found


def _outcome_cells(column: ColumnView, norm: str) -> tuple[str, ...]:
    """The cells of a result column that the verb means; () when the column is none."""
    wanted = cues.OUTCOMES.get(norm)
    if wanted is None or column.numeric:
        return ()
    every = {w for spellings in cues.OUTCOMES.values() for w in spellings}
    firsts = [t[0] if t else "" for t in column.tokens]
    filled = [f for f in firsts if f]
    if not filled or sum(f in every for f in filled) < 0.5 * len(filled):
        return ()
    return tuple(dict.fromkeys(t for t, f in zip(column.texts, firsts, strict=True) if f in wanted))


def _negated(b: Builder, found: list[Condition], busy: set[tuple[int, int]]) -> list[Condition]:
    """`not X` turns the condition behind it; `no X` of a column asks for zero or nothing there."""
    result = list(found)
    for i, word in enumerate(b.reading.words):
        if word.norm not in cues.NEGATIONS and b.reading.norms[i : i + 2] != ("other", "than"):
            continue
        if i in b.used:
            continue
        bound = next((c for c in result if i < c.start <= i + 8 and c.where.op in _OPPOSITE), None)
        nearer = bound is not None and any(i < c.start < bound.start and c.where.op == "eq" for c in result)
        if bound is not None and word.norm != "no" and not nearer:
            turned = bound.where.model_copy(update={"op": _OPPOSITE[bound.where.op]})
            result[result.index(bound)] = Condition(turned, bound.start, bound.end)
            b.use(range(i, i + 1))
            continue
        target = next((c for c in result if i < c.start <= i + 4 and c.where.op == "eq"), None)
        column = next((c for c in b.reading.columns if i < c.start <= i + 3 and (c.start, c.end) not in busy), None)
        if target is not None and (column is None or target.start < column.start or target.end >= column.start - 1):
            turned = target.where.model_copy(update={"op": "ne"})
            result[result.index(target)] = Condition(turned, target.start, target.end)
            _turn_alternatives(b, result, target)
        elif column is not None and word.norm in ("no", "without", "sin", "zero"):
            view = b.reading.view.columns[b.take_column(column).column]
            empty = (
                Where(column=view.name, op="eq", values=("0",)) if view.numeric else Where(column=view.name, op="empty")
            )
            result.append(Condition(empty, i, column.end))
        else:
            continue
        b.use(range(i, i + 2 if word.norm == "other" else i + 1))
    return result


def _turn_alternatives(b: Builder, result: list[Condition], turned: Condition) -> None:
    """`Not in Weaving or Dyeing` leaves out both."""
    end = turned.end
    while b.reading.norms[end : end + 1] in (("or",), ("nor",), ("and",), ("o",), ("ni",), ("y",), ("u",)):
        after = [
            c for c in result if c.start == end + 1 and c.where.op == "eq" and c.where.column == turned.where.column
        ]
        if not after:
            return
        b.use(range(end, end + 1))
        where = after[0].where.model_copy(update={"op": "ne"})
        result[result.index(after[0])] = Condition(where, after[0].start, after[0].end)
        end = after[0].end


def _merge(found: Sequence[Condition]) -> list[Where]:
    """Equal columns of `eq` are alternatives (`in 2010 and 2012`); everything else must all hold."""
    merged: dict[tuple[str, str], Where] = {}
    for n, condition in enumerate(found):
        where = condition.where
        key = (where.column, where.op if where.op in ("eq", "ne") else f"{where.op}{n}")
        known = merged.get(key)
        values = tuple(dict.fromkeys((*(known.values if known else ()), *where.values)))
        merged[key] = where.model_copy(update={"values": values})
    return list(merged.values())
