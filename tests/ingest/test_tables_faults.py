"""Kinds of tables that other systems got wrong; each test names the kind, and the report where there is one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from contracts.documents import ParsedDocument, RowRole, Table
from ingest.extract import extract
from tests.ingest.make_pdf import LEFT, TOP, Layout, make_pdf, table, text

both = pytest.mark.parametrize("grid", [True, False], ids=["drawn", "undrawn"])


def _extract(path: Path, *pages: Callable[[Canvas], object]) -> ParsedDocument:
    return extract(make_pdf(path / "t.pdf", *pages))


def _one(path: Path, draw: Callable[[Canvas], object]) -> Table:
    tables = _extract(path, draw).tables
    assert len(tables) == 1
    return tables[0]


def _cells(found: Table) -> list[list[str]]:
    return [list(row.cells) for row in found.rows]


def _roles(found: Table) -> list[RowRole]:
    return [row.role for row in found.rows]


@both
def test_date_and_description_do_not_merge(tmp_path: Path, grid: bool) -> None:
    """docling#4189: a bank statement with little space between date and text."""
    rows = [
        ["Date", "Description", "Withdrawal", "Balance"],
        ["01/04/2025", "Opening balance", "", "10,000.00"],
        ["03/04/2025", "NEFT salary April", "4,500.00", "5,500.00"],
        ["07/04/2025", "Bank charges", "118.00", "5,382.00"],
    ]
    found = _one(tmp_path, lambda c: table(c, rows, Layout((58, 150, 80, 80), frozenset({2, 3}), grid=grid)))
    assert _cells(found) == rows


@both
def test_signs_are_kept(tmp_path: Path, grid: bool) -> None:
    """docling#1803: a negative sign is lost."""
    rows = [
        ["Account", "Debit", "Credit"],
        ["Cash", "-1,234.00", "(987.50)"],
        ["Bank", "45.00-", "–3,000"],
        ["Fees", "12.5%", "–"],
        ["Loan", "2,000.00 Dr", "150.00 Cr"],
    ]
    found = _one(tmp_path, lambda c: table(c, rows, Layout((120, 90, 90), frozenset({1, 2}), grid=grid)))
    assert _cells(found) == rows


@both
def test_a_header_of_two_rows(tmp_path: Path, grid: bool) -> None:
    """chonkie#582: the second row of a header taken as data."""
    widths = (60, 110, 70, 70, 70, 70)

    def draw(canvas: Canvas) -> None:
        x = [LEFT + sum(widths[:i]) for i in range(7)]
        for k, heading in ((2, "Earnings"), (4, "Deductions")):
            canvas.setFont("Helvetica-Bold", 9)
            canvas.drawCentredString((x[k] + x[k + 2]) / 2, TOP - 9, heading)
        rows = [
            ["ID", "Name", "Basic", "Allowance", "Fund", "Tax"],
            ["ST001", "Asha Rao", "9,000.00", "1,200.00", "450.00", "300.00"],
            ["ST002", "Bela Shah", "8,000.00", "1,100.00", "400.00", "250.00"],
            ["ST003", "Chand Das", "7,500.00", "900.00", "375.00", "200.00"],
        ]
        end = table(canvas, rows, Layout(widths, frozenset({2, 3, 4, 5})), y=TOP - 14)
        if grid:
            for y in (TOP, TOP - 28, TOP - 42, TOP - 56, end):
                canvas.line(x[0], y, x[6], y)
            canvas.line(x[2], TOP - 14, x[6], TOP - 14)
            for i in (0, 1, 2, 4, 6):
                canvas.line(x[i], TOP, x[i], end)
            for i in (3, 5):
                canvas.line(x[i], TOP - 14, x[i], end)

    found = _one(tmp_path, draw)
    assert found.columns == (
        "ID", "Name", "Earnings / Basic", "Earnings / Allowance", "Deductions / Fund", "Deductions / Tax",
    )  # fmt: skip
    body = [row.cells[0] for row in found.rows if row.role is RowRole.BODY]
    assert body == ["ST001", "ST002", "ST003"]


def test_rows_in_boxes_of_their_own_are_one_table(tmp_path: Path) -> None:
    """xberg#1290: one table becomes several tables of one row."""
    rows = [["ID", "Name", "Net"], *[[f"E{i}", f"Person {i}", f"{i}00.00"] for i in range(1, 6)]]

    def draw(canvas: Canvas) -> None:
        for i, row in enumerate(rows):
            table(canvas, [row], Layout((60, 120, 80), frozenset({2}), grid=True, header=i == 0), y=TOP - 20 * i)

    assert _cells(_one(tmp_path, draw)) == rows


@both
def test_first_data_rows_are_not_taken_for_header(tmp_path: Path, grid: bool) -> None:
    """xberg#1558: header detection deletes the first data rows."""
    rows = [["E1", "Asha", "100.00"], ["E2", "Bela", "200.00"], ["E3", "Chand", "300.00"]]
    layout = Layout((60, 120, 80), frozenset({2}), grid=grid, header=False)
    found = _one(tmp_path, lambda c: table(c, rows, layout))
    assert _cells(found) == rows
    assert _roles(found) == [RowRole.BODY] * 3
    assert found.columns == ("", "", "")


@both
def test_cells_far_to_the_right_stay_with_their_row(tmp_path: Path, grid: bool) -> None:
    """pdf_oxide#1317: right-hand cells become anonymous numeric lines."""
    rows = [["Item", "Amount"], ["Yarn", "1,200.00"], ["Dye", "340.00"], ["Freight", "75.50"]]
    parsed = _extract(tmp_path, lambda c: table(c, rows, Layout((420, 80), frozenset({1}), grid=grid)))
    assert _cells(parsed.tables[0]) == rows
    assert [line.text for line in parsed.lines] == [" ".join(row) for row in rows]


@both
def test_wrapped_cells_are_one_row(tmp_path: Path, grid: bool) -> None:
    rows = [
        ["ID", "Remarks", "Net"],
        ["E1", "On leave without pay\nfrom 3 April", "100.00"],
        ["E2", "None", "200.00"],
        ["E3", "Joined on transfer\nfrom the Pune office", "300.00"],
        ["E4", "None", "400.00"],
    ]
    found = _one(tmp_path, lambda c: table(c, rows, Layout((60, 150, 80), frozenset({2}), grid=grid, pitch=18)))
    assert _cells(found) == [[cell.replace("\n", " ") for cell in row] for row in rows]


@both
def test_groups_subtotals_and_totals_have_roles(tmp_path: Path, grid: bool) -> None:
    rows = [
        ["ID", "Name", "Net"],
        ["Weaving", "", ""],
        ["E1", "Asha", "100.00"],
        ["E2", "Bela", "200.00"],
        ["", "Sub-total", "300.00"],
        ["Stores", "", ""],
        ["E3", "Chand", "50.00"],
        ["", "Sub-total", "50.00"],
        ["", "Grand Total", "350.00"],
    ]
    found = _one(tmp_path, lambda c: table(c, rows, Layout((60, 120, 80), frozenset({2}), grid=grid)))
    assert _cells(found) == rows
    header, group, body, sub, total = RowRole.HEADER, RowRole.GROUP, RowRole.BODY, RowRole.SUBTOTAL, RowRole.TOTAL
    assert _roles(found) == [header, group, body, body, sub, group, body, sub, total]


def test_a_total_without_a_label_is_known_by_its_sum(tmp_path: Path) -> None:
    rows = [["ID", "Net"], ["E1", "100.00"], ["E2", "250.00"], ["E3", "50.00"], ["", "400.00"]]
    found = _one(tmp_path, lambda c: table(c, rows, Layout((60, 80), frozenset({1}), grid=True)))
    assert found.rows[-1].role is RowRole.TOTAL
    rows[-1][1] = "401.00"
    other = _one(tmp_path, lambda c: table(c, rows, Layout((60, 80), frozenset({1}), grid=True)))
    assert other.rows[-1].role is RowRole.BODY


@both
def test_side_by_side_tables_are_two(tmp_path: Path, grid: bool) -> None:
    left = [["Code", "Days"], *[[f"A{i}", str(20 + i)] for i in range(5)]]
    right = [["Grade", "Rate"], *[[f"G{i}", f"{i}5.00"] for i in range(5)]]

    def draw(canvas: Canvas) -> None:
        layout = Layout((60, 60), frozenset({1}), grid=grid)
        table(canvas, left, layout)
        table(canvas, right, layout, x=350)

    found = _extract(tmp_path, draw).tables
    if grid:
        assert [_cells(t) for t in found] == [left, right]
    else:  # without rules nothing tells two tables from one; no cell may be lost
        assert [_cells(t) for t in found] == [[a + b for a, b in zip(left, right, strict=True)]]


@both
def test_a_directory_has_no_numbers(tmp_path: Path, grid: bool) -> None:
    rows = [
        ["Name", "Department", "Office"],
        ["Asha Rao", "Weaving", "Pune"],
        ["Bela Shah", "Accounts", "Mumbai"],
        ["Chand Das", "Stores", "Pune"],
        ["Deepa Nair", "Dyeing", "Surat"],
    ]
    found = _one(tmp_path, lambda c: table(c, rows, Layout((120, 110, 80), grid=grid)))
    assert _cells(found) == rows
    assert found.columns == ("Name", "Department", "Office")


def test_currency_signs_standing_apart_stay_with_their_number(tmp_path: Path) -> None:
    rows = [
        ["Item", "2024", "2023"],
        ["Sales", "96,388", "104,429"],
        ["Cost", "(60,765)", "64,309"],
        ["Fees", "7", "12"],
    ]

    def draw(canvas: Canvas) -> None:
        table(canvas, rows, Layout((150, 90, 90), frozenset({1, 2})))
        for column in (0, 1):
            text(canvas, LEFT + 150 + column * 90 + 8, TOP - 14 - 9, "$")

    found = _one(tmp_path, draw)
    assert _cells(found) == [rows[0], ["Sales", "$ 96,388", "$ 104,429"], *rows[2:]]


def test_numbers_under_wide_headers(tmp_path: Path) -> None:
    rows = [
        ["Employee", "Number of days worked", "Overtime hours approved", "Net"],
        ["Asha Rao", "21", "3", "100.00"],
        ["Bela Shah", "20", "12", "90.00"],
        ["Chand Das", "8", "0", "45.50"],
    ]
    found = _one(tmp_path, lambda c: table(c, rows, Layout((110, 120, 130, 70), frozenset({1, 2, 3}))))
    assert _cells(found) == rows


def test_a_table_without_outer_rules_keeps_its_edge_columns(tmp_path: Path) -> None:
    rows = [["ID", "Name", "Net"], ["E1", "Asha Rao", "100.00"], ["E2", "Bela Shah", "90.00"]]
    widths = (60, 120, 80)

    def draw(canvas: Canvas) -> None:
        end = table(canvas, rows, Layout(widths, frozenset({2})))
        for y in (TOP - 14, TOP - 28):
            canvas.line(LEFT, y, LEFT + sum(widths), y)
        for x in (60, 180):
            canvas.line(LEFT + x, TOP, LEFT + x, end)

    assert _cells(_one(tmp_path, draw)) == rows


def test_lines_full_of_numbers_are_rows_at_last(tmp_path: Path) -> None:
    """Nothing aligns and no gap is wide: only the numbers tell."""
    lines = ["loom 12 4.5 88 1,200", "a longer name 7 13.25 9 40", "x 1 2 3 4"]

    def draw(canvas: Canvas) -> None:
        for i, line in enumerate(lines):
            text(canvas, 60 + 7 * i, 700 - 30 * i, line)

    found = _one(tmp_path, draw)
    assert found.source == "numbers"
    assert _cells(found) == [
        ["loom", "12", "4.5", "88", "1,200"],
        ["a longer name", "7", "13.25", "9", "40"],
        ["x", "1", "2", "3", "4"],
    ]


def _paragraph(canvas: Canvas, lines: Sequence[str], x: float = 60, y: float = 700) -> None:
    for i, line in enumerate(lines):
        text(canvas, x, y - 12 * i, line)


def test_lists_and_prose_are_no_tables(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        for i, words in enumerate(["Submit the claim form", "Attach every receipt", "Wait for approval"]):
            text(canvas, 60, 760 - 12 * i, f"{i + 1}.")
            text(canvas, 90, 760 - 12 * i, words)
        _paragraph(canvas, ["Leave is granted by the head of the department after the request", "was made in writing."])

    assert _extract(tmp_path, draw).tables == ()


def test_leaders_are_no_text(tmp_path: Path) -> None:
    rows = [["Basic pay", "9,000.00"], ["House rent", "1,200.00"], ["Conveyance", "800.00"]]

    def draw(canvas: Canvas) -> None:
        for i, (label, amount) in enumerate(rows):
            text(canvas, 60, 700 - 14 * i, label + " " + "." * 60)
            text(canvas, 320, 700 - 14 * i, amount)

    assert _cells(_one(tmp_path, draw)) == rows


def test_captions_and_headings_name_tables(tmp_path: Path) -> None:
    rows = [["ID", "Net"], ["E1", "100.00"], ["E2", "90.00"], ["E3", "80.00"]]

    def draw(canvas: Canvas) -> None:
        text(canvas, 50, 800, "Table 3: Net pay by employee")
        end = table(canvas, rows, Layout((60, 80), frozenset({1}), grid=True), y=785)
        text(canvas, 50, end - 60, "Overtime register", font="Helvetica-Bold")
        table(canvas, rows, Layout((60, 80), frozenset({1}), grid=True), y=end - 70)

    titles = [t.title for t in _extract(tmp_path, draw).tables]
    assert titles == ["Table 3: Net pay by employee", "Overtime register"]


@both
def test_a_block_of_labels_and_codes_has_no_header(tmp_path: Path, grid: bool) -> None:
    rows = [
        ["Invoice No.", "STL/2025-26/001", "Place", "Pune"],
        ["Order No.", "PO-7781", "Terms", "30 days net"],
        ["Buyer", "Kerala Mills", "Contact", "Deepa Nair"],
    ]
    found = _one(tmp_path, lambda c: table(c, rows, Layout((80, 120, 70, 110), grid=grid, header=False)))
    assert _cells(found) == rows
    assert RowRole.HEADER not in _roles(found)


def test_a_drawn_header_over_undrawn_rows_is_one_table(tmp_path: Path) -> None:
    widths = (60, 120, 80, 80)
    rows = [[f"E{i}", f"Person {i}", f"{i * 7}00.00", f"{i * 6}00.00"] for i in range(1, 6)]

    def draw(canvas: Canvas) -> None:
        head = [["Staff", "", "Pay", ""], ["ID", "Name", "Basic", "Net"]]
        end = table(canvas, head, Layout(widths, frozenset({2, 3}), grid=True))
        table(canvas, rows, Layout(widths, frozenset({2, 3}), header=False), y=end)

    found = _one(tmp_path, draw)
    assert [list(row.cells) for row in found.rows if row.role is RowRole.BODY] == rows
    assert [column.split(" / ")[-1].split()[-1] for column in found.columns] == ["ID", "Name", "Basic", "Net"]
