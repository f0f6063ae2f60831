"""What kind of values a column holds and how it writes them, from its cells alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from contracts.dates import numeric_parts, parse_date
from contracts.documents import ColumnKind, ColumnType, NumberStyle
from contracts.numerals import CURRENCIES, STYLES, Numeral, conforms, dissect, is_indian

NUMERIC_SHARE = 0.8
"""At least this share of the filled cells must be numbers (or dates) for the column to be one.
The rest are shown as unusable cells where the column is summed, never read as something else."""

TELLING_SHARE = 0.2
"""At least this share of the numbers with a mark must tell which mark it is."""

_PLACEHOLDER = re.compile(r"^(?:[-−–—]*|n/?a\.?|nil|tbd|\?|unknown|none|\.{2,3})$", re.IGNORECASE)
_CODE = re.compile(r"^(?=\S*\d)(?:(?=\S*[^\W\d_])[\w./#-]+|0\d+|\d+(?:[/-]\d+)+)$")
_UNIT_WORD = re.compile(r"^[\d.,'\s-]*\d\s*([^\W\d_]{1,12})\.?$")


def infer_column_type(cells: Sequence[str], hint: tuple[str, str] | None = None) -> ColumnType:
    """The type of a column from its body cells. `hint`: the (decimal, grouping) marks of the rest of the table,
    used only where this column's own cells leave it open."""
    filled = [c.strip() for c in cells if not _PLACEHOLDER.match(c.strip())]
    if not filled:
        return ColumnType()
    if _share(sum(bool(_CODE.match(c)) and not _is_day(c) for c in filled), filled):
        return ColumnType(kind=ColumnKind.CODE)
    if (dates := _date_type(filled)) is not None:
        return dates
    word = _common_unit(filled)
    numerals = [n for c in filled if (n := dissect(c, word)) is not None]
    if not _share(len(numerals), filled):
        return ColumnType()
    return _number_type(numerals, hint)


def infer_column_types(columns: Sequence[Sequence[str]]) -> tuple[ColumnType, ...]:
    """The types of all columns of one table; a column that could be read either way follows the others."""
    first = [infer_column_type(cells) for cells in columns]
    hint = table_marks(columns, first)
    if hint is None:
        return tuple(first)
    return tuple(
        infer_column_type(cells, hint) if t.kind in (ColumnKind.NUMBER, ColumnKind.PERCENT) else t
        for cells, t in zip(columns, first, strict=True)
    )


def table_marks(columns: Sequence[Sequence[str]], types: Sequence[ColumnType]) -> tuple[str, str] | None:
    """The marks that the table's unambiguous cells agree on, None when there are none or they disagree."""
    seen: Counter[tuple[str, str]] = Counter()
    marked = 0
    for cells, t in zip(columns, types, strict=True):
        if t.kind not in (ColumnKind.NUMBER, ColumnKind.PERCENT):
            continue
        for cell in cells:
            numeral = dissect(cell, t.unit)
            if numeral is None or not any(m in numeral.core for m in ".,"):
                continue
            marked += 1
            fits = _fitting([numeral.core])
            if len({d for d, _ in fits}) == 1:
                seen[fits[0]] += 1
    decided = sum(seen.values()) >= TELLING_SHARE * marked
    return next(iter(seen)) if decided and len({d for d, _ in seen}) == 1 else None


def _share(part: int, filled: Sequence[str]) -> bool:
    return part >= NUMERIC_SHARE * len(filled)


def _is_day(cell: str) -> bool:
    """Whether the cell is a date in one order or the other; which day it is may stay open."""
    return parse_date(cell, "dmy") is not None or parse_date(cell, "mdy") is not None


def _date_type(filled: Sequence[str]) -> ColumnType | None:
    pairs = [p for c in filled if (p := numeric_parts(c)) is not None]
    day_first, month_first = any(a > 12 for a, _ in pairs), any(b > 12 for _, b in pairs)
    mixed = day_first and month_first
    order = "dmy" if day_first and not mixed else "mdy" if month_first and not mixed else ""
    if not _share(sum(_is_day(c) for c in filled), filled):
        return None
    style = NumberStyle.model_validate({"decimal": "", "grouping": "", "date_order": order})
    return ColumnType(kind=ColumnKind.DATE, style=style, mixed=mixed)


def _common_unit(filled: Sequence[str]) -> str | None:
    """A word that follows the digits in every cell that has one, such as `bales`."""
    words = Counter(m[1].lower() for c in filled if (m := _UNIT_WORD.match(c)))
    if len(words) != 1 or next(iter(words)) in CURRENCIES:
        return None
    word, count = words.most_common(1)[0]
    return word if count >= 2 and _share(count, filled) else None


def _fitting(cores: Sequence[str]) -> list[tuple[str, str]]:
    return [(d, g) for d, g in STYLES if all(conforms(c, d, g) for c in cores)]


def _decided(cores: Sequence[str]) -> bool:
    """Whether enough of the cells with a mark tell what it means: one misprint (`1,1024` among `6,120`, `2,148`)
    must not turn thousands into decimals."""
    marked = [c for c in cores if any(m in c for m in ".,")]
    telling = sum(all(d == "," for d, _ in _fitting([c])) for c in marked)
    return telling >= TELLING_SHARE * len(marked)


def _number_type(numerals: Sequence[Numeral], hint: tuple[str, str] | None) -> ColumnType:
    cores = [n.core for n in numerals if n.core]
    units = {n.unit for n in numerals if n.unit}
    percent = sum(n.unit == "%" for n in numerals)
    fits = _fitting(cores)
    ambiguous = {(".", ","), (",", ".")} <= set(fits) and any("." in c for c in cores) and any("," in c for c in cores)
    unclear = not fits or ambiguous or (fits[0][0] == "," and hint not in fits and not _decided(cores))
    mixed = unclear or len(units) > 1 or 0 < percent < len(cores) or len({n.scale for n in numerals}) > 1
    kind = ColumnKind.PERCENT if percent and percent == len(cores) else ColumnKind.NUMBER
    decimal, grouping = hint if hint in fits else fits[0] if fits else ("", "")
    style = NumberStyle.model_validate(
        {
            "decimal": decimal if any(decimal in c for c in cores) else "",
            "grouping": grouping if any(grouping in c for c in cores) else "",
            "indian": any(is_indian(c, decimal, grouping) for c in cores),
        }
    )
    return ColumnType(
        kind=kind, style=None if unclear else style, unit=next(iter(units)) if len(units) == 1 else None, mixed=mixed
    )
