"""Rows that look alike at the same height on every page are rows, not running heads."""

from pathlib import Path

from contracts.documents import RowRole
from ingest.extract import extract
from tests.ingest.make_pdf import make_pdf, text


def test_a_ledger_over_pages_whose_amounts_grow_a_digit_is_one_table(tmp_path: Path) -> None:
    def page(number: int):
        def draw(canvas):
            text(canvas, 60, 800, f"Ledger page {number}")
            for x, name in ((60, "Voucher"), (160, "Account")):
                text(canvas, x, 780, name)
            canvas.drawRightString(400, 780, "Debit")
            canvas.drawRightString(480, 780, "Credit")
            for i in range(30):
                y = 764 - i * 14
                text(canvas, 60, y, f"V{number * 30 + i:06}")
                text(canvas, 160, y, f"Account {i % 9}")
                canvas.drawRightString(400, y, f"{number * 31 + i * 7 + 100:,}.00")
                canvas.drawRightString(480, y, f"{number * 17 + i * 5 + 100:,}.00")

        return draw

    parsed = extract(make_pdf(tmp_path / "ledger.pdf", *(page(n) for n in range(22, 30))))
    assert len(parsed.tables) == 1
    body = [row.cells[0] for row in parsed.tables[0].rows if row.role is RowRole.BODY]
    assert body == [f"V{n:06}" for n in range(22 * 30, 30 * 30)]
    assert parsed.tables[0].columns == ("Voucher", "Account", "Debit", "Credit")
