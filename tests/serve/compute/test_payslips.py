"""Payslips and other grids of labels and values: each is one document, also when a file holds many."""

from __future__ import annotations

import pytest

from contracts.documents import Line, RowRole, Table
from contracts.filters import Scope
from contracts.plans import Computation
from contracts.questions import Question
from serve.compute import compute
from serve.compute.facts import facts_of, looks_paired
from serve.lexicon import load_lexicon
from tests.serve.compute.tables import MemoryIndex, table

EVERYTHING = Scope()
PAY = {
    "ST001": ("Anita Desai", "Sales", "31,500.00", "12,600.00", "3,780.00", "200.00", "44,100.00", "3,980.00"),
    "ST002": ("Rahul Nair", "Finance", "33,000.00", "13,200.00", "3,960.00", "200.00", "46,200.00", "4,160.00"),
    "ST003": ("Meera Pillai", "Sales", "34,500.00", "13,800.00", "4,140.00", "200.00", "48,300.00", "4,340.00"),
}
NET = {"ST001": "40,120.00", "ST002": "42,040.00", "ST003": "43,960.00"}


def payslip(code: str) -> tuple[Table, Table]:
    name, department, basic, hra, fund, tax, gross, deducted = PAY[code]
    who = table(f"who{code}", ("Employee ID", code, "Name", name), [("Department", department, "Days paid", "31")])
    parts = [
        ("Basic", basic, "Provident Fund", fund),
        ("HRA", hra, "Professional Tax", tax),
        ("Gross Pay", gross, "Total Deductions", deducted),
    ]
    pay = table(f"pay{code}", ("Earnings", "Amount", "Deductions", "Amount"), parts, {2: RowRole.BODY})
    return who, pay


def net_line(code: str, page: int) -> Line:
    return Line(page=page, line=9, text=f"Net Pay: INR {NET[code]} (in words only)", x0=50, top=90, x1=300, bottom=100)


def one_file_each() -> MemoryIndex:
    entries = [
        (t.model_copy(update={"doc_id": f"doc{code}"}), f"{code}.pdf", "payslips", "2025-06")
        for code in PAY
        for t in payslip(code)
    ]
    return MemoryIndex(*entries, lines={f"doc{code}": (net_line(code, 1),) for code in PAY})


def one_file() -> MemoryIndex:
    """A page for each payslip, all in one PDF."""
    entries = [
        (on_page(t, page).model_copy(update={"doc_id": "all"}), "June.pdf", "payslips", "2025-06")
        for page, code in enumerate(PAY, start=1)
        for t in payslip(code)
    ]
    return MemoryIndex(*entries, lines={"all": tuple(net_line(c, p) for p, c in enumerate(PAY, start=1))})


def on_page(given: Table, page: int) -> Table:
    rows = tuple(r.model_copy(update={"page": page}) for r in given.rows)
    return given.model_copy(update={"rows": rows, "pages": (page,)})


def ask(index: MemoryIndex, text: str, codes: tuple[str, ...] = ()) -> Computation:
    question = Question(text=text, codes=codes)
    return compute(question, index=index, scope=EVERYTHING, candidates=(), lexicon=load_lexicon(), dense=None)


@pytest.mark.parametrize("index", [one_file_each(), one_file()], ids=["a file each", "one file"])
@pytest.mark.parametrize(
    ("text", "codes", "expected"),
    [
        ("What is the provident fund of ST002?", ("ST002",), "3,960.00"),
        ("What is the net pay of Meera Pillai?", (), "INR 43,960.00"),
        ("What is the department of Rahul Nair?", (), "Finance"),
        ("How many payslips are there?", (), "3"),
        ("How many employees are in Sales?", (), "2"),
        # 40,120 + 42,040 + 43,960
        ("What is the total net pay of all payslips?", (), "126120"),
        ("What is the provident fund deduction of ST003?", ("ST003",), "4,140.00"),
        ("How much professional tax was deducted for ST001?", ("ST001",), "200.00"),
        ("How much was deducted for ST001?", ("ST001",), "3,980.00"),
        ("Who has the highest basic?", (), "Meera Pillai"),
    ],
)
def test_payslips_are_asked_as_documents(index: MemoryIndex, text: str, codes: tuple[str, ...], expected: str) -> None:
    found = ask(index, text, codes)
    assert found.computed is not None, found.declined
    assert str(found.computed.value).replace(",", "") == expected.replace(",", "")


def test_a_payslip_is_cited_on_its_own_page() -> None:
    found = ask(one_file(), "What is the HRA of ST003?", ("ST003",))
    assert found.computed is not None
    assert {(c.page, c.table_id) for c in found.citations} == {(3, "whoST003"), (3, "payST003")}


def test_many_files_are_all_counted() -> None:
    """Every form has a header of its own (its employee): they are one kind of table all the same."""
    name = "Anita Desai"
    entries = []
    for n in range(60):
        who = table(f"t{n}", ("Employee ID", f"AX{n:03d}", "Name", name), [("Department", "Ops", "Days paid", "30")])
        entries.append((who.model_copy(update={"doc_id": f"d{n}"}), f"p{n}.pdf", "payslips", "2025-06"))
    found = ask(MemoryIndex(*entries), "How many payslips are there?")
    assert found.computed is not None, found.declined
    assert found.computed.value == "60"


def test_a_label_with_two_values_on_one_page_is_no_fact() -> None:
    """Two payslips on one page: nothing says whose the amount is."""
    who1, pay1 = payslip("ST001")
    who2, pay2 = payslip("ST002")
    tables = [t.model_copy(update={"doc_id": "all"}) for t in (who1, pay1, who2, pay2)]
    found = ask(MemoryIndex(*((t, "June.pdf", "payslips", "2025-06") for t in tables)), "What is the HRA of ST002?")
    assert found.computed is None


@pytest.mark.parametrize(
    ("columns", "paired"),
    [
        (("Earnings", "Amount", "Deductions", "Amount"), True),
        (("Earnings", "Rate", "Amount", "Deductions", "Rate", "Amount"), True),
        (("Employee ID", "ST001", "Name", "Anita Desai"), True),
        (("Employee ID: ST002", "", "Name:", "Rahul Nair", ""), True),
        (("Item", "Qty", "Unit", "Price"), False),
        (("Code", "2024", "Name", "2025"), False),
        (("Month", "Amount", "Month", "Amount"), False),
        (("Section", "80C", "80D"), False),
    ],
)
def test_which_headers_are_pairs(columns: tuple[str, ...], paired: bool) -> None:
    assert looks_paired(columns) is paired


def test_undrawn_payslip_read_by_its_signs() -> None:
    rows = [
        ("Department: Sales", "", "Days paid:", "30", ""),
        ("Earnings", "Amount", "Deductions", "", "Amount"),
        ("Basic", "38,000.00", "Provident Fund", "", "4,560.00"),
        ("PAN", "", "Bank", "", "HDFC 001"),
    ]
    given = table("t", ("Employee ID: ST002", "", "Name:", "Rahul Nair", ""), rows)
    found = {f.label: f.value for f in facts_of(0, given)}
    assert found == {
        "Employee ID": "ST002",
        "Name": "Rahul Nair",
        "Department": "Sales",
        "Days paid": "30",
        "Basic": "38,000.00",
        "Provident Fund": "4,560.00",
    }


def test_one_payslip_of_a_file_is_read_not_all() -> None:
    found = ask(one_file(), "What is the HRA of ST003?", ("ST003",))
    assert set(found.table_ids) == {"whoST003", "payST003"}
