"""Dates as documents spell them. A date that could be two different days is none."""

from __future__ import annotations

import re
from datetime import date

_ENGLISH = "January February March April May June July August September October November December"
_SPANISH = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
_SHORT = (
    "jan ene",
    "feb",
    "mar",
    "apr abr",
    "",
    "jun",
    "jul",
    "aug ago",
    "sep sept setiembre",
    "oct",
    "nov",
    "dec dic",
)
MONTH_NAMES: dict[str, tuple[str, ...]] = {"en": tuple(_ENGLISH.split()), "es": tuple(_SPANISH.split())}
"""By language, January first, spelled as inside a sentence."""
MONTHS: dict[str, int] = {
    name: number
    for number, names in enumerate(zip(*MONTH_NAMES.values(), _SHORT, strict=True), start=1)
    for name in " ".join(names).lower().split()
}
"""Month names and abbreviations, English and Spanish, lower case, to 1..12."""
ANY_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
"""Any of them in lower case, as part of a regular expression."""

_ISO = re.compile(r"^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?$")
_NUMERIC = re.compile(r"^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})$")
_DAY_FIRST = re.compile(
    r"^(\d{1,2})(?:st|nd|rd|th|º)?(?: de\b)?[-\s/.]*([^\W\d_]+)\.?(?: del?\b)?[-\s/.,']*(\d{4}|\d{2})$"
)
_MONTH_FIRST = re.compile(r"^([^\W\d_]+)\.?[-\s]*(\d{1,2})(?:st|nd|rd|th)?[-\s,]+(\d{4})$")
_WEEKDAY = re.compile(r"^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+")


def parse_date(text: str, order: str = "") -> date | None:
    """The day that a text spells. `order` ("dmy", "mdy", "ymd") decides `03/04/2025`; without it that is None.

    Two-digit years are 1950 to 2049.
    """
    plain = _WEEKDAY.sub("", " ".join(text.lower().split()))
    if found := _ISO.match(plain):
        return _day(*found.groups())
    if found := _NUMERIC.match(plain):
        return _numeric(found[1], found[2], found[3], order)
    if found := _DAY_FIRST.match(plain):
        return _day(found[3], str(MONTHS.get(found[2], 0)), found[1])
    if found := _MONTH_FIRST.match(plain):
        return _day(found[3], str(MONTHS.get(found[1], 0)), found[2])
    return None


def numeric_parts(text: str) -> tuple[int, int] | None:
    """The first two numbers of `03/04/2025`: what a column's day-month order is inferred from."""
    found = _NUMERIC.match(text.strip())
    return (int(found[1]), int(found[2])) if found else None


def _numeric(first: str, second: str, year: str, order: str) -> date | None:
    dmy, mdy = _day(year, second, first), _day(year, first, second)
    if order == "dmy":
        return dmy
    if order == "mdy":
        return mdy
    if dmy and mdy:
        return dmy if dmy == mdy else None
    return dmy or mdy


def _day(year: str, month: str, day: str) -> date | None:
    full = int(year)
    if len(year) == 2:
        full += 1900 if full >= 50 else 2000
    try:
        return date(full, int(month), int(day))
    except ValueError:
        return None
