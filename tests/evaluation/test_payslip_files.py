"""Payslips from the PDF to the computed answer: drawn in a grid, and set with nothing but white space."""

from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.lib import colors
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, PageBreak, Paragraph, SimpleDocTemplate, Spacer, Table

from contracts.documents import Line
from contracts.filters import Scope
from contracts.plans import Computation
from contracts.questions import Question
from ingest.parse import parse_file
from serve.compute import compute
from serve.lexicon import load_lexicon
from tests.serve.compute.tables import MemoryIndex

PEOPLE = (
    ("ST001", "Anita Desai", "Sales", 31_500, 12_600, 3_780, 1_100),
    ("ST002", "Rahul Nair", "Finance", 33_000, 13_200, 3_960, 1_200),
    ("ST003", "Meera Pillai", "Sales", 34_500, 13_800, 4_140, 1_300),
)
"""Code, name, department, basic, HRA, provident fund, income tax."""


def money(amount: int) -> str:
    return f"{amount:,}.00"


def drawn(path: Path) -> None:
    """All payslips in one file, a page each, both grids with rules."""
    styles, rules = getSampleStyleSheet(), [("GRID", (0, 0), (-1, -1), 0.5, colors.black)]
    story: list[Flowable] = []
    for code, name, department, basic, hra, fund, tax in PEOPLE:
        who = [["Employee ID", code, "Name", name], ["Department", department, "Days paid", "31"]]
        pay = [
            ["Earnings", "Amount", "Deductions", "Amount"],
            ["Basic", money(basic), "Provident Fund", money(fund)],
            ["HRA", money(hra), "Income Tax", money(tax)],
            ["Gross Pay", money(basic + hra), "Total Deductions", money(fund + tax)],
        ]
        story += [Paragraph("Payslip for June 2025", styles["Title"]), Table(who, style=rules), Spacer(1, 10)]
        story += [Table(pay, style=rules), Spacer(1, 10)]
        story += [Paragraph(f"Net Pay: INR {money(basic + hra - fund - tax)}", styles["Normal"]), PageBreak()]
    SimpleDocTemplate(str(path), invariant=1).build(story)


def undrawn(path: Path) -> None:
    """The first payslip alone, without a rule on the page."""
    code, name, department, basic, hra, fund, tax = PEOPLE[0]
    canvas = Canvas(str(path), invariant=1)
    canvas.drawString(200, 780, "Payslip for June 2025")
    for y, cells in (
        (740, ("Employee ID:", code, "Name:", name)),
        (724, ("Department:", department, "Days paid:", "31")),
    ):
        for x, cell in zip((60, 140, 320, 400), cells, strict=True):
            canvas.drawString(x, y, cell)
    rows = (
        ("Earnings", "Amount", "Deductions", "Amount"),
        ("Basic", money(basic), "Provident Fund", money(fund)),
        ("HRA", money(hra), "Income Tax", money(tax)),
        ("Gross Pay", money(basic + hra), "Total Deductions", money(fund + tax)),
    )
    for n, (a, b, c, d) in enumerate(rows):
        y = 690 - 16 * n
        canvas.drawString(60, y, a)
        canvas.drawRightString(260, y, b)
        canvas.drawString(320, y, c)
        canvas.drawRightString(520, y, d)
    canvas.drawString(60, 600, f"Net Pay: INR {money(basic + hra - fund - tax)}")
    canvas.save()


def ask(path: Path, text: str, codes: tuple[str, ...]) -> Computation:
    parsed = parse_file(path)
    lines: dict[str, tuple[Line, ...]] = {parsed.document.doc_id: parsed.lines}
    entries = [(t, path.name, "payslips", "2025-06") for t in parsed.tables]
    return compute(
        Question(text=text, codes=codes),
        index=MemoryIndex(*entries, lines=lines),
        scope=Scope(),
        candidates=(),
        lexicon=load_lexicon(),
        dense=None,
    )


@pytest.mark.parametrize(
    ("text", "codes", "expected"),
    [
        ("What is the income tax of ST002?", ("ST002",), "1,200.00"),
        ("What is the net pay of Meera Pillai?", (), "INR 42,860.00"),  # 34,500 + 13,800 - 4,140 - 1,300
        ("How many payslips are there?", (), "3"),
        ("What is the total provident fund in Sales?", (), "7920"),  # 3,780 + 4,140
    ],
)
def test_payslips_page_after_page(tmp_path: Path, text: str, codes: tuple[str, ...], expected: str) -> None:
    drawn(tmp_path / "Payslips.pdf")
    found = ask(tmp_path / "Payslips.pdf", text, codes)
    assert found.computed is not None, found.declined
    assert found.computed.value == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What is the provident fund of ST001?", "3,780.00"),
        ("What is the department of Anita Desai?", "Sales"),
        ("How much income tax was deducted for Anita Desai?", "1,100.00"),
        ("What is the net pay of ST001?", "INR 39,220.00"),  # 31,500 + 12,600 - 3,780 - 1,100
    ],
)
def test_a_payslip_without_rules(tmp_path: Path, text: str, expected: str) -> None:
    undrawn(tmp_path / "ST001.pdf")
    codes = ("ST001",) if "ST001" in text else ()
    found = ask(tmp_path / "ST001.pdf", text, codes)
    assert found.computed is not None, found.declined
    assert found.computed.value == expected
