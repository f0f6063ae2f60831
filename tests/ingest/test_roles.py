"""Which rows are entries and which are sums of them, by their words and their numbers."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.documents import RowRole
from ingest.tables.roles import find_roles

HEADER, GROUP, BODY = RowRole.HEADER, RowRole.GROUP, RowRole.BODY
SUB, TOTAL = RowRole.SUBTOTAL, RowRole.TOTAL


def roles(*rows: Sequence[str]) -> list[RowRole]:
    return find_roles(rows, [n == 0 for n in range(len(rows))])


def test_the_last_departments_total_is_no_total_of_the_table() -> None:
    assert roles(
        ("ID", "Name", "Net"),
        ("Weaving", "", ""),
        ("E1", "Asha", "100"),
        ("E2", "Bela", "200"),
        ("", "Dept total", "300"),
        ("Stores", "", ""),
        ("E3", "Chand", "50"),
        ("", "Dept total", "50"),
    ) == [HEADER, GROUP, BODY, BODY, SUB, GROUP, BODY, SUB]


def test_a_last_row_that_is_the_sum_of_all_rows_is_the_total_whatever_its_label() -> None:
    assert roles(
        ("ID", "Net"),
        ("E1", "100"),
        ("E2", "200"),
        ("Total", "300"),
        ("E3", "50"),
        ("Total", "50"),
        ("Total", "350"),
    ) == [HEADER, BODY, BODY, SUB, BODY, SUB, TOTAL]


def test_balances_of_a_statement_are_no_entries() -> None:
    assert roles(
        ("Date", "Particulars", "Withdrawal", "Deposit", "Balance"),
        ("01/04/2025", "Opening Balance", "", "", "100.00"),
        ("02/04/2025", "Rent", "40.00", "", "60.00"),
        ("03/04/2025", "Salary", "", "10.00", "70.00"),
        ("", "Balance c/f", "", "", "70.00"),
    ) == [HEADER, SUB, BODY, BODY, SUB]


def test_balances_of_a_statement_of_two_years_are_rows() -> None:
    assert roles(
        ("Particulars", "2024", "2025"),
        ("Opening balance", "100", "130"),
        ("Additions", "50", "20"),
        ("Disposals", "(20)", "(5)"),
        ("Closing balance", "130", "145"),
    ) == [HEADER, BODY, BODY, BODY, BODY]


def test_taxes_between_the_items_and_the_total_are_no_items() -> None:
    assert roles(
        ("S.No", "Item", "Amount"),
        ("1", "Spindle", "100.00"),
        ("2", "Insurance of goods", "20.00"),
        ("", "Sub Total", "120.00"),
        ("", "CGST 9%", "10.80"),
        ("", "SGST 9%", "10.80"),
        ("", "Round off", "0.40"),
        ("", "Invoice Total", "142.00"),
    ) == [HEADER, BODY, BODY, SUB, SUB, SUB, SUB, TOTAL]


def test_an_unnumbered_section_between_two_sums_stays_rows() -> None:
    rows = (
        ("Code", "Head", "Amount"),
        ("", "Wages", "100"),
        ("", "Sub Total", "100"),
        ("", "Income tax", "30"),
        ("", "Total", "130"),
    )
    assert roles(*rows) == [HEADER, BODY, SUB, BODY, TOTAL]
