"""Lines that print a form above a table are no header of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from ingest.parse import parse_file
from ingest.tables.form_lines import is_form_line


@pytest.mark.parametrize(
    ("texts", "form"),
    [
        (("Employee ID:", "ST001", "Name:", "Anita Desai"), True),
        (("Employee ID: ST001", "Name: Anita Desai"), True),
        (("Department: Sales", "Days paid:", "31"), True),
        (("Total:", "12", "14", "26"), False),
        (("Earnings", "Amount", "Deductions", "Amount"), False),
        (("Opens:", "Closes:"), False),
        (("From 10:00", "To 12:30"), False),
    ],
)
def test_form_lines(texts: tuple[str, ...], form: bool) -> None:
    assert is_form_line(texts) is form


def test_a_form_above_a_table_is_a_table_of_its_own(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "a.pdf"), invariant=1)
    for y, cells in (
        (740, ("Employee ID:", "ST001", "Name:", "Anita Desai")),
        (724, ("Department:", "Sales", "Grade:", "B")),
        (708, ("Item", "Days", "Rate", "Amount")),
        (692, ("Basic", "30", "1,000.00", "30,000.00")),
        (676, ("Shift", "4", "500.00", "2,000.00")),
        (660, ("Meals", "20", "50.00", "1,000.00")),
    ):
        for x, cell in zip((60, 160, 320, 420), cells, strict=True):
            canvas.drawString(x, y, cell)
    canvas.save()
    form, items = parse_file(tmp_path / "a.pdf").tables
    assert [r.cells for r in form.rows] == [
        ("Employee ID: ST001", "Name: Anita Desai"),
        ("Department: Sales", "Grade: B"),
    ]
    assert items.columns == ("Item", "Days", "Rate", "Amount")
    assert [r.cells[0] for r in items.rows] == ["Item", "Basic", "Shift", "Meals"]
