"""How one number is spelt: its sign, its unit and its digits, told apart without changing a value.

`contracts.numbers` is the public face; this module holds the pieces that parsing, formatting and
column types share.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

CURRENCIES: dict[str, str] = {
    "₹": "INR", "rs.": "INR", "rs": "INR", "inr": "INR", "us$": "USD", "usd": "USD", "$": "USD", "€": "EUR",
    "eur": "EUR", "£": "GBP", "gbp": "GBP", "¥": "JPY", "jpy": "JPY", "chf": "CHF", "cny": "CNY", "r$": "BRL",
    "brl": "BRL", "mxn": "MXN", "aud": "AUD", "a$": "AUD", "cad": "CAD", "c$": "CAD", "nzd": "NZD", "sgd": "SGD",
    "hkd": "HKD", "aed": "AED", "sar": "SAR", "sek": "SEK", "nok": "NOK", "dkk": "DKK", "pln": "PLN", "zł": "PLN",
    "zar": "ZAR", "cop": "COP", "ars": "ARS", "clp": "CLP", "pen": "PEN", "bdt": "BDT", "lkr": "LKR", "npr": "NPR",
    "pkr": "PKR", "₽": "RUB", "rub": "RUB", "₩": "KRW", "krw": "KRW", "₺": "TRY", "try": "TRY", "₱": "PHP",
    "₦": "NGN", "₪": "ILS", "฿": "THB", "₫": "VND", "idr": "IDR", "myr": "MYR",
}  # fmt: skip
"""Spelling (lower case) to ISO 4217 code."""

SCALES: dict[str, int] = {"thousand": 3, "lakh": 5, "lakhs": 5, "lac": 5, "lacs": 5, "million": 6, "mn": 6,
                          "millones": 6, "crore": 7, "crores": 7, "billion": 9, "bn": 9, "mil": 3}  # fmt: skip
"""Words that multiply, as powers of ten. `Cr` is not among them: in a ledger it means credit."""

# fmt: off
UNITS = frozenset({
    "day", "days", "hr", "hrs", "hour", "hours", "month", "months", "year", "years", "yr", "yrs",
    "nos", "pcs", "pts", "points", "kg", "g", "km", "m", "cm", "mm", "mi", "ft",
    "día", "días", "hora", "horas", "mes", "meses", "año", "años",
})
# fmt: on
"""Units understood without being told; any other word after digits is no number."""

MINUS = "-"
_MINUSES = str.maketrans(dict.fromkeys("−‒–—﹣-‐‑", MINUS))
_SPACES = str.maketrans(dict.fromkeys("\u00a0\u2007\u2009\u200a\u202f\u2002\u2003\t\n\r", " "))
_MARKS = re.compile(r"(?:\s*(?:[*†‡§^]+|[⁰¹²³⁴-⁹]+|\[\w{1,3}\]|\([a-z]\)))+$")
_LEADING_MARKS = re.compile(r"^[*†‡§^]+\s*")
_PLAIN = re.compile(r"^\d+(?:[.,]\d+)*$")
"""Digits and marks alone, as most cells of a long register are: nothing to take off."""
_ZERO = re.compile(r"^(?:-{1,3}|nil)$", re.IGNORECASE)
_TRAILING_MINUS = re.compile(r"[\d%]\s*-$")
_CREDIT = re.compile(r"\s*\b(dr|cr|debit|credit)\b\.?$", re.IGNORECASE)
_WORD_UNITS = "|".join(sorted((re.escape(c) for c in CURRENCIES), key=len, reverse=True))
_PREFIX = re.compile(rf"^({_WORD_UNITS})(?![a-z])\s*", re.IGNORECASE)
_SUFFIX = re.compile(rf"\s*(?<![a-z])({_WORD_UNITS}|%|‰)$", re.IGNORECASE)
_WORD = re.compile(r"(?<=\d)\s*([^\W\d_]+)\.?$")
_CORE = re.compile(r"^(?:\d[\d.,'’ ]*|[.,]\d+)$")


@dataclass(frozen=True)
class Numeral:
    """A spelling taken apart. `core` holds digits and separators only, apostrophes and spaces unified."""

    core: str
    negative: bool = False
    unit: str | None = None
    """ISO code, `%`, or the word as printed."""
    scale: int = 0
    """Power of ten that a word such as lakh adds."""
    zero: bool = False
    """A dash or `nil` that stands for zero; `core` is empty."""


def unify(text: str) -> str:
    """One kind of minus and one kind of space."""
    return text.translate(_MINUSES).translate(_SPACES)


def clean(text: str) -> str:
    """Unified, without footnote marks at either end."""
    return _LEADING_MARKS.sub("", _MARKS.sub("", unify(text).strip())).strip()


def dissect(text: str, unit: str | None = None) -> Numeral | None:
    """The parts of a cell that spells exactly one number, else None. `unit`: a word to accept besides the known ones."""
    if _PLAIN.match(text):
        return Numeral(text)
    rest = clean(text)
    if _ZERO.match(rest):
        return Numeral(core="", zero=True)
    rest, negative, signs = _strip_sign(rest)
    rest, outer_units, scale = _strip_units(rest, unit)
    rest, inner, more = _strip_sign(rest)
    rest, inner_units, inner_scale = _strip_units(rest, unit)
    rest = rest.removesuffix("/-").strip()
    units = outer_units | inner_units
    if signs + more > 1 or len(units) > 1:
        return None
    found = next(iter(units), None)
    if _ZERO.match(rest) and not signs + more:
        return Numeral(core="", zero=True, unit=found)
    core = re.sub(r"(?<=\d)\.$", "", rest).replace("’", "'")
    if not _CORE.match(core):
        return None
    return Numeral(core, negative or inner, found, scale + inner_scale)


def _strip_sign(text: str) -> tuple[str, bool, int]:
    """Text without its sign, whether it is negative, and how many signs were met."""
    signs = [False]
    if found := _CREDIT.search(text):
        # The convention of bank statements and balances: Cr is in the holder's favour, Dr against.
        signs.append(found[1].lower().startswith("d"))
        text = text[: found.start()].rstrip()
    if text.startswith("(") and text.endswith(")"):
        signs.append(True)
        text = text[1:-1].strip()
    elif text.startswith("(") and text.endswith(")%"):
        signs.append(True)
        text = text[1:-2].strip() + "%"
    if text[:1] in ("-", "+") and text.strip("-"):
        signs.append(text[0] == MINUS)
        text = text[1:].strip()
    elif _TRAILING_MINUS.search(text):
        signs.append(True)
        text = text[:-1].strip()
    return text, any(signs), len(signs) - 1


def _strip_units(text: str, extra: str | None) -> tuple[str, frozenset[str], int]:
    """Text without a leading or trailing unit, the units, and the power of ten of a scale word."""
    units: set[str] = set()
    scale = 0
    text = text.removesuffix("/-").strip()
    if found := _PREFIX.match(text):
        units.add(CURRENCIES[found[1].lower()])
        text = text[found.end() :]
    for _ in range(2):
        if found := _SUFFIX.search(text):
            units.add(CURRENCIES.get(found[1].lower(), found[1]))
        elif found := _WORD.search(text):
            word = found[1].lower()
            if word in SCALES and not scale:
                scale = SCALES[word]
            elif word in UNITS or (extra and word == extra.lower()):
                units.add(found[1])
            else:
                break
        if found:
            text = text[: found.start()]
    return text.strip(), frozenset(units), scale


STYLES: tuple[tuple[str, str], ...] = ((".", ","), (",", "."), (".", "'"), (",", "'"), (".", " "), (",", " "))
"""(decimal mark, grouping mark), the likeliest first: a lone `1,234` is one thousand, a lone `1.234` is not."""

_WESTERN = {g: re.compile(rf"^[1-9]\d{{0,2}}(?:{re.escape(g)}\d{{3}})+$") for g in ",.' "}
_INDIAN = {g: re.compile(rf"^[1-9]\d?(?:{re.escape(g)}\d{{2}})+{re.escape(g)}\d{{3}}$") for g in ",.' "}


def conforms(core: str, decimal: str, grouping: str) -> bool:
    """Whether the digits can be read with these marks; `grouping` "" allows none."""
    whole, mark, fraction = core.partition(decimal) if decimal else (core, "", "")
    if mark and not fraction.isdigit():
        return False
    if whole.isdigit() or (not whole and mark):
        return True
    return bool(grouping) and bool(_WESTERN[grouping].match(whole) or _INDIAN[grouping].match(whole))


def is_indian(core: str, decimal: str, grouping: str) -> bool:
    """Whether the groups are 2-2-3 and cannot be 3-3 (`4,56,789`, not `56,789`)."""
    whole = core.partition(decimal)[0] if decimal else core
    return bool(grouping) and bool(_INDIAN[grouping].match(whole)) and not _WESTERN[grouping].match(whole)


def value_of(core: str, decimal: str, grouping: str) -> Decimal:
    plain = core.replace(grouping, "") if grouping else core
    return Decimal(plain.replace(decimal, ".") if decimal else plain)
