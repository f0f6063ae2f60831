"""What rows are ordered and compared by, read from a cell: days, clock times, years, the number it starts with."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal

from contracts.dates import MONTH_NAMES
from contracts.numbers import parse_date, parse_number

_YEAR = re.compile(r"(?<!\d)(1[0-9]\d\d|20\d\d)(?!\d)")
_SPAN = re.compile(r"^\d{4}\s*[-–/]\s*\d{2,4}$")
_LEADING = re.compile(r"^\W{0,2}[Tt]?(\d[\d,.]*)(?![\d:/–-])")
_CLOCK = re.compile(r"^\+?(?:(?:(\d+):)?(\d{1,2}):)?(\d{1,2}(?:\.\d+)?)$")


def year_of(text: str) -> int | None:
    found = _YEAR.findall(text)
    return int(found[0]) if found and (len(set(found)) == 1 or _SPAN.match(text.strip())) else None


def _day_number(text: str, order: str) -> Decimal | None:
    day = parse_date(text, order)
    return Decimal(day.toordinal()) if day else None


def _clock(text: str, order: str) -> Decimal | None:
    found = _CLOCK.match(text.strip())
    return Decimal(found[1] or 0) * 3600 + Decimal(found[2] or 0) * 60 + Decimal(found[3]) if found else None


def _year_value(text: str, order: str) -> Decimal | None:
    year = year_of(text)
    return Decimal(year) if year else None


def _leading(text: str, order: str) -> Decimal | None:
    found = _LEADING.match(text.strip())
    return parse_number(found[1].rstrip(".,")) if found else None


def date_words(day: date | None) -> tuple[str, ...]:
    return (MONTH_NAMES["en"][day.month - 1].lower(), str(day.year)) if day else ()


READERS: tuple[Callable[[str, str], Decimal | None], ...] = (_day_number, _clock, _year_value, _leading)
"""From (cell, order of day and month) to a value; the first that reads nearly all cells of a column is the column's."""
