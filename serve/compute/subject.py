"""What the rows of a table are: the column that names them, and which nouns may stand for them."""

from __future__ import annotations

from dataclasses import dataclass

from serve.compute import cues
from serve.compute.columns import ColumnMatcher
from serve.compute.documents import DocumentsView
from serve.compute.reading import Reading
from serve.compute.view import DOCUMENT_COLUMN, ColumnView, TableView
from serve.compute.words import word_stems
from serve.lexicon import Lexicon

_ENTITY_COLUMNS: dict[str, tuple[str, ...]] = {
    "employee": ("employee_id", "employee_name"),
    "transaction": ("debit", "credit", "balance", "transaction_date"),
    "line_item": ("description", "quantity", "unit_price", "hsn"),
    "customer": ("invoice_number", "customer"),
    "supplier": ("supplier",),
}
"""Entity of the lexicon to the columns that show that rows are of it."""
_FILES = frozenset({"document", "fil", "pdf", "documento", "archivo"})
LOOSE, STRICT = 0.88, 0.35
"""What a counted noun costs that nothing ties to the table: elsewhere, and in a table of the domain."""


@dataclass(frozen=True)
class Subject:
    matcher: ColumnMatcher
    lexicon: Lexicon | None
    focused: bool
    """The table was given with the question, so that its noun may name the rows."""
    kinds: frozenset[str] = frozenset()
    """Stems that name the kind of document the table is in (`invoice`, `register`)."""
    of_documents: bool = False
    """Rows are documents, so that those nouns name rows."""

    @property
    def of_domain(self) -> bool:
        """A table of payroll or accounts: the lexicon knows several of its columns, one of them for sure."""
        return self.matcher.of_domain

    @property
    def entities(self) -> frozenset[str]:
        """Stems of the one-word names that the lexicon has for what this table's rows are."""
        if self.lexicon is None:
            return frozenset()
        concepts = (c for c in self.lexicon.concepts if c.kind == "entity" and self._is_of(c.name))
        return frozenset(s for c in concepts for t in c.terms if len(word_stems(t)) == 1 for s in word_stems(t))

    def _is_of(self, entity: str) -> bool:
        return not self.of_documents and self.matcher.has(*_ENTITY_COLUMNS.get(entity, ()))

    def document_noun(self, reading: Reading, start: int, end: int) -> bool:
        """Whether the phrase counts or asks for documents: `invoices`, `files`."""
        return any(w.stem in self.kinds | _FILES for w in reading.words[start:end])

    def names(self, reading: Reading, start: int, end: int) -> bool:
        """Whether the phrase is an entity of the lexicon that this table's rows are."""
        if self.lexicon is None:
            return False
        for first in range(start, end):
            for concept in self.lexicon.lookup(reading.phrase(first, end), "entity"):
                if self._is_of(concept.name):
                    return True
        return self.of_documents and self.document_noun(reading, start, end)

    def cost(self, reading: Reading, start: int, end: int) -> float:
        if self.names(reading, start, end):
            return 1.0
        if self.document_noun(reading, start, end):
            return STRICT
        if self.lexicon is not None and self.of_domain:
            return STRICT
        return LOOSE if self.focused else STRICT


def pay_column(reading: Reading, subject: Subject) -> ColumnView | None:
    """The pay that `earns` means: net pay, else gross, when the table has such a column."""
    if not cues.EARNING.intersection(reading.norms):
        return None
    for concept in ("net_pay", "gross_pay", "basic_pay"):
        if found := subject.matcher.by_concept(concept):
            return reading.view.columns[found[0]]
    return None


def money_column(reading: Reading, subject: Subject) -> ColumnView | None:
    """The one number column of a table whose rows cost something, when the question speaks of spending."""
    if not cues.SPENDING.intersection(reading.norms):
        return None
    if not any(c.is_calendar and not c.made for c in reading.view.columns):
        return None  # what is spent has a day; prices and invoices' sums are something else
    fit = [c for c in reading.view.columns if c.numeric and not c.is_calendar and not _is_code(c)]
    return (
        fit[0]
        if len(fit) == 1 and subject.matcher.by_concept("amount", "debit", "invoice_total") == [fit[0].index]
        else None
    )


def key_column(view: TableView, matcher: ColumnMatcher) -> ColumnView | None:
    """The column whose values tell rows apart: an id or code of the domain, else the first code column, else the name."""
    for concepts in (("employee_id",), ("invoice_number",), ("reference",)):
        if found := matcher.by_concept(*concepts):
            return view.columns[found[0]]
    codes = [c for c in view.columns if _is_code(c) and _tells_apart(view, c)]
    return codes[0] if codes else None


def telling_column(view: TableView, matcher: ColumnMatcher) -> ColumnView | None:
    """The key column; without one the name of who the rows are, whose repetitions then must be told."""
    found = key_column(view, matcher)
    if found is None and (names := matcher.by_concept("employee_name")):
        return view.columns[names[0]]
    return found


def name_column(view: TableView, matcher: ColumnMatcher) -> ColumnView | None:
    """The column that says what a row is about: a name, else the first text column with mostly different values."""
    for concept in ("employee_name", "invoice_number"):
        if found := matcher.by_concept(concept):
            return view.columns[found[0]]
    if isinstance(view, DocumentsView):
        return view.column(DOCUMENT_COLUMN)
    texts = [c for c in view.columns if not c.numeric and not c.made and not c.is_calendar and c.type.kind != "date"]
    return next((c for c in texts if _distinct(c, 0.8)), texts[0] if texts else None)


_CODES = frozenset({"cod", "id", "codigo", "clav"})
"""Stems of headers that say nothing but that the cells are codes."""


def _is_code(column: ColumnView) -> bool:
    """Codes by their cells; plain numbers only under a header that says so."""
    return column.type.kind == "code" or (column.numeric and bool(column.stems) and set(column.stems) <= _CODES)


def _tells_apart(view: TableView, column: ColumnView) -> bool:
    """Whether hardly any value stands twice in one table; next month's register names the same people again."""
    filled = [(b.table, t.strip()) for b, t in zip(view.rows, column.texts, strict=True) if t.strip()]
    return bool(filled) and len(set(filled)) >= 0.9 * len(filled)


def _distinct(column: ColumnView, share: float = 0.9) -> bool:
    filled = [t.strip() for t in column.texts if t.strip()]
    return bool(filled) and len(set(filled)) >= share * len(filled)
