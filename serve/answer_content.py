"""What an answer of a type looks like in a text: amounts, dates, durations, percentages, codes, people."""

from __future__ import annotations

import re
from collections.abc import Mapping

from compression.terms import fold, word_set
from contracts.dates import ANY_MONTH

_NUMBER = r"\d+(?:[.,'’ ]\d+)*"
_CURRENCY = r"(?:rs\.?|inr|usd|eur|gbp|aed|[₹$€£]|us\$)"
_CURRENCY_WORD = r"(?:rupees?|dollars?|euros?|pounds?|lakhs?|crores?|inr|usd|eur|gbp)"
_WORDED = word_set(
    """
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen twenty twenty-four thirty forty forty-five fifty sixty ninety hundred half un una uno dos tres
    cuatro cinco seis siete ocho nueve diez once doce quince veinte treinta sesenta noventa
    """
)
_QUANTITY = rf"(?:{_NUMBER}|\b(?:{'|'.join(sorted(_WORDED, key=len, reverse=True))}))"
_UNIT = (
    r"(?:(?!(?:and|or|to|of|the|an?|in|for|after|at|by|with|y|o|de|en|por)[ -])[a-z]+[ -]){0,2}"  # `6 unused days`
    r"(?:days?|weeks?|months?|years?|hours?|minutes?|dias?|semanas?|meses|mes|anos?|horas?|minutos?)"
)
_MONTH = rf"(?:{ANY_MONTH})"

DURATION = re.compile(rf"{_QUANTITY}\)?(?:\s*\({_NUMBER}\))?[\s-]*{_UNIT}\b(?:\s*\({_NUMBER}\))?")
AMOUNT = re.compile(
    rf"{_CURRENCY}\s?{_NUMBER}|{_NUMBER}\s?(?:/-|{_CURRENCY_WORD}\b|[€])|\b\d{{1,3}}(?:[,.]\d{{2,3}})+(?:\.\d+)?\b"
)
PERCENT = re.compile(rf"{_QUANTITY}\s?(?:%|per ?cent\b|por ciento\b)")
DATE = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:de |day of )?{_MONTH}\b(?:,?\s+(?:de )?\d{{4}})?|\b{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s+\d{{4}})?"
    rf"|\b\d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{2,4}}\b|\b\d{{1,2}}[-\s]{_MONTH}[-\s]\d{{2,4}}\b|\b{_MONTH}\s+\d{{4}}\b"
    r"|\b(?:last|first|\d{1,2}(?:st|nd|rd|th))\s+(?:working |business |calendar )?day of\b|\bultimo dia\b"
)
NUMBER = re.compile(_QUANTITY)
_CODE = re.compile(r"\b(?=[A-Z0-9/-]*\d)(?=[A-Z0-9/-]*[A-Z])[A-Z0-9]+(?:[/-][A-Z0-9]+)*\b|\b\d{6,}\b")
_PERSON = re.compile(
    r"\b(?:Mr|Ms|Mrs|Dr)\.? [A-Z]\w+|\b[A-ZÀ-Þ][a-zß-ÿ]+(?: [A-ZÀ-Þ][a-zß-ÿ]*\.?)* [A-ZÀ-Þ][a-zß-ÿ]+"
    r"|\b(?:[Mm]anager|[Dd]irector|[Hh]ead|[Oo]fficer|[Ss]upervisor|[Cc]ommittee|[Dd]epartment|[Tt]eam|[Bb]oard|[Ee]mployer|[Cc]ompany|"
    r"[Ee]mployees?|[Pp]arty|[Pp]arties|[Ss]upplier|[Cc]lient|[Cc]ustomer|[Gg]erente|[Dd]irectora?|[Rr]esponsable|HR|CEO|CFO)\b"
)

_FOLDED: Mapping[str, re.Pattern[str]] = {"duration": DURATION, "date": DATE, "number": NUMBER}
_CASED: Mapping[str, re.Pattern[str]] = {"code": _CODE, "person": _PERSON}


def answer_values(text: str, answer_type: str) -> tuple[str, ...]:
    """Stretches of the text that could be an answer of the type, in order; a text answer is any text.

    Amounts may also be percentages (a cap can be `100 % of the fees`), durations are never amounts.
    """
    if answer_type == "text":
        return (text,) if text.strip() else ()
    if answer_type in _CASED:
        return tuple(m[0] for m in _CASED[answer_type].finditer(text))
    folded = fold(text)
    if answer_type == "amount":
        return tuple(m[0] for p in (AMOUNT, PERCENT) for m in p.finditer(folded))
    return tuple(m[0].strip() for m in _FOLDED[answer_type].finditer(folded))
