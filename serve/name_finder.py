"""Names in a question: companies, people, titles of documents."""

from __future__ import annotations

import re
from collections.abc import Sequence

from compression.terms import STOPWORDS, fold, stems
from contracts.documents import Document
from serve.lexicon import Lexicon
from serve.period_finder import find_periods
from serve.wording import ENGLISH, SCAFFOLD, SPANISH

_CAPITALISED = r"(?<!\w)(?:[a-z]?[A-ZÀ-Þ][\w&'’.-]*\w|[A-Z]\b|&)"
"""Also `iPhone`: one small letter before the capital."""
_JOINER = r"(?:\s+(?:(?:of|and|the|de|del|la|y|e)\s+)?|\s*,\s*(?=(?:Inc|Ltd|LLC|LLP|S\.?[AL]\.?)\b))"
_RUN = re.compile(rf"{_CAPITALISED}(?:{_JOINER}{_CAPITALISED})*")
_AND = re.compile(r"\s+(?:and|y|e)\s+")
_OWNED = re.compile(r"(?<=['’]s)\s+|(?<=[A-Z]{2})\s+of\s+")
"""`Amazon's Term Loan` and `CEO of Amazon` name two things."""
_SENTENCE_START = re.compile(r"(?:^|[.?!¿¡:]\s*)$")


def find_names(text: str, lexicon: Lexicon, documents: Sequence[Document], codes: Sequence[str]) -> tuple[str, ...]:
    """Runs of capitalised words that name something, as written, without what the lexicon or a calendar knows.

    A run that is made of the domain's own words (`Travel Policy`) counts only when it names a document.
    """
    titles = [stems(d.title or "") + stems(re.sub(r"[_\-.]+", " ", d.name.rsplit(".", 1)[0])) for d in documents]
    names = []
    for match in _RUN.finditer(text):
        opens = bool(_SENTENCE_START.search(text[: match.start()]))
        parts = [half for part in _between_months(match[0]) for half in _between_names(part, titles)]
        for number, part in enumerate(parts):
            run = _trim(part, opens=opens and number == 0)
            if run and not _is_code(run, codes) and _tells(run, lexicon, titles):
                names.append(run)
    return tuple(dict.fromkeys(names))


def _between_names(run: str, titles: Sequence[tuple[str, ...]]) -> list[str]:
    """`Orchid Mills and Lotus Textiles` names two, unless a document is called so as a whole."""
    whole = any(set(stems(run)) - STOPWORDS <= set(title) for title in titles)
    return [run] if whole else [owner for half in _AND.split(run) for owner in _OWNED.split(half)]


def _between_months(run: str) -> list[str]:
    """`Lotus June` names Lotus: a month inside a run is not part of the name."""
    parts: list[list[str]] = [[]]
    for word in run.split():
        if find_periods(f"in {word} 2000") not in ((), ("2000",)):
            parts.append([])
        else:
            parts[-1].append(word)
    return [" ".join(part) for part in parts if part]


def _trim(run: str, opens: bool) -> str:
    """The run without leading question words and trailing possessive; a lone opening word is no name."""
    words = run.split()
    asked = STOPWORDS | SCAFFOLD | ENGLISH | SPANISH
    cut = 0
    while cut < len(words) and re.split(r"['’]", fold(words[cut]).strip(".,"))[0] in asked:
        cut += 1
    kept = words[cut:]
    if opens and not cut and len(kept) == 1:
        return ""
    while kept and fold(kept[-1]) in asked:
        kept = kept[:-1]
    return re.sub(r"['’]s?$", "", " ".join(kept)).strip(" ,.&")


def _is_code(run: str, codes: Sequence[str]) -> bool:
    return any(run.upper() in code or code in run.upper() for code in codes)


def _tells(run: str, lexicon: Lexicon, titles: Sequence[tuple[str, ...]]) -> bool:
    words = stems(run)
    known = {i for m in lexicon.mentions(run) for i in range(m.start, m.end)}
    known |= {i for i, w in enumerate(run.split()) if find_periods(f"in {w} 2000") != ("2000",)}
    known |= {i for i, w in enumerate(words) if w in STOPWORDS or len(w) == 1 or w.isdigit()}
    if len(known) < len(words):
        return True
    return len(words) > 1 and any(set(words) <= set(title) for title in titles)
