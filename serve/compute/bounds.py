"""Comparisons as conditions: which column is compared, and with what."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from decimal import Decimal

from contracts.plans import Where
from serve.compute import cues
from serve.compute.comparisons import Comparison, Operand
from serve.compute.draft import Builder
from serve.compute.subject import Subject, money_column, pay_column
from serve.compute.traits import Condition, column_has_days, holds_ranks, is_identifier, noun_behind
from serve.compute.view import ColumnView

_JOINTS = frozenset({"and", "or", "but", "with", "y", "o", "pero", "con"})
_COUNTED = (("days",), ("day",), ("dias",), ("dia",))
"""What a number is of, where the column says the same by its name: `more than 2 days` of sick leave."""
SAID_AFTER, SAID_BEFORE = 3, 5
"""How many words a column may stand behind or ahead of the number that is compared with it."""


def compared_conditions(b: Builder, subject: Subject) -> list[Condition]:
    """A condition for each comparison of the reading; one that no column takes costs."""
    found = []
    for comparison in b.reading.comparisons:
        ranked = comparison.operands[0].rank
        column = _rank_column(b, comparison) if ranked else _compared(b, subject, comparison)
        if column is None:
            b.doubt(0.3, f"“{b.reading.phrase(comparison.start, comparison.end)}” compares with no column")
            continue
        b.use_span(comparison)
        comparison = _in_style(b, column, comparison)
        where = _bounded(column, comparison)
        if ranked:
            # Above 3rd is 1st and 2nd: the smaller rank is the better one.
            where = where.model_copy(update={"op": _BETTER.get(where.op, where.op)})
        found.append(Condition(where, comparison.start, comparison.end))
    return found


def _compared(b: Builder, subject: Subject, c: Comparison) -> ColumnView | None:
    """The column said beside the comparison, else the only one it can be."""
    reading, view = b.reading, b.reading.view
    near = [s for s in reading.columns if c.end <= s.start <= c.end + SAID_AFTER]
    before = [s for s in reversed(reading.columns) if c.start - SAID_BEFORE <= s.end <= c.start]
    if before and near and not _JOINTS.isdisjoint(reading.norms[c.end : near[0].start]):
        near = []  # `basic above 30,000 and deductions below …`: that column is the next one's
    near += before
    for span in near:
        column = view.columns[span.best.column]
        if c.temporal and not column.is_calendar:
            continue
        if not c.temporal and (column.is_calendar or not any(v is not None for v in column.measures)):
            continue
        b.take_column(span)
        noun_behind(b, span)
        b.use(i for i in (c.end,) if not c.temporal and b.reading.norms[i : i + 1] in _COUNTED)
        _check_unit(b, c, column)
        return column
    if c.temporal:
        return _calendar(b)
    if (sized := _dimension(b, c)) is not None:
        _check_unit(b, c, sized)
        return sized
    if (paid := pay_column(reading, subject)) is not None:
        b.use(i for i, n in enumerate(reading.norms) if n in cues.EARNING)
        b.ambiguous = True
        _check_unit(b, c, paid)
        return paid
    if (money := money_column(reading, subject)) is not None:
        b.use(i for i, n in enumerate(reading.norms) if n in cues.SPENDING)
        b.doubt(0.95, f"compared with {money.name}")
        return money
    fit = [v for v in view.columns if v.numeric and not is_identifier(b, v) and not v.is_calendar]
    if len(fit) != 1:
        return None
    b.doubt(0.6, f"compared with {fit[0].name}, the only number column")
    return fit[0]


def _dimension(b: Builder, c: Comparison) -> ColumnView | None:
    """`Taller than 450 feet`, `at least 9 lb`: the one column that the dimension or the unit fits."""
    said = set(cues.COMPARATIVES.get(b.reading.norms[c.start], ()))
    unit = _unit(b, c)
    if b.reading.norms[c.end : c.end + 2] == ("years", "old"):
        said, unit = {"age"}, None
        b.use(range(c.end, c.end + 2))
    fit = [v for v in b.reading.view.columns if any(m is not None for m in v.measures)]
    fit = [v for v in fit if (not said or said & set(v.stems)) and (unit is None or in_unit(v, unit))]
    return fit[0] if len(fit) == 1 and (said or unit) else None


def _unit(b: Builder, c: Comparison) -> str | None:
    """The unit word right behind the number."""
    after = b.reading.norms[c.end : c.end + 1]
    return after[0] if after and after[0] in cues.UNIT_WORDS else None


def in_unit(column: ColumnView, unit: str) -> bool:
    """Whether the column is known to be in the unit: by its header, its type, or the text behind its numbers."""
    names = cues.UNIT_WORDS[unit]
    if {*column.stems, (column.type.unit or "").lower()} & set(names):
        return True
    behind = re.compile(r"^\W*[\d.,]+\s*(?:" + "|".join(map(re.escape, names)) + r")\b", re.IGNORECASE)
    filled = [t for i, t in enumerate(column.texts) if not column.empty(i)]
    return bool(filled) and sum(bool(behind.match(t.strip())) for t in filled) >= 0.8 * len(filled)


def _check_unit(b: Builder, c: Comparison, column: ColumnView) -> None:
    """A number in a unit that the column is not known to be in may not be compared with it as it is."""
    unit = _unit(b, c)
    if unit is None:
        return
    b.use(range(c.end, c.end + 1))
    # Money is written with and without its sign; a measure in another unit is another number.
    money = (
        column.numeric and column.type.unit is None and unit in ("rupees", "rupias", "rs", "inr", "dollars", "euros")
    )
    if not in_unit(column, unit) and not money:
        b.doubt(0.3, f"{column.name} is not known to be in {unit}")


_BETTER: dict[str, str] = {"gt": "lt", "lt": "gt", "ge": "le", "le": "ge"}


def _rank_column(b: Builder, c: Comparison) -> ColumnView | None:
    """The column of ranks that the comparison names, else the only one."""
    view = b.reading.view
    near = [s for s in b.reading.columns if c.start - SAID_BEFORE <= s.start <= c.end + 1]
    for span in near:
        if holds_ranks(view.columns[span.best.column]):
            b.take_column(span)
            return view.columns[span.best.column]
    fit = [v for v in view.columns if set(v.stems) & cues.RANKS and holds_ranks(v)]
    b.use(i for i in range(c.end, min(c.end + 1, len(b.reading.words))) if b.reading.words[i].stem in cues.RANKS)
    return fit[0] if len(fit) == 1 else None


def _calendar(b: Builder) -> ColumnView | None:
    """The table's column of days or years; with several, the first is a guess that costs."""
    fit = [v for v in b.reading.view.columns if not v.made and v.is_calendar]
    if len(fit) > 1:
        b.doubt(0.55, f"dates stand in {', '.join(c.name for c in fit)}")
    return fit[0] if fit else None


def _bounded(column: ColumnView, c: Comparison) -> Where:
    texts = tuple(_operand_text(column, o) for o in c.operands)
    first = c.operands[0]
    by_year = first.first is None or not column_has_days(column)
    if c.temporal and not by_year and first.first is not None and first.last is not None:
        texts = tuple(_edge(o, c.op).isoformat() for o in c.operands if o.first)
        if c.op == "between" and c.operands[1].last is not None:
            texts = (first.first.isoformat(), c.operands[1].last.isoformat())
    return Where(column=column.name, op=c.op, values=texts)


def _in_style(b: Builder, column: ColumnView, c: Comparison) -> Comparison:
    """`60.000` against amounts of two decimals is sixty thousand, as the column or the language writes it; where
    neither does, the answer states how it was read."""
    spelt = [o for o in c.operands if o.first is None and _THOUSANDS.fullmatch(o.text)]
    places = max((-int(v.as_tuple().exponent) for v in column.numbers if v is not None), default=0)
    if not spelt or not column.numeric or places > 2:
        return c
    grouped = {o: replace(o, number=Decimal(o.text.replace(".", ""))) for o in spelt}
    style = column.type.style
    b.ambiguous = b.ambiguous or not (
        (style is not None and style.grouping == ".") or _SPANISH.intersection(b.reading.norms)
    )
    return replace(c, operands=tuple(grouped.get(o, o) for o in c.operands))


_THOUSANDS = re.compile(r"[1-9]\d{0,2}\.\d{3}")
_SPANISH = frozenset({"de", "que", "entre", "y", "al", "como", "hasta", "desde"})


def _edge(operand: Operand, op: str) -> date:
    """The day of the stretch that the comparison is with: after May 2010 is after its last day."""
    day = operand.last if op in ("gt", "le") else operand.first
    assert day is not None
    return day


def _operand_text(column: ColumnView, operand: Operand) -> str:
    if operand.first is not None:
        return str(operand.first.year)
    return str(operand.number)
