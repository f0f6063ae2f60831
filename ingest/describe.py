"""What a document is: its type, period, title, language and readers, from its manifest, its name and its text.

The manifest always wins. The rest is guessed from what is printed, and only where a guess is safe: a period is taken
from the file name, else from the first lines when these name one period only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from contracts.dates import ANY_MONTH, MONTHS
from contracts.documents import Document, Line
from contracts.periods import covers
from ingest.kinds import kind_of
from ingest.manifest import Metadata
from ingest.naming import spoken

EVERYONE = ("everyone",)
_TITLE_LINES = 20
"""Lines of the first page among which the title is looked for."""
_HEADINGS = 3
"""Lines from the top that may name the document's kind."""
_PERIOD_LINES = 12
"""Lines from the top that may name the document's period; further down a date is about something else."""

_YEAR = r"(?:19|20)\d{2}"
_EDGE, _END = r"(?<![^\W_])", r"(?![^\W_])"
_FORMS = (
    (
        "fiscal",
        re.compile(
            rf"{_EDGE}(?:fy|f\.y\.|financial year|fiscal year|ejercicio)\W*({_YEAR})\s*[-–/]\s*(\d{{4}}|\d{{2}}){_END}",
            re.I,
        ),
    ),
    ("month", re.compile(rf"{_EDGE}({ANY_MONTH})\.?[\s_,'’-]*(?:de\s+|del\s+)?({_YEAR}){_END}", re.I)),
    ("month", re.compile(rf"{_EDGE}({ANY_MONTH})['’-](\d{{2}}){_END}", re.I)),
    ("month_last", re.compile(rf"{_EDGE}({_YEAR})[\s_-]+({ANY_MONTH}){_END}", re.I)),
    ("quarter", re.compile(rf"{_EDGE}[qt]([1-4])[\s_,-]*(?:fy\s*)?({_YEAR}){_END}", re.I)),
    ("quarter_last", re.compile(rf"{_EDGE}({_YEAR})[\s_-]*[qt]([1-4]){_END}", re.I)),
    ("iso", re.compile(rf"{_EDGE}({_YEAR})[-_./](0[1-9]|1[0-2]){_END}(?![./]\d)")),
    # Not inside a number such as `STL/2025-26/003`.
    ("span", re.compile(rf"{_EDGE}(?<!/)({_YEAR})\s*[-–/]\s*({_YEAR}|\d{{2}}){_END}(?!/)")),
    ("year", re.compile(rf"{_EDGE}(?:fy|year|ejercicio|año)\W*({_YEAR}){_END}", re.I)),
)
_CUE = re.compile(
    r"\b(?:period|month|quarter|ended|ending|statement|invoice|bill|payroll|salary|payslip|register|for the"
    r"|per[ií]odo|mes|trimestre|ejercicio|factura|n[oó]mina)\b",
    re.IGNORECASE,
)
"""Only beside such a word is a date in the text the document's period; others say when something was signed."""
_BARE_YEAR = re.compile(rf"{_EDGE}({_YEAR}){_END}")

_COMMON = {
    "en": "the of and to in for is on with by this that from shall be are not or as".split(),  # noqa: SIM905
    "es": "el la de y los las del que en para por con una se no su al es como".split(),  # noqa: SIM905
    "fr": "le la les des et du que dans pour par avec une est sur ne pas au aux".split(),  # noqa: SIM905
    "de": "der die das und den von zu mit für auf ist des im dem nicht ein eine".split(),  # noqa: SIM905
    "pt": "o os da do das dos e que em para por com uma não se ao no na".split(),  # noqa: SIM905
}


def describe(
    document: Document, lines: Sequence[Line], metadata: Metadata, table_titles: Sequence[str] = ()
) -> Document:
    """`document` with type, groups, period, language and title filled in.

    `table_titles`: a workbook with a sheet for each month is of no single one of them.
    """
    doc_type, source = _type_of(document, lines, metadata)
    return document.model_copy(
        update={
            "doc_type": doc_type,
            "doc_type_source": source,
            "groups": metadata.groups or EVERYONE,
            "period": metadata.period or _period_of(document.name, lines, table_titles),
            "language": metadata.language or guess_language(lines) or document.language,
            "title": find_title(lines) or spoken(Path(document.name).stem),
        }
    )


def _type_of(document: Document, lines: Sequence[Line], metadata: Metadata) -> tuple[str, str]:
    """The type and where it comes from: what is stated, a folder that is named after a kind of document, headings
    that agree on one, any other folder."""
    if metadata.doc_type:
        return metadata.doc_type, "stated"
    folder = "" if document.source.startswith("upload:") else Path(document.source).parent.name
    named = re.sub(r"\W+", "_", folder.lower()).strip("_")
    printed = kind_of(_headings(document.name, lines)) if kind_of([folder]) is None else None
    if printed is not None:
        return printed, "headings"
    return (named, "folder") if named else ("unknown", "")


def _headings(name: str, lines: Sequence[Line]) -> list[str]:
    """What a document may call itself: its file name, its title, its first lines."""
    first = [line.text for line in lines if line.page == 1 and line.text.strip()][:_HEADINGS]
    return [Path(name).stem, find_title(lines), *first]


def _period_of(name: str, lines: Sequence[Line], table_titles: Sequence[str]) -> str | None:
    """As `find_period`; where the tables are of several periods, their common year, or none."""
    found = find_period(name, lines)
    of_tables = {p for title in table_titles for p in periods_in(title)}
    if found is None or len(of_tables) < 2 or any(covers(found, p) and found != p for p in of_tables):
        return found
    years = {p[:4] for p in of_tables}
    return years.pop() if len(years) == 1 and all(covers(p[:4], p) for p in of_tables) else None


def find_period(name: str, lines: Sequence[Line]) -> str | None:
    """The period that the file name states, else the one that the first lines agree on; None when there is none."""
    stem = Path(name).stem
    stated = periods_in(stem) or _bare_years(stem)
    if stated:
        return stated[0] if len(stated) == 1 else None
    cued = [line.text for line in lines[:_PERIOD_LINES] if _CUE.search(line.text)]
    for text in (find_title(lines), "\n".join(cued)):
        if len(named := periods_in(text)) == 1:
            return named[0]
    return None


def periods_in(text: str) -> list[str]:
    """Periods named in `text`, in `Document.period` form and order of the form's precision, each once.

    A period that only frames another one found is left out: "April 2025 (FY 2025-26)" is about April.
    """
    found: dict[str, None] = {}
    for form, pattern in _FORMS:
        matches = list(pattern.finditer(text))
        text = pattern.sub(" ", text)
        found.update(dict.fromkeys(p for m in matches if (p := _period(form, m[1], m.group(m.lastindex or 1)))))
    every = list(found)
    return [p for p in every if not any(covers(p, q) for q in every if q != p)]


def _bare_years(text: str) -> list[str]:
    return list(dict.fromkeys(_BARE_YEAR.findall(text)))


def _period(form: str, first: str, second: str) -> str | None:
    if form in ("fiscal", "span"):
        return f"{first}-{second[-2:]}" if (int(first) + 1) % 100 == int(second) % 100 else None
    if form == "month":
        year = second if len(second) == 4 else f"20{second}"
        return f"{year}-{MONTHS[first.lower()]:02d}"
    if form == "month_last":
        return f"{first}-{MONTHS[second.lower()]:02d}"
    if form == "quarter":
        return f"{second}-Q{first}"
    if form == "quarter_last":
        return f"{first}-Q{second}"
    return f"{first}-{second}" if form == "iso" else first


def find_title(lines: Sequence[Line]) -> str:
    """The largest line near the top of the first page when it stands out, "" otherwise."""
    first = [line for line in lines[:_TITLE_LINES] if line.page == 1 and line.table_id is None and line.text.strip()]
    heights = [line.bottom - line.top for line in lines[:200] if line.page == 1]
    if not first or not any(heights):
        return ""
    title = max(first, key=lambda line: line.bottom - line.top)  # the first of equals
    stands_out = title.bottom - title.top > 1.15 * median(heights)
    return title.text.strip()[:200] if stands_out and any(c.isalpha() for c in title.text) else ""


def guess_language(lines: Sequence[Line]) -> str | None:
    """The language whose commonest words are clearly the most frequent; None when unsure."""
    words = re.findall(r"(?<!\w)[^\W\d_]{2,}(?!\w)", " ".join(line.text for line in lines[:400]).lower())
    counts = {language: sum(w in common for w in words) for language, common in _COMMON.items()}
    best, second, *_ = sorted(counts, key=counts.__getitem__, reverse=True)
    different = len(set(words) & set(_COMMON[best]))
    sure = different >= 3 and counts[best] >= 5 and counts[best] > 1.3 * counts[second]
    return best if sure else None
