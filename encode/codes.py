"""Identifiers in running text: employee ids, invoice numbers, rule and contract references.

They are a payload field and a reason to trust words over embeddings, so a false one costs more than a missed one:
dates, periods, amounts, ordinals, quantities and hyphenated words are not codes.
"""

from __future__ import annotations

import re
import unicodedata

_ALNUM = r"[^\W_]"
_CANDIDATE = re.compile(rf"(?<![\w@.]){_ALNUM}+(?:[-/_#]{_ALNUM}+|(?<=\d)\.(?=\d){_ALNUM}+)*(?![\w@])")
_ADDRESS = re.compile(r"(?<!\S)[^\s@]{1,64}@[^\s@]+|\bhttps?://\S+|\bwww\.\S+", re.IGNORECASE)
_SEPARATOR = re.compile(r"[-/_#.]")

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|ene|abr|ago|set|dic)[a-z]*"
_YEAR = r"(?:19|20)\d\d"
_DATE_OR_PERIOD = re.compile(
    rf"\d{{1,2}}[-/.](?:\d{{1,2}}|{_MONTH})[-/.](?:{_YEAR}|\d\d)"
    rf"|{_YEAR}[-/.](?:\d{{1,2}}|{_MONTH})(?:[-/.]\d{{1,2}})?(?:t\d+)?"
    rf"|(?:\d{{1,2}}[-/]?)?{_MONTH}[-/]?(?:\d{{1,2}}|{_YEAR})?"
    rf"|(?:fy|ay|ej)[-/]?(?:{_YEAR}|\d\d)(?:[-/](?:{_YEAR}|\d\d))?"
    rf"|(?:[qhst][1-4])(?:[-/]?(?:fy)?(?:{_YEAR}|\d\d)(?:[-/]\d\d)?)?|(?:{_YEAR}|\d\d)[-/]?[qhst][1-4]"
    rf"|{_YEAR}[-/](?:{_YEAR}|\d\d)"
)
_QUANTITY = re.compile(
    r"(?:rs|inr|usd|eur|gbp|us)[-]?\d+|\d+(?:st|nd|rd|th|er|ro|do|to|[ºª])"
    r"|\d+(?:[.]\d+)?(?:k|m|bn|cr|l|kg|g|mg|km|m2|cm|mm|kwh|kw|mb|gb|h|hr|hrs|min|am|pm|x\d*|d|days?|rs|inr|usd|eur)"
)
_LEADING_ZERO = re.compile(r"0\d+")


def find_codes(text: str) -> tuple[str, ...]:
    """Identifiers in `text`, whole and in upper case, each once, in order of appearance.

    A code has a digit and either a letter or separators: `ST001`, `RULE-A002`, `STL/2025-26/003`, `2025-26/003`.
    Lower case counts as well, because questions are typed that way.
    """
    plain = _ADDRESS.sub(" ", unicodedata.normalize("NFKC", text))
    found = (m[0] for m in _CANDIDATE.finditer(plain))
    return tuple(dict.fromkeys(word.upper() for word in found if _is_code(word)))


def _is_code(word: str) -> bool:
    lower = word.lower()
    if not any(c.isdigit() for c in word) or _DATE_OR_PERIOD.fullmatch(lower) or _QUANTITY.fullmatch(lower):
        return False
    parts = _SEPARATOR.split(word)
    if not any(c.isalpha() for c in word):
        return _is_numeric_code(word, parts)
    if any(_is_mixed(part) for part in parts):
        return len(word) >= 3 and (len(parts) == 1 or not _is_worded(parts))
    if "/" in word or "_" in word or "#" in word:
        return True
    return _is_hyphenated_code(parts)


def _is_mixed(part: str) -> bool:
    """Letters and digits in one part (`A002`), as far as it is no quantity (`2nd`, `30days`)."""
    if part.isalpha() or part.isdigit() or _QUANTITY.fullmatch(part.lower()):
        return False
    return not (part[0].isdigit() and part.lstrip("0123456789").islower() and len(part.lstrip("0123456789")) > 3)


def _is_worded(parts: list[str]) -> bool:
    """`covid19-related`: a long lower-case word after the part with the digits makes it prose."""
    return parts[-1].isalpha() and parts[-1].islower() and len(parts[-1]) > 3


def _is_numeric_code(word: str, parts: list[str]) -> bool:
    """Digits and separators only: `2025-26/003` and account numbers, not ranges, sections or fractions."""
    if len(parts) == 1 or "." in word:
        return False
    if "/" in word or "_" in word:
        return any(_LEADING_ZERO.fullmatch(p) and len(p) > 2 for p in parts) or len(parts) > 3
    return len(parts) >= 3 and sum(map(len, parts)) >= 7


def _is_hyphenated_code(parts: list[str]) -> bool:
    """`INV-001` and `inv-001`, but neither `12-month` nor `under-18`, `Covid-19`."""
    words = [p for p in parts if p.isalpha()]
    numbers = [p for p in parts if p.isdigit()]
    if all(w.isupper() for w in words):
        return True
    return parts[0].isalpha() and len(words) == 1 and max(map(len, numbers), default=0) >= 3
