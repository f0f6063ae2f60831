"""Periods as the headers of financial statements name them, and which column a question means by its own words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from contracts.dates import ANY_MONTH, parse_date
from contracts.periods import covers, months

_COUNTS = {"three": 3, "six": 6, "nine": 9, "twelve": 12}
_WEEKS = {"13": 3, "26": 6, "39": 9, "52": 12, "53": 12}
_MONTHS = re.compile(rf"\b({'|'.join(_COUNTS)}|\d{{1,2}})[ -]months?\b")
_WEEK = re.compile(r"\b(13|26|39|52|53)[ -]weeks?\b")
_YEAR_LONG = re.compile(r"\b(?:fiscal |financial )?years? ended\b|\btwelve months\b|\bannual\b")
_QUARTER = re.compile(
    r"\bq[1-4]\b|\b(?:first|second|third|fourth|1st|2nd|3rd|4th) (?:fiscal )?quarter\b|\bquarter ended\b"
)
_DAY = re.compile(
    rf"\b(?:{ANY_MONTH})\.? \d{{1,2}}(?:st|nd|rd|th)?,? (?:of )?\d{{4}}\b|\b\d{{1,2}}(?:st|nd|rd|th)? (?:{ANY_MONTH}),? \d{{4}}\b"
    rf"|\b\d{{4}}-\d\d-\d\d\b"
)
_AT = re.compile(r"\bas (?:of|at)\b")
_YEAR = re.compile(r"(?<![\d/,.-])(?:19|20)\d\d(?![\d/-]|,\d)")


@dataclass(frozen=True)
class Spell:
    """What a text says of periods."""

    days: tuple[date, ...] = ()
    months: int | None = None
    """How long the period is."""
    years: tuple[int, ...] = ()
    """Years that are not those of the days."""
    at: bool = False
    """Said of a point in time (`as of`), not of a period that ends then."""


def read_spell(text: str) -> Spell:
    """`Three Months Ended / December 31, 2022` → that day and 3 months."""
    plain = " ".join(text.replace("/", " ").casefold().split())
    days = [
        d
        for m in _DAY.finditer(plain)
        if (d := parse_date(re.sub(r"(?<=\d)(?:st|nd|rd|th)|\bof ", "", m[0]).replace(". ", " "))) is not None
    ]
    rest = _DAY.sub(" ", plain)
    return Spell(
        tuple(dict.fromkeys(days)),
        _months(rest),
        tuple(dict.fromkeys(int(y) for y in _YEAR.findall(rest))),
        _AT.search(plain) is not None,
    )


def _months(text: str) -> int | None:
    if found := _MONTHS.search(text):
        return _COUNTS.get(found[1]) or int(found[1])
    if week := _WEEK.search(text):
        return _WEEKS[week[1]]
    if _YEAR_LONG.search(text):
        return 12
    return 3 if _QUARTER.search(text) else None


def period_words_in(text: str) -> str:
    """The text without what it says of periods."""
    plain = " ".join(text.casefold().split())
    for pattern in (_DAY, _MONTHS, _WEEK, _YEAR_LONG, _QUARTER, _YEAR):
        plain = pattern.sub(" ", plain)
    return plain


@dataclass(frozen=True)
class Chosen:
    column: int
    assumed: bool
    """The question names no period: it is the latest one."""


def choose_column(spells: Sequence[Spell], asked: Spell, periods: Sequence[str], about: str | None) -> Chosen | None:
    """The one column that the question means, None when it may be several or none.

    `spells`: of the headers, `Spell()` for those without a period; `periods`: those of the question, `about` the
    document's own. A company's first quarter may end in December: where no column ends in the calendar's quarter, the
    document's own period is that of its latest column.
    """
    dated = [i for i, s in enumerate(spells) if len(s.days) == 1 or (not s.days and len(s.years) == 1)]
    if asked.at:
        dated = [i for i in dated if spells[i].months is None]
    if not dated:
        return None
    assumed = not (asked.days or periods or asked.years)
    if asked.days:
        found = [i for i in dated if set(spells[i].days) & set(asked.days)] if len(asked.days) == 1 else []
    elif assumed:
        found = _latest(spells, dated)
    else:
        wanted = [*periods, *map(str, asked.years)]
        found = [i for i in dated if any(_is_of(spells[i], p) for p in wanted)]
        if not found and any(about == p for p in periods):
            found = [i for i in _latest(spells, dated) if spells[i].months in (None, len(months(about or "")))]
    if len(found) > 1:
        length = asked.months or min(spells[i].months or 0 for i in found)
        found = [i for i in found if spells[i].months == length]
    if asked.months is not None:
        found = [i for i in found if spells[i].months in (None, asked.months)]
    return Chosen(found[0], assumed) if len(found) == 1 else None


def _is_of(spell: Spell, period: str) -> bool:
    """Whether a column holds the figures of the whole period: as long as it, or of one day, and ending with it."""
    spanned = sorted(months(period))
    if not spanned or spell.months not in (None, len(spanned)):
        return False
    if not spell.days:
        return len(spanned) == 12 and spell.years == (spanned[0][0],)
    return (spell.days[0].year, spell.days[0].month) == spanned[-1] or (len(spanned) == 12 and _within(spell, period))


def _within(spell: Spell, period: str) -> bool:
    """A fiscal year need not end in December."""
    return spell.months == 12 and covers(period, f"{spell.days[0]:%Y-%m}")


def _latest(spells: Sequence[Spell], dated: Sequence[int]) -> list[int]:
    def end(i: int) -> date:
        return spells[i].days[0] if spells[i].days else date(spells[i].years[0], 12, 31)

    last = max(end(i) for i in dated)
    return [i for i in dated if end(i) == last]
