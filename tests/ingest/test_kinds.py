from __future__ import annotations

import pytest

from contracts.documents import Document, Line
from ingest.describe import describe
from ingest.kinds import KINDS, kind_of
from ingest.manifest import Metadata
from serve.lexicon import load_lexicon


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("Salary Register for the month of June 2025", "payroll"),
        ("Stellar Tech Ltd - PAYSLIP", "payroll"),
        ("Wage_Register_April_2025", "payroll"),
        ("Recibo de nómina", "payroll"),
        ("TAX INVOICE", "invoice"),
        ("Acme Ltd INVOICE", "invoice"),
        ("Invoice No: INV-1", "invoice"),
        ("Factura nº 12", "invoice"),
        ("Master Services Agreement between A and B", "contract"),
        ("Employment Agreement", "contract"),
        ("Amendment No. 1 to the Service Agreement", "contract"),
        ("Contrato de arrendamiento", "contract"),
        ("Leave and Travel Policy", "policy"),
        ("Employee Handbook", "policy"),
        ("Account statement 01/04/2025 to 30/04/2025", "statement"),
        ("Annual Report 2024-25", "report"),
    ],
)
def test_a_heading_that_ends_in_a_kind_names_it(heading: str, kind: str) -> None:
    assert kind_of([heading]) == kind


@pytest.mark.parametrize(
    "heading",
    [
        "Notes on invoices received",
        "Minutes of the meeting",
        "This Agreement is made on the first of April",
        "Invoice processing times",
        "Asset Register",
        "Statement of Work",
        "Payroll calendar",
        "Contract No. 4711",
        "Policy number 12",
        "List of agreements",
        "INV2025001",
        "Everybody who signs an invoice of more than a thousand needs a second signature by the policy",
        "",
    ],
)
def test_a_heading_about_something_else_names_none(heading: str) -> None:
    assert kind_of([heading]) is None


def test_headings_that_disagree_name_none() -> None:
    assert kind_of(["Tax Invoice", "Service Agreement"]) is None
    assert kind_of(["Tax Invoice", "Acme Ltd", "Invoice No: 7"]) == "invoice"


def described(source: str, *texts: str, stated: str | None = None) -> tuple[str, str]:
    lines = [
        Line(page=1, line=n, text=text, x0=0, top=20.0 * n, x1=100, bottom=20.0 * n + 10)
        for n, text in enumerate(texts)
    ]
    document = Document(doc_id="d", name=source.rpartition("/")[2], source=source)
    found = describe(document, lines, Metadata(doc_type=stated))
    return found.doc_type, found.doc_type_source


def test_an_upload_is_what_its_headings_say() -> None:
    assert described("upload:finance/scan7.pdf", "Acme Ltd", "12 High Street", "TAX INVOICE") == ("invoice", "headings")
    assert described("upload:finance/June_Salary_Register.xlsx") == ("payroll", "headings")
    assert described("upload:finance/scan7.pdf", "Acme Ltd", "Dear Sir", "your invoice is late") == ("unknown", "")
    low = ["Acme Ltd", "12 High Street", "Pune", "Tax Invoice"]
    assert described("upload:finance/scan7.pdf", *low) == ("unknown", ""), "only the first three lines are headings"


def test_what_is_stated_wins_then_a_folder_named_after_a_kind() -> None:
    assert described("/data/payroll/x.pdf", "Tax Invoice", stated="receipt") == ("receipt", "stated")
    assert described("/data/salary_register/x.pdf", "Tax Invoice") == ("salary_register", "folder")
    assert described("/data/2025-06/x.pdf", "Tax Invoice") == ("invoice", "headings")
    assert described("/data/2025-06/x.pdf", "Minutes of the meeting") == ("2025_06", "folder")


def test_the_kinds_are_those_that_questions_name() -> None:
    """Under another name a question for invoices would pass them by."""
    concepts = {c.name for c in load_lexicon(None).concepts if c.kind == "doc_type"}
    assert set(KINDS) <= concepts
