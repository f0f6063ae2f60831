"""Which column a phrase means: by its header's words, the lexicon, abbreviations, then header embeddings. Never by place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from compression.terms import STOPWORDS, stem
from contracts.protocols import DenseEncoder, Floats
from serve.compute import cues
from serve.compute.documents import DocumentsView
from serve.compute.view import GROUP_COLUMN, ColumnView, TableView
from serve.compute.words import norms
from serve.lexicon import Lexicon

ABBREVIATIONS = {
    "pts": "points", "pos": "position", "avg": "average", "yr": "year", "qty": "quantity", "amt": "amount",
    "dept": "department", "att": "attendance", "pct": "percent", "nat": "nationality", "apps": "appearances",
    "w": "wins", "l": "losses", "d": "draws", "pop": "population", "min": "minutes", "max": "maximum",
    "gp": "games", "no": "number", "wt": "weight", "ht": "height", "lg": "league", "cons": "constructor",
}  # fmt: skip
"""Header abbreviation to the word a question uses."""

_ANCHORS = (
    *("employee_id", "basic_pay", "gross_pay", "net_pay", "allowances", "deductions", "provident_fund", "income_tax"),
    *("invoice_number", "taxable_value", "gst", "hsn", "unit_price", "debit", "credit", "bank_account"),
)
"""Columns that tables of other fields do not have; `Name`, `Position` and `Date` are in every second table."""
_IGNORED = frozenset({"of", "the", "in", "s", "per", "and", "a"})
_CURRENCY = re.compile(r"\b(?:in )?(?:EUR|USD|INR|GBP|CHF|Rs\b\.?)|[€$£₹]", re.IGNORECASE)
"""What a header says beside its name: `Amount EUR`."""
SIMILAR = 0.62
"""Cosine from which a header embedding counts as the same thing; 0.08 must separate it from the next."""
MARGIN = 0.08
NEAR = 0.85
"""What a likeness is worth against the same words: a plan built on one is never among the surest."""


@dataclass(frozen=True)
class ColumnMatch:
    column: int
    score: float
    """1 for the header itself, less the further the phrase is from it."""
    why: str


class ColumnMatcher:
    def __init__(self, view: TableView, lexicon: Lexicon | None, dense: DenseEncoder | None) -> None:
        self._columns = view.columns
        self._of_documents = isinstance(view, DocumentsView)
        self._lexicon, self._dense = lexicon, dense
        self._headers = [_content(c.stems) for c in view.columns]
        self._concepts = [self._concept_of(c) for c in view.columns]

    def _concept_of(self, column: ColumnView) -> frozenset[str]:
        if self._lexicon is None or column.made:
            return frozenset()
        plain = _CURRENCY.sub("", column.name.split("(")[0].split("/")[-1]).strip()
        found = self._lexicon.lookup(column.name, "column") or self._lexicon.lookup(plain, "column")
        names = {c.name for c in found}
        if not names and any(c.name == "employee" for c in self._lexicon.lookup(column.name, "entity")):
            # A header that is just the entity: its names, or its codes.
            names = {"employee_id" if _holds_codes(column) else "employee_name"}
        # What a whole document amounts to is its total: `the amount of the invoice`.
        return frozenset(names | {"amount"} if "invoice_total" in names and self._of_documents else names)

    @property
    def of_domain(self) -> bool:
        """A table of payroll or accounts: the lexicon knows several of its columns, one of them beyond doubt."""
        return sum(bool(c) for c in self._concepts) >= 2 and self.has(*_ANCHORS)

    def has(self, *concepts: str) -> bool:
        return any(c & set(concepts) for c in self._concepts)

    def by_concept(self, *concepts: str) -> list[int]:
        return [i for i, c in enumerate(self._concepts) if c & set(concepts)]

    def match(self, text: str, stems: Sequence[str]) -> tuple[ColumnMatch, ...]:
        """Columns that the phrase can mean, best first; equal scores are an ambiguity for the caller."""
        phrase = _content(stems)
        if not phrase:
            return ()
        found = [m for i in range(len(self._columns)) if (m := self._one(i, text, phrase)) is not None]
        return tuple(sorted(found, key=lambda m: (-m.score, m.column)))

    def _one(self, index: int, text: str, phrase: tuple[str, ...]) -> ColumnMatch | None:
        header = self._headers[index]
        if self._columns[index].name == GROUP_COLUMN and len(phrase) == 1 and phrase[0] in _GROUPS:
            return None if self.has("department") else ColumnMatch(index, 0.93, "the headings between rows")
        if not header or self._columns[index].made:
            return None
        if phrase == header:
            same = norms(text) == norms(self._columns[index].name)
            return ColumnMatch(index, 1.0 if same else 0.96, "header")
        if self._concepts[index] and self._lexicon is not None:
            named = {c.name for c in self._lexicon.lookup(text, "column")}
            if named & self._concepts[index]:
                return ColumnMatch(index, 0.95, "lexicon")
        if len(phrase) == 1 and phrase[0] in _SYNONYMS and header[-1:] and header[-1] in _SYNONYMS[phrase[0]]:
            return ColumnMatch(index, 0.86 if len(header) == 1 else 0.8, "a synonym")
        if set(phrase) <= set(header):
            return ColumnMatch(index, 0.7 + 0.25 * len(phrase) / len(header), "part of the header")
        return None

    def nearest(self, text: str) -> ColumnMatch | None:
        """The column whose header's embedding is clearly nearest to the phrase, None when none is near."""
        if self._dense is None or self._vectors is None:
            return None
        vector, _ = self._dense.encode([text])
        scores = self._vectors @ vector[0]
        order = np.argsort(-scores)
        best = float(scores[order[0]])
        second = float(scores[order[1]]) if len(order) > 1 else 0.0
        if best < SIMILAR or best - second < MARGIN:
            return None
        return ColumnMatch(int(order[0]), NEAR * best, "the likeness of its header")

    @cached_property
    def _vectors(self) -> Floats | None:
        """Header embeddings, one row per printed column (they come first among the view's columns)."""
        printed = [c.name for c in self._columns if not c.made]
        return self._dense.encode(printed)[0] if self._dense is not None and printed else None


def _holds_codes(column: ColumnView) -> bool:
    return column.numeric or column.type.kind == "code"


def _content(stems: Sequence[str]) -> tuple[str, ...]:
    words = tuple(_LONG.get(s, s) for s in stems)
    kept = tuple(w for w in words if w not in _IGNORED and w not in STOPWORDS)
    return kept or words


_SYNONYMS: dict[str, frozenset[str]] = {}
for _group in cues.SYNONYMS:
    for _word in _group:
        _others = frozenset(stem(w) for w in _group if w != _word)
        _SYNONYMS[stem(_word)] = _SYNONYMS.get(stem(_word), frozenset()) | _others

_GROUPS = frozenset(
    map(stem, ("group", "department", "section", "division", "category", "departamento", "grupo", "seccion"))
)
"""What the headings between rows may be called when no column is."""

_LONG = {stem(short): stem(word) for short, word in ABBREVIATIONS.items()}
