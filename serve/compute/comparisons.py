"""Comparisons in a question: `more than 5,000`, `at least two`, `before 6 July 2004`, `between 1986 and 1996`."""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Literal

from contracts.dates import MONTHS
from contracts.numbers import parse_date, parse_number
from contracts.numerals import SCALES
from serve.compute.words import CARDINAL, ORDINAL, Word, ordinal

Bound = Literal["lt", "le", "gt", "ge", "between", "eq"]

_BEFORE: dict[tuple[str, ...], Bound] = {
    **{(w, "than"): "gt" for w in ("more", "greater", "higher", "larger", "longer", "taller", "bigger", "heavier")},
    **{(w, "than"): "lt" for w in ("less", "fewer", "lower", "smaller", "shorter", "lighter")},
    ("over",): "gt", ("above",): "gt", ("exceeding",): "gt", ("exceeds",): "gt", ("exceed",): "gt", ("exceeded",): "gt",
    ("under",): "lt", ("below",): "lt", ("beneath",): "lt",
    ("at", "least"): "ge", ("no", "less", "than"): "ge", ("not", "less", "than"): "ge", ("no", "fewer", "than"): "ge",
    ("at", "most"): "le", ("no", "more", "than"): "le", ("not", "more", "than"): "le", ("up", "to"): "le",
    ("after",): "gt", ("later", "than"): "gt", ("since",): "ge", ("from",): "ge", ("starting",): "ge",
    ("before",): "lt", ("prior", "to"): "lt", ("previous", "to"): "lt", ("earlier", "than"): "lt", ("until",): "le",
    ("in", "the", "top"): "ge", ("in", "top"): "ge",
    ("exactly",): "eq",
    ("mas", "de"): "gt", ("mayor", "que"): "gt", ("mayor", "de"): "gt", ("superior", "a"): "gt", ("mas", "que"): "gt",
    ("menos", "de"): "lt", ("menor", "que"): "lt", ("menor", "de"): "lt", ("inferior", "a"): "lt",
    ("al", "menos"): "ge", ("como", "minimo"): "ge", ("como", "maximo"): "le",
    ("despues", "de"): "gt", ("desde",): "ge", ("antes", "de"): "lt", ("hasta",): "le",
}  # fmt: skip
_AFTER: dict[tuple[str, ...], Bound] = {
    **{("or", w): "ge" for w in ("more", "higher", "above", "greater", "better", "longer", "later", "over")},
    **{("or", w): "le" for w in ("less", "fewer", "lower", "below", "under", "shorter", "earlier")},
    ("o", "mas"): "ge", ("o", "menos"): "le", ("and", "above"): "ge", ("and", "below"): "le", ("and", "over"): "ge",
}  # fmt: skip
_TIME_ONLY = frozenset({("after",), ("since",), ("from",), ("starting",), ("before",), ("until",), ("prior", "to"),
                        ("previous", "to"), ("despues", "de"), ("desde",), ("antes", "de"), ("hasta",)})  # fmt: skip
_SIGNS: dict[str, Bound] = {"negative": "lt", "negativo": "lt", "negativa": "lt", "negativos": "lt", "negativas": "lt",
                            "positive": "gt", "positivo": "gt", "positiva": "gt"}  # fmt: skip
_FILL = frozenset({"the", "a", "an", "of", "rs", "inr", "usd", "eur", "year"})


@dataclass(frozen=True)
class Operand:
    """A number or a stretch of days. `first` and `last` are equal for a single day."""

    start: int
    end: int
    text: str
    number: Decimal | None = None
    first: date | None = None
    last: date | None = None
    rank: bool = False
    """Spelt as an ordinal: 1st is above 2nd."""

    @property
    def year(self) -> int | None:
        """The year when the operand could be one."""
        if self.first is not None:
            return self.first.year
        plain = self.number is not None and self.number == int(self.number) and "," not in self.text
        return int(self.number) if plain and self.number is not None and 1000 <= self.number <= 2100 else None


@dataclass(frozen=True)
class Comparison:
    """Words `start` to `end` (exclusive) of the question."""

    start: int
    end: int
    op: Bound
    operands: tuple[Operand, ...]
    temporal: bool
    """Worded for time (`after`, `since`) or with a date."""


def find_comparisons(words: Sequence[Word], text: str) -> tuple[Comparison, ...]:
    found: list[Comparison] = []
    position = 0
    while position < len(words):
        comparison = (
            _between(words, text, position)
            or _years(words, text, position)
            or _bounded(words, text, position)
            or _or_more(words, text, position)
            or _signed(words, position)
        )
        if comparison is None:
            position += 1
        else:
            found.append(comparison)
            position = comparison.end
    return tuple(found)


def _between(words: Sequence[Word], text: str, at: int) -> Comparison | None:
    """`between A and B`, `from A to B`, `entre A y B`, `desde A hasta B`."""
    joints = {"between": ("and", "to"), "from": ("to", "through", "until"), "entre": ("y",), "desde": ("hasta",)}
    joint = joints.get(words[at].norm)
    if joint is None:
        return None
    first = operand_at(words, text, _skip(words, at + 1))
    if first is None or first.end >= len(words):
        return None
    dash = text[words[first.end - 1].end : words[first.end].start].strip() in ("-", "–", "—")
    step = 0 if dash else 1
    if not dash and words[first.end].norm not in joint:
        return None
    second = operand_at(words, text, _skip(words, first.end + step))
    if second is None:
        return None
    return Comparison(at, second.end, "between", (first, second), bool(first.first or first.year))


def _years(words: Sequence[Word], text: str, at: int) -> Comparison | None:
    """`1986-1996`, `2000 – 2005`; not `1989-90`, which is one season."""
    if at + 1 >= len(words) or text[words[at].end : words[at + 1].start].strip() not in ("-", "–", "—"):
        return None
    first, second = operand_at(words, text, at), operand_at(words, text, at + 1)
    if first is None or second is None or first.end != at + 1 or not (first.year and second.year):
        return None
    return Comparison(at, second.end, "between", (first, second), True) if first.year < second.year else None


def _bounded(words: Sequence[Word], text: str, at: int) -> Comparison | None:
    for size in (3, 2, 1):
        cue = tuple(w.norm for w in words[at : at + size])
        op = _BEFORE.get(cue)
        if op is None or len(cue) < size:
            continue
        operand = operand_at(words, text, _skip(words, at + size))
        if operand is None:
            continue
        if cue[-1] == "top":
            operand = replace(operand, rank=True)
        temporal = operand.first is not None or (cue in _TIME_ONLY and operand.year is not None)
        if cue in _TIME_ONLY and not temporal:
            continue
        end = operand.end
        tail = tuple(w.norm for w in words[end : end + 2])
        return Comparison(at, end + 2 if tail in _AFTER else end, op, (operand,), temporal)
    return None


def _or_more(words: Sequence[Word], text: str, at: int) -> Comparison | None:
    """`30 or more`; also `3rd place or better`, whose middle word is left to the columns."""
    operand = operand_at(words, text, at)
    if operand is None:
        return None
    op = _AFTER.get(tuple(w.norm for w in words[operand.end : operand.end + 2]))
    return Comparison(at, operand.end + 2, op, (operand,), operand.first is not None) if op else None


def _signed(words: Sequence[Word], at: int) -> Comparison | None:
    """`A negative movement`, `balances that are positive`."""
    op = _SIGNS.get(words[at].norm)
    return Comparison(at, at + 1, op, (Operand(at, at + 1, "0", number=Decimal(0)),), False) if op else None


def _skip(words: Sequence[Word], at: int) -> int:
    while at < len(words) and words[at].norm in _FILL:
        at += 1
    return at


def operand_at(words: Sequence[Word], text: str, at: int) -> Operand | None:
    """The longest date or number that starts at word `at`."""
    for size in range(min(4, len(words) - at), 0, -1):
        part = text[words[at].start : words[at + size - 1].end]
        if (days := _days(part, size)) is not None:
            return Operand(at, at + size, part, first=days[0], last=days[1])
    if at >= len(words):
        return None
    word = words[at]
    if re.fullmatch(r"\d+(?:st|nd|rd|th)", word.norm) or (word.norm in ORDINAL and _is_place(words, at + 1)):
        return Operand(at, at + 1, word.norm, number=Decimal(ordinal(word.norm) or 0), rank=True)
    scaled = at + 1 < len(words) and words[at + 1].norm in SCALES
    part = text[word.start : words[at + 1].end] if scaled else text[word.start : word.end]
    value = Decimal(CARDINAL[word.norm]) if word.norm in CARDINAL else parse_number(part)
    return None if value is None else Operand(at, at + 1 + scaled, part, number=value)


def _is_place(words: Sequence[Word], at: int) -> bool:
    return at < len(words) and words[at].stem in ("place", "position", "rank", "lugar", "puesto")


def _days(part: str, size: int) -> tuple[date, date] | None:
    day = parse_date(part) if size > 1 or not part.isdigit() else None
    if day is not None:
        return day, day
    pieces = part.lower().replace(",", " ").split()
    if size == 2 and len(pieces) == 2 and pieces[0] in MONTHS and pieces[1].isdigit() and len(pieces[1]) == 4:
        year, month = int(pieces[1]), MONTHS[pieces[0]]
        return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])
    return None
