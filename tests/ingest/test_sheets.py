"""Workbooks, CSV and plain text become the same tables as PDFs, every row of them."""

from __future__ import annotations

import datetime
from pathlib import Path

import openpyxl
import pytest

from contracts.documents import ColumnKind, RowRole, Table
from contracts.errors import InputError
from ingest.extract import extract


def _only(path: Path) -> Table:
    tables = extract(path).tables
    assert len(tables) == 1
    return tables[0]


def _body(found: Table) -> list[tuple[str, ...]]:
    return [row.cells for row in found.rows if row.role is RowRole.BODY]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_any_separator(tmp_path: Path, separator: str) -> None:
    path = tmp_path / "a.csv"
    rows = [["ID", "Name", "Net"], ["E1", "Rao", "1200.50"], ["E2", "Shah", "900"]]
    path.write_text("\n".join(separator.join(row) for row in rows))
    found = _only(path)
    assert (found.columns, found.source) == (("ID", "Name", "Net"), "sheet")
    assert _body(found) == [tuple(row) for row in rows[1:]]


def test_decimal_commas_do_not_pass_for_separators(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("Name;Betrag\nRao;1.234,50\nShah;2,00\nDas;17,25\n")
    assert _body(_only(path)) == [("Rao", "1.234,50"), ("Shah", "2,00"), ("Das", "17,25")]


def test_every_record_is_a_row_whatever_its_fields_hold(tmp_path: Path) -> None:
    """Flowise#3696: a CSV of 366 rows yields 99 records."""
    path = tmp_path / "days.csv"
    lines = [f'{n},"note, with ""quotes""\nand a line break",{n}.50' for n in range(1, 367)]
    path.write_text("\n".join(["Day,Note,Hours", *lines]))
    found = _only(path)
    assert [row.cells[0] for row in found.rows[1:]] == [str(n) for n in range(1, 367)]
    assert found.rows[1].cells[1] == 'note, with "quotes"\nand a line break'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.csv"
    note = "La señora trabajó en el almacén de la región durante el año y cobró su retribución según el convenio"
    path.write_bytes(f"Name,Región,Nota\nPeña,Málaga,{note}\nNúñez,Cádiz,\nIbáñez,León,\n".encode(encoding))
    parsed = extract(path)
    assert [row.cells for row in parsed.tables[0].rows][1:] == [
        ("Peña", "Málaga", note), ("Núñez", "Cádiz", ""), ("Ibáñez", "León", ""),
    ]  # fmt: skip
    assert [w.code for w in parsed.document.warnings] == (["encoding_guessed"] if encoding == "cp1252" else [])


def test_ragged_records_are_a_warning_and_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("ID,Name,Net\nE1,Rao,100\nE2,Shah, Bela,200\nE3,Das\n")
    parsed = extract(path)
    assert [w.code for w in parsed.document.warnings] == ["ragged_rows"]
    assert [row.cells for row in parsed.tables[0].rows[1:]] == [
        ("E1", "Rao", "100", ""), ("E2", "Shah", "Bela", "200"), ("E3", "Das", "", ""),
    ]  # fmt: skip


def test_empty_and_binary_files(tmp_path: Path) -> None:
    empty, binary, fake = tmp_path / "e.csv", tmp_path / "b.csv", tmp_path / "f.xlsx"
    empty.write_bytes(b"")
    binary.write_bytes(b"PK\x03\x04\0\0\0\0")
    fake.write_text("no workbook")
    for path, message in ((empty, "the file is empty"), (binary, "not a text file"), (fake, "not an XLSX workbook")):
        with pytest.raises(InputError, match=rf"{path.name}: .*{message}"):
            extract(path)


def _workbook(path: Path) -> Path:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "June"
    for row in (
        ["Salary register June 2025"],
        [],
        ["ID", "Name", "Joined", "Net", "Share"],
        ["E1", "Rao", datetime.date(2020, 1, 2), 1234.5, 0.125],
        ["E2", "Shah", datetime.date(2021, 3, 4), 0.1 + 0.2, 0.5],
        ["", "Total", None, 1234.8, 0.625],
    ):
        sheet.append(row)
    for n in (4, 5, 6):
        sheet.cell(n, 5).number_format = "0.0%"
    other = book.create_sheet("Notes")
    other.append(["Paid by bank transfer."])
    book.save(path)
    return path


def test_a_workbook_reads_as_its_reader_sees_it(tmp_path: Path) -> None:
    parsed = extract(_workbook(tmp_path / "r.xlsx"))
    assert parsed.document.pages == 2
    assert len(parsed.tables) == 1
    found = parsed.tables[0]
    assert (found.title, found.columns) == ("Salary register June 2025", ("ID", "Name", "Joined", "Net", "Share"))
    assert _body(found) == [("E1", "Rao", "2020-01-02", "1234.5", "12.5%"), ("E2", "Shah", "2021-03-04", "0.3", "50%")]
    assert (found.rows[-1].role, found.rows[-1].cells[3]) == (RowRole.TOTAL, "1234.8")
    kinds = [t.kind for t in found.column_types]
    assert kinds == [ColumnKind.CODE, ColumnKind.TEXT, ColumnKind.DATE, ColumnKind.NUMBER, ColumnKind.PERCENT]
    assert [(row.page, row.line_start) for row in found.rows] == [(1, 3), (1, 4), (1, 5), (1, 6)]
    assert parsed.lines[-1].text == "Paid by bank transfer."


def test_formulas_without_a_value_and_hidden_rows_are_warnings(tmp_path: Path) -> None:
    path = _workbook(tmp_path / "r.xlsx")
    book = openpyxl.load_workbook(path)
    book["June"]["D6"] = "=SUM(D4:D5)"
    book["June"].row_dimensions[5].hidden = True
    book.save(path)
    parsed = extract(path)
    assert [w.code for w in parsed.document.warnings] == ["formula_not_computed", "hidden_cells"]
    assert _body(parsed.tables[0])[1][0] == "E2"


def test_merged_headings_name_every_column_below(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (["ID", "Earnings", None], [None, "Basic", "Bonus"], ["E1", 10, 1], ["E2", 20, 2]):
        sheet.append(row)
    sheet.merge_cells("B1:C1")
    book.save(tmp_path / "m.xlsx")
    assert _only(tmp_path / "m.xlsx").columns == ("ID", "Earnings / Basic", "Earnings / Bonus")


def test_two_tables_on_one_sheet(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["ID", "Net"], ["E1", 10], ["E2", 20], [], ["Code", "Rate"], ["A", 1.5], ["B", 2.5]):
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    assert [t.columns for t in extract(tmp_path / "t.xlsx").tables] == [("ID", "Net"), ("Code", "Rate")]


def test_a_table_made_with_spaces(tmp_path: Path) -> None:
    path = tmp_path / "r.txt"
    path.write_text(
        "Register\n\nID    Name         Net\nE1    Asha Rao  120.00\nE2    Bela Shah  90.00\nE3    C. Das    310.50\n"
    )
    found = _only(path)
    assert [row.cells for row in found.rows] == [
        ("ID", "Name", "Net"), ("E1", "Asha Rao", "120.00"), ("E2", "Bela Shah", "90.00"), ("E3", "C. Das", "310.50"),
    ]  # fmt: skip


def test_a_text_merged_over_rows_stands_in_each_and_a_number_in_one(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (
        ["Dept", "ID", "Net", "Budget"],
        ["Sales", "E1", 10, 90],
        [None, "E2", 20, None],
        ["Stores", "E3", 30, 40],
    ):
        sheet.append(row)
    sheet.merge_cells("A2:A3")
    sheet.merge_cells("D2:D3")
    book.save(tmp_path / "m.xlsx")
    rows = _body(_only(tmp_path / "m.xlsx"))
    assert [r[0] for r in rows] == ["Sales", "Sales", "Stores"]
    assert [r[3] for r in rows] == ["90", "", "40"]


@pytest.mark.parametrize(
    ("sheet", "printed", "title"),
    [
        ("Apr 2025", "Salary register", "Apr 2025: Salary register"),
        ("June", "Salary register June 2025", "Salary register June 2025"),
        ("Sheet2", "Salary register", "Salary register"),
        ("Plant A", None, "Plant A"),
    ],
)
def test_a_table_is_titled_with_the_name_of_its_sheet(
    tmp_path: Path, sheet: str, printed: str | None, title: str
) -> None:
    book = openpyxl.Workbook()
    book.active.title = sheet
    for row in ([[printed], []] if printed else []) + [["ID", "Net"], ["E1", 10], ["E2", 20]]:
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    assert _only(tmp_path / "t.xlsx").title == title
