"""The names that make a chunk findable: of its document, its section and its table, and its stable id.

A chunk of bare numbers holds no word that anyone would ask for. Its prefix does: it is embedded and searched with the
text, and never read as evidence.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from contracts.chunks import SECTION_PATH
from contracts.dates import MONTH_NAMES
from contracts.documents import Document, Section

_NAMESPACE = uuid.UUID("5b0c7c3e-6f0b-5d5e-9a57-1f2f3c1f7a11")
_MOST = 240
"""Characters of a prefix; names longer than this would crowd the text out of the encoder's window."""
_MOST_OF_ONE = 80
"""Characters of one name in it, so that a long title leaves room for the section and the table."""


def chunk_id(doc_id: str, kind: str, place: str) -> str:
    """The same UUID for the same piece of the same bytes, whenever it is ingested."""
    return str(uuid.uuid5(_NAMESPACE, f"{doc_id}/{kind}/{place}"))


def prefix_of(document: Document, *names: str) -> str:
    """The document's names, its period in words and `names`, each said once, in at most 240 characters."""
    parts = [document.title, spoken(Path(document.name).stem), period_words(document.period)]
    if document.doc_type != "unknown":
        parts.append(spoken(document.doc_type))
    return " · ".join(_new(part.strip()[:_MOST_OF_ONE] for part in (*parts, *names)))[:_MOST].rstrip()


def section_paths(outline: Sequence[Section]) -> dict[str, str]:
    """For each section id the titles from the top down, joined by `SECTION_PATH`.

    A clause is often titled by what its parents leave open: `Period` under `Non-compete`.
    """
    by_id = {section.section_id: section for section in outline}
    return {section_id: SECTION_PATH.join(reversed(list(_upwards(section_id, by_id)))) for section_id in by_id}


def _upwards(section_id: str | None, by_id: dict[str, Section]) -> Iterator[str]:
    seen: set[str] = set()
    while section_id in by_id and section_id not in seen:
        seen.add(section_id)
        yield by_id[section_id].title
        section_id = by_id[section_id].parent


def _new(parts: Iterable[str]) -> list[str]:
    """Parts that say a word not said before."""
    kept, said = [], set[str]()
    for part in parts:
        words = set(re.findall(r"\w+", part.casefold()))
        if words - said:
            kept.append(part)
            said |= words
    return kept


def spoken(name: str) -> str:
    """`Salary_Register_April_2025` → `Salary Register April 2025`."""
    return re.sub(r"[_\s]+", " ", name).strip()


def period_words(period: str | None) -> str:
    """`2025-04` → `April 2025`, as a question would say it; other periods nearly as they are."""
    if period is None:
        return ""
    if found := re.fullmatch(r"(\d{4})-(0[1-9]|1[0-2])", period):
        return f"{MONTH_NAMES['en'][int(found[2]) - 1]} {found[1]}"
    if found := re.fullmatch(r"(\d{4})-(Q[1-4])", period):
        return f"{found[2]} {found[1]}"
    return f"FY {period}" if "-" in period else period
