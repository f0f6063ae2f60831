"""The columns' headings of a balance sheet stand above its first groups."""

from __future__ import annotations

from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from ingest.parse import parse_file


def test_headings_over_group_labels(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "a.pdf"), invariant=1)
    canvas.drawString(200, 760, "BALANCE SHEET")
    y = 720
    for label, first, second in (
        ("", "March 31, 2024", "March 31, 2025"),
        ("ASSETS", "", ""),
        ("Current assets:", "", ""),
        ("Cash", "1,200", "1,500"),
        ("Inventories", "4,946", "6,820"),
        ("Receivables", "28,184", "23,752"),
        ("Total current assets", "34,330", "32,072"),
    ):
        canvas.drawString(60, y, label)
        canvas.drawRightString(380, y, first)
        canvas.drawRightString(500, y, second)
        y -= 14
    canvas.save()
    (table,) = parse_file(tmp_path / "a.pdf").tables
    assert [c.rsplit(" / ", 1)[-1] for c in table.columns[1:]] == ["March 31, 2024", "March 31, 2025"]
    assert [r.cells[0] for r in table.rows if r.cells[1]][1:] == [
        "Cash",
        "Inventories",
        "Receivables",
        "Total current assets",
    ]
