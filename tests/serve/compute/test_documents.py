"""Invoices asked as documents: their fields, their totals, the highest, all of them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from contracts.documents import Document, Line, RowRole, Table
from contracts.filters import Match, Scope
from contracts.marks import Mark
from contracts.plans import Computation
from contracts.questions import Question
from serve.compute import compute
from serve.lexicon import load_lexicon
from tests.serve.compute.tables import MemoryIndex, table

INVOICES = {
    "001": ("Meridian Foods", (("Licence", "1", "100.00"), ("Training", "2", "50.00")), "150.00", "27.00", "177.00"),
    "002": ("Malabar Spices", (("Licence", "3", "300.00"),), "300.00", "54.00", "354.00"),
    "003": ("Meridian Fabrics", (("Support", "1", "80.00"),), "80.00", "14.40", "94.40"),
}


def invoice(number: str) -> list[Table]:
    buyer, items, taxable, tax, total = INVOICES[number]
    form = table(
        f"form{number}", ("Invoice No.", f"STL/2025-26/{number}"), [("Due Date", "12-May-2025"), ("Buyer", buyer)]
    )
    lines = table(f"items{number}", ("Description", "Qty", "Amount (INR)"), items)
    summary = table(
        f"sum{number}",
        ("Summary", "Amount (INR)"),
        [("Taxable value", taxable), ("GST @ 18%", tax), ("Total payable", total)],
        {2: RowRole.TOTAL},
    )
    return [t.model_copy(update={"doc_id": f"doc{number}"}) for t in (form, lines, summary)]


def invoices(*numbers: str) -> MemoryIndex:
    entries = [(t, f"INV{n}.pdf", "invoice", "2025-04") for n in numbers or tuple(INVOICES) for t in invoice(n)]
    return MemoryIndex(*entries)


def ask(index: MemoryIndex, text: str, codes: tuple[str, ...] = (), scope: Scope = Scope()) -> Computation:
    question = Question(text=text, codes=codes, doc_types=("invoice",))
    return compute(question, index=index, scope=scope, candidates=(), lexicon=load_lexicon(), dense=None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What is the total of invoice STL/2025-26/002?", "354.00"),
        ("Who is the buyer of invoice STL/2025-26/002?", "Malabar Spices"),
        ("What is the due date of invoice STL/2025-26/003?", "12-May-2025"),
        ("What is the taxable value of invoice STL/2025-26/001?", "150.00"),
        ("Which invoice has the highest amount?", "STL/2025-26/002"),
        ("Which invoice has the lowest total?", "STL/2025-26/003"),
    ],
)
def test_facts_of_documents(text: str, expected: str) -> None:
    codes = tuple(w.strip("?") for w in text.split() if w.startswith("STL/"))
    found = ask(invoices(), text, codes)
    assert found.computed is not None, found.declined
    assert found.computed.value == expected


def test_documents_are_counted_not_their_lines() -> None:
    found = ask(invoices(), "How many invoices are there?")
    assert found.computed is not None
    assert found.computed.value == "3"


def test_lines_are_counted_not_documents() -> None:
    found = ask(invoices(), "How many line items does invoice STL/2025-26/001 have?", ("STL/2025-26/001",))
    assert found.computed is not None
    assert found.computed.value == "2"
    assert {c.doc_name for c in found.citations} == {"INV001.pdf"}


def test_the_amount_of_all_invoices_is_that_of_their_totals() -> None:
    found = ask(invoices(), "What is the total amount of all invoices?")
    assert found.computed is not None
    # 177.00 + 354.00 + 94.40
    assert found.computed.as_decimal() == Decimal("625.40")
    assert sorted(c.table_id or "" for c in found.citations) == ["sum001", "sum002", "sum003"]


def test_the_total_is_cited_where_it_is_printed() -> None:
    found = ask(invoices(), "What is the total of invoice STL/2025-26/002?", ("STL/2025-26/002",))
    assert ("sum002", (3,)) in [(c.table_id, c.rows) for c in found.citations]
    assert found.coverage is not None
    assert all(c.passed for c in found.coverage.checks if c.name == "footing")


def test_a_wrong_total_of_an_invoice_is_flagged() -> None:
    form, lines, summary = invoice("002")
    rows = (*summary.rows[:-1], summary.rows[-1].model_copy(update={"cells": ("Total payable", "364.00")}))
    broken = summary.model_copy(update={"rows": rows})
    index = MemoryIndex(*((t, "INV002.pdf", "invoice", None) for t in (form, lines, broken)))
    found = ask(index, "What is the total of invoice STL/2025-26/002?", ("STL/2025-26/002",))
    assert found.computed is not None
    assert found.computed.value == "364.00"
    assert Mark.FOOTING_MISMATCH in found.marks
    assert "add up to 354.00" in found.text


def test_does_an_invoice_add_up() -> None:
    found = ask(invoices("001"), "Does invoice STL/2025-26/001 add up?", ("STL/2025-26/001",))
    assert found.computed is not None
    assert found.computed.value == "yes"


def test_fields_outside_tables_are_read_from_lines() -> None:
    line = Line(page=1, line=3, text="Place of supply: Pune", x0=50, top=90, x1=200, bottom=100)
    index = MemoryIndex(*((t, "INV001.pdf", "invoice", None) for t in invoice("001")), lines={"doc001": (line,)})
    found = ask(index, "What is the place of supply of invoice STL/2025-26/001?", ("STL/2025-26/001",))
    assert found.computed is not None, found.declined
    assert found.computed.value == "Pune"
    where = [c for c in found.citations if c.line_start == 3]
    assert [(c.page, c.table_id, c.bboxes) for c in where] == [(1, None, ((50, 90, 200, 100),))]


def test_scope_is_kept() -> None:
    scope = Scope(must=(Match(field="doc_id", any_of=("doc001", "doc003")),))
    found = ask(invoices(), "Which invoice has the highest amount?", scope=scope)
    assert found.computed is not None
    assert found.computed.value == "STL/2025-26/001"


def test_documents_without_forms_and_without_tables_are_counted_too() -> None:
    """One invoice has a form, one only its lines, one is text alone: there are three."""
    items = table("items9", ("Description", "Qty", "Amount (INR)"), [("Licence", "1", "100.00")])
    plain = Document(doc_id="doc8", name="INV8.pdf", source="INV8.pdf", doc_type="invoice", period="2025-04")
    entries = [(t, "INV001.pdf", "invoice", "2025-04") for t in invoice("001")]
    index = MemoryIndex(*entries, (items, "INV9.pdf", "invoice", "2025-04"))
    index.without_tables = (plain, plain.model_copy(update={"doc_id": "x", "doc_type": "policy"}))
    found = ask(index, "How many invoices are there?")
    assert found.computed is not None, found.declined
    assert found.computed.value == "3"
    assert {c.doc_name for c in found.citations} == {"INV001.pdf", "INV8.pdf", "INV9.pdf"}


def test_invoices_that_print_their_fields_as_lines_are_documents() -> None:
    def line(n: int, text: str) -> Line:
        return Line(page=1, line=n, text=text, x0=50, top=10.0 * n, x1=300, bottom=10.0 * n + 8)

    entries, lines = [], {}
    for number, buyer, total in (("A-1", "Meridian", "118.00"), ("A-2", "Malabar", "236.00")):
        rows = [("Licence", "1", total), ("Total payable", "", total)]
        made = table(f"t{number}", ("Description", "Qty", "Amount"), rows, {1: RowRole.TOTAL})
        entries.append((made.model_copy(update={"doc_id": number}), f"{number}.pdf", "invoice", None))
        lines[number] = (line(1, f"Invoice No: {number}"), line(2, f"Buyer: {buyer}"))
    index = MemoryIndex(*entries, lines=lines)
    assert ask(index, "How many invoices are there?").computed is not None
    total = ask(index, "What is the total amount of all invoices?")
    assert total.computed is not None, total.declined
    assert total.computed.as_decimal() == Decimal("354.00")  # 118 + 236
    buyer_of = ask(index, "Who is the buyer of invoice A-2?")
    assert buyer_of.computed is not None, buyer_of.declined
    assert buyer_of.computed.value == "Malabar"
