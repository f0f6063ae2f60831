"""Periods that a question names, in the form of `Document.period`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from compression.terms import fold
from contracts.dates import ANY_MONTH, MONTHS
from contracts.documents import Document

_SHORT = frozenset({"may", "mar", "march", "jan", "ene", "ago", "dic"})
"""Also ordinary words (`you may`, `hace un año ago`); a period only beside a year or after a preposition."""

_YEAR = r"(?:19|20)\d\d"
_DATED = re.compile(rf"\b({ANY_MONTH})\b[\s.,'’/-]*(?:de |del |of )?({_YEAR})\b")
_NUMERIC = re.compile(rf"\b({_YEAR})[-/](0[1-9]|1[0-2])(?![-/\d])|(?<![-/\d])(0?[1-9]|1[0-2])/({_YEAR})\b")
_QUARTER = re.compile(
    rf"\bq([1-4])\b[\s,'’/-]*(?:of |de )?({_YEAR})\b|\b({_YEAR})[\s/-]*q([1-4])\b"
    rf"|\b(first|second|third|fourth|primer|segundo|tercer|cuarto) (?:quarter|trimestre) (?:of |de )?({_YEAR})\b"
)
_ORDINAL = {"first": 1, "second": 2, "third": 3, "fourth": 4, "primer": 1, "segundo": 2, "tercer": 3, "cuarto": 4}
_FISCAL = re.compile(rf"\b(?:fy\s*)?({_YEAR})\s*[-–/]\s*(\d\d|{_YEAR})(?![-/\d])|\bfy\s*'?(\d\d)\s*[-–/]\s*(\d\d)\b")
_PLAIN_YEAR = re.compile(rf"(?<![\w/.,-])({_YEAR})(?![\w/-]|[.,]\d)")
_HAPPENED = re.compile(
    r"\b(?:joined|joining|hired|appointed|engaged|started|born|left|resigned|retired|signed|since|before|after|ingresaron?|"
    r"contratad[oa]s?|nacid[oa]s?|desde|antes de|despues de)\s+(?:in\s+|en\s+)?$"
)
"""Beside another period, `who joined in 2021` says what happened then, not which document is meant."""
_BARE_MONTH = re.compile(rf"\b({ANY_MONTH})\b(?!\s+\d{{1,2}}\b)")
_DAY = (
    rf"(?:(?:{ANY_MONTH})\.? \d{{1,2}}(?:st|nd|rd|th)?,? {_YEAR}|\d{{1,2}}(?:st|nd|rd|th)? (?:de |of )?(?:{ANY_MONTH}),?"
    rf" (?:de )?{_YEAR})"
)
_POINT = re.compile(
    rf"\b(?:as of|as at|at|ended|ending|al|cerrad[oa]s? (?:el|al)|terminad[oa]s? (?:el|al)) (?:the )?{_DAY}\b"
)
"""`As of December 31, 2022` asks for a column or a clause of that day; the document is of another period mostly."""
_LISTED = re.compile(rf"\s*(?:,|and|to|or|vs\.?|versus|y|a|-|–)(?:\s*(?:{ANY_MONTH})\b|\s{{8,}})")
"""Another month follows; one that was read with its year is blank by now."""
_BEFORE = re.compile(
    r"(?:\b(?:in|for|of|during|since|from|to|and|between|en|de|del|para|entre|desde|y|the|until|by)|,)\s*$"
)
_AFTER = re.compile(
    r"\s+(?:salary |wage |pay )?(?:registers?|payrolls?|payslips?|salar(?:y|ies)|wages?|invoices?|statements?|reports?|"
    r"sheets?|figures?|ledgers?|nominas?|registros?|facturas?)\b"
)
"""`the May register` is a month, `you may register` has a pronoun before it."""
_PRONOUN = re.compile(r"\b(?:i|you|we|they|he|she|it|who|that|which|employees?|staff|one|party|parties)\s*$")


def find_periods(text: str, documents: Sequence[Document] = ()) -> tuple[str, ...]:
    """Periods in order of naming; a month without a year takes its years from the documents.

    Where no document is of that month, it gets the latest year that any month-dated document has, so that
    its absence can be stated; without month-dated documents a bare month says nothing.
    """
    rest = _POINT.sub(lambda m: " " * len(m[0]), fold(text))
    found: list[tuple[int, str]] = []
    for pattern, read in ((_QUARTER, _quarter), (_NUMERIC, _numeric), (_FISCAL, _fiscal), (_DATED, _dated)):
        for match in pattern.finditer(rest):
            period = read(match)
            if period:
                found.append((match.start(), period))
                rest = rest[: match.start()] + " " * len(match[0]) + rest[match.end() :]
    years = [
        (m.start(), m[1]) for m in _PLAIN_YEAR.finditer(rest) if not (found and _HAPPENED.search(rest[: m.start()]))
    ]
    bare = list(_bare_months(rest))
    if bare and years:  # "March and April 2025": the year belongs to both months
        found += [(at, f"{years[0][1]}-{month:02}") for at, month in bare]
    else:
        dated = next((p[:4] for _, p in found if re.fullmatch(rf"{_YEAR}-\d\d", p)), None)
        found += [(at, p) for at, month in bare for p in _resolve(month, documents, dated)]
        found += years
    return tuple(dict.fromkeys(period for _, period in sorted(found)))


def _dated(match: re.Match[str]) -> str:
    return f"{match[2]}-{MONTHS[match[1]]:02}"


def _numeric(match: re.Match[str]) -> str:
    return f"{match[1]}-{match[2]}" if match[1] else f"{match[4]}-{int(match[3]):02}"


def _quarter(match: re.Match[str]) -> str:
    if match[1]:
        return f"{match[2]}-Q{match[1]}"
    return f"{match[3]}-Q{match[4]}" if match[3] else f"{match[6]}-Q{_ORDINAL[match[5]]}"


def _fiscal(match: re.Match[str]) -> str:
    """A fiscal year only when the second year follows the first; `2025-2027` is a span, not a year."""
    first, second = (match[1], match[2][-2:]) if match[1] else ("20" + match[3], match[4])
    return f"{first}-{second}" if int(second) == (int(first) + 1) % 100 else ""


def _bare_months(text: str) -> Iterator[tuple[int, int]]:
    for match in _BARE_MONTH.finditer(text):
        listed = _LISTED.match(text, match.end())
        before = text[: match.start()]
        of_a_document = _AFTER.match(text, match.end()) and not _PRONOUN.search(before)
        if match[1] not in _SHORT or listed or of_a_document or _BEFORE.search(before):
            yield match.start(), MONTHS[match[1]]


def _resolve(month: int, documents: Sequence[Document], year: str | None) -> tuple[str, ...]:
    if year is not None:
        return (f"{year}-{month:02}",)
    dated = sorted({d.period for d in documents if d.period and re.fullmatch(r"\d{4}-(?:0[1-9]|1[0-2])", d.period)})
    same = tuple(p for p in dated if int(p[5:]) == month)
    return same or ((f"{dated[-1][:4]}-{month:02}",) if dated else ())
