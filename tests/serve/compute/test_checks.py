"""Each check holds on a sound table and fails on one with a single thing wrong."""

from __future__ import annotations

import pytest

from contracts.documents import Region, RowRole, Table
from contracts.marks import Mark
from contracts.plans import Check
from serve.compute.checks import check_all
from serve.compute.view import TableView
from tests.serve.compute.tables import JUNE, JUNE_TOTAL, MemoryIndex, ask, june, register, table


def checks(source: Table, name: str) -> list[Check]:
    return [c for c in check_all(TableView((source,), {})) if c.name == name]


def test_footing_holds_column_by_column() -> None:
    found = checks(register("june", JUNE, JUNE_TOTAL), "footing")
    assert [(c.column, c.computed, c.passed) for c in found] == [
        ("Basic", "307000.00", True),
        ("Deductions", "35000.00", True),
        ("Net Pay", "272000.00", True),
    ]


def test_footing_fails_with_a_row_removed() -> None:
    found = checks(register("june", JUNE[:-1], JUNE_TOTAL), "footing")
    assert [(c.column, c.computed, c.printed, c.passed) for c in found] == [
        ("Basic", "272000.00", "307000.00", False),
        ("Deductions", "35000.00", "35000.00", True),
        ("Net Pay", "237000.00", "272000.00", False),
    ]


def test_a_wrong_printed_total_is_flagged_and_the_rows_sum_given() -> None:
    index = june(("", "Total", "", "3,07,000.00", "35,000.00", "2,82,000.00"))
    found = ask(index, "What is the total net pay in June?", ("2025-06",))
    assert found.computed is not None
    assert found.computed.value == "272000"
    assert Mark.FOOTING_MISMATCH in found.marks
    assert "2,72,000.00" in found.text
    assert "the printed total says 2,82,000.00" in found.text


@pytest.mark.parametrize(
    ("total", "verdict", "marks"),
    [
        (JUNE_TOTAL, "yes", ()),
        (("", "Total", "", "3,07,000.00", "35,000.01", "2,72,000.00"), "no", (Mark.FOOTING_MISMATCH,)),
    ],
)
def test_does_it_add_up(total: tuple[str, ...], verdict: str, marks: tuple[str, ...]) -> None:
    found = ask(june(total), "Does the June register add up?", ("2025-06",))
    assert found.computed is not None
    assert found.computed.value == verdict
    assert found.marks == marks
    assert [g[0] for g in found.computed.groups] == ["Basic", "Deductions", "Net Pay"]


def test_nothing_printed_is_nothing_proven() -> None:
    found = ask(june(None), "Does the June register add up?", ("2025-06",))
    assert found.computed is None
    assert found.absent
    assert "No printed total" in found.text


SUBTOTALS = (
    ("Weaving", ""),
    ("Asha", "10.00"),
    ("Meena", "20.00"),
    ("Subtotal", "30.00"),
    ("Dyeing", ""),
    ("Vikram", "5.00"),
    ("Subtotal", "5.00"),
    ("Grand total", "35.00"),
)
ROLES = {
    0: RowRole.GROUP,
    3: RowRole.SUBTOTAL,
    4: RowRole.GROUP,
    6: RowRole.SUBTOTAL,
    7: RowRole.TOTAL,
}


def test_subtotals_are_checked_against_their_own_rows() -> None:
    found = checks(table("t", ("Name", "Pay"), SUBTOTALS, ROLES), "footing")
    assert [(c.computed, c.passed) for c in found] == [("30.00", True), ("5.00", True), ("35.00", True)]
    wrong = (*SUBTOTALS[:6], ("Subtotal", "6.00"), SUBTOTALS[7])
    found = checks(table("t", ("Name", "Pay"), wrong, ROLES), "footing")
    assert [(c.computed, c.printed, c.passed) for c in found] == [
        ("30.00", "30.00", True),
        ("5.00", "6.00", False),
        ("35.00", "35.00", True),
    ]


def test_taxes_between_rows_and_total_are_added() -> None:
    rows = (("Licence", "100.00"), ("Support", "50.00"), ("GST 18%", "27.00"), ("Total payable", "177.00"))
    roles = {2: RowRole.SUBTOTAL, 3: RowRole.TOTAL}
    assert [c.passed for c in checks(table("t", ("Item", "Amount"), rows, roles), "footing")] == [True]
    rows = (*rows[:3], ("Total payable", "178.00"))
    (found,) = checks(table("t", ("Item", "Amount"), rows, roles), "footing")
    assert (found.passed, found.computed, found.printed) == (False, "177.00", "178.00")


def test_serials() -> None:
    rows = [("1", "a"), ("2", "b"), ("3", "c")]
    assert [c.passed for c in checks(table("t", ("S.No.", "Name"), rows), "serials")] == [True]
    (found,) = checks(table("t", ("S.No.", "Name"), [rows[0], rows[2]]), "serials")
    assert not found.passed
    assert found.detail == "1 is followed by 3"


def test_ids_are_no_serials() -> None:
    assert checks(register("june", JUNE, JUNE_TOTAL), "serials") == []


def test_orphans() -> None:
    sound = register("june", JUNE, JUNE_TOTAL)
    assert [c.passed for c in checks(sound, "orphans")] == [True]
    stray = Region(page=1, line_start=9, line_end=9, bbox=(50, 190, 500, 200))
    (found,) = checks(sound.model_copy(update={"orphans": (stray,)}), "orphans")
    assert not found.passed
    assert "page 1 line 9" in found.detail


def test_orphan_lines_make_coverage_incomplete() -> None:
    stray = Region(page=1, line_start=9, line_end=9, bbox=(50, 190, 500, 200))
    source = register("june", JUNE, JUNE_TOTAL).model_copy(update={"orphans": (stray,)})
    index = MemoryIndex((source, "R.pdf", "salary_register", "2025-06"))
    found = ask(index, "How many employees are there?")
    assert {Mark.ORPHAN_LINES, Mark.INCOMPLETE_COVERAGE} <= set(found.marks)


def test_unproven_numbers_never_enter_a_sum() -> None:
    source = register("june", JUNE, JUNE_TOTAL).model_copy(update={"unproven": ((2, 5),)})
    assert [c.passed for c in checks(source, "provenance")] == [False]
    index = MemoryIndex((source, "R.pdf", "salary_register", "2025-06"))
    found = ask(index, "What is the total net pay?")
    assert found.computed is not None
    # 272,000 without the 56,000 of row 2.
    assert found.computed.value == "216000"
    assert {Mark.UNPROVEN_NUMBER, Mark.INCOMPLETE_COVERAGE, Mark.FOOTING_MISMATCH} <= set(found.marks)


def test_repeated_identifiers_are_told() -> None:
    index = MemoryIndex((register("june", [*JUNE, JUNE[0]], None), "R.pdf", "salary_register", None))
    found = ask(index, "How many employees are there?")
    assert found.computed is not None
    assert found.computed.value == "6"
    assert Mark.DUPLICATE_KEYS in found.marks
    assert "6 rows, 5 distinct" in found.text


def test_a_row_over_two_pages_is_cited_on_both() -> None:
    source = register("june", JUNE, JUNE_TOTAL)
    overleaf = Region(page=2, line_start=1, line_end=1, bbox=(50, 40, 500, 52))
    rows = tuple(r.model_copy(update={"continued": (overleaf,)}) if r.index == 5 else r for r in source.rows)
    index = MemoryIndex((source.model_copy(update={"rows": rows}), "R.pdf", "salary_register", "2025-06"))
    found = ask(index, "What is the net pay of ST006?")
    assert [(c.page, c.rows, c.bboxes) for c in found.citations] == [
        (1, (5,), ((50, 150, 500, 160),)),
        (2, (5,), ((50, 40, 500, 52),)),
    ]


def statement() -> Table:
    rows = (
        ("01/04/2025", "Opening balance", "", "", "100.00"),
        ("02/04/2025", "Rent", "40.00", "", "60.00"),
        ("03/04/2025", "Salary", "", "10.00", "70.00"),
        ("04/04/2025", "Cash", "5.00", "", "65.00"),
        ("", "Total", "45.00", "10.00", ""),
        ("", "Closing balance", "", "", "65.00"),
    )
    sums = {0: RowRole.SUBTOTAL, 4: RowRole.TOTAL, 5: RowRole.SUBTOTAL}
    return table("bank", ("Date", "Particulars", "Withdrawal", "Deposit", "Balance"), rows, sums)


def test_a_running_balance_is_no_column_to_add_up() -> None:
    found = checks(statement(), "footing")
    assert [(c.column, c.computed, c.passed) for c in found] == [
        ("Withdrawal", "45.00", True),
        ("Deposit", "10.00", True),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How many withdrawals are there?", "2"),
        ("How many deposits are there?", "1"),
        ("What is the total of withdrawals?", "45"),
        ("How many transactions are in the statement?", "3"),
    ],
)
def test_how_many_of_one_side_counts_its_entries(text: str, expected: str) -> None:
    found = ask(MemoryIndex((statement(), "Statement_April_2025.pdf", "bank_statement", "2025-04")), text)
    assert found.computed is not None, found.declined
    assert found.computed.value == expected
