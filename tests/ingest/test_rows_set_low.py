"""Wrapped texts in rows whose other cells stand at the foot belong to the row below, at the head to the one above."""

from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from ingest.parse import parse_file

ROWS = (
    ("E01", ("Team lead for", "weaving"), "30,000.00"),
    ("E02", ("Clerk",), "20,000.00"),
    ("E03", ("Operator of", "the loom"), "25,000.00"),
    ("E04", ("Store keeper", "for yarn"), "22,000.00"),
    ("E05", ("Driver",), "18,000.00"),
)


def draw(path: Path, low: bool) -> None:
    canvas = Canvas(str(path), invariant=1)
    y = 700
    for x, name in ((60, "Code"), (160, "Role"), (360, "Pay")):
        canvas.drawString(x, y, name)
    for code, role, pay in ROWS:
        y -= 22
        first = y
        for line in role:
            canvas.drawString(160, y, line)
            last, y = y, y - 13
        y = last
        at = last if low else first
        canvas.drawString(60, at, code)
        canvas.drawRightString(440, at, pay)
    canvas.save()


@pytest.mark.parametrize("low", [True, False])
def test_wrapped_texts_stay_in_their_row(tmp_path: Path, low: bool) -> None:
    draw(tmp_path / "a.pdf", low)
    (table,) = parse_file(tmp_path / "a.pdf").tables
    assert [r.cells for r in table.rows[1:]] == [(code, " ".join(role), pay) for code, role, pay in ROWS]
