"""Registers whose names repeat, and whose header is just what the rows are."""

from __future__ import annotations

import pytest

from contracts.marks import Mark
from tests.serve.compute.tables import MemoryIndex, ask, table

ROWS = (
    ("E001", "Asha Rao", "Weaving", "50,000.00"),
    ("E002", "Vikram Shah", "Dyeing", "60,000.00"),
    ("E003", "Asha Rao", "Weaving", "70,000.25"),
    ("E004", "Meena Iyer", "Stores", "30,000.00"),
    ("E005", "Asha Rao", "Dyeing", "20,000.00"),
)


def index(name: str = "Employee", rows: tuple[tuple[str, ...], ...] = ROWS, code: bool = True) -> MemoryIndex:
    header = ("Code", name, "Department", "Net Pay")
    cut = 0 if code else 1
    return MemoryIndex(
        (table("june", header[cut:], [r[cut:] for r in rows]), "Lotus.pdf", "salary_register", "2025-06")
    )


@pytest.mark.parametrize("name", ["Employee", "Staff", "Worker", "Empleado", "Name", "Employee Name"])
@pytest.mark.parametrize("text", ["How many employees are there?", "How many people are in the register?"])
def test_people_are_counted_by_their_codes(name: str, text: str) -> None:
    found = ask(index(name), text)
    assert found.computed is not None
    assert (found.computed.value, found.marks) == ("5", ())


@pytest.mark.parametrize("name", ["Employee", "Name", "Worker"])
def test_people_of_a_department_and_their_pay(name: str) -> None:
    found = ask(index(name), "How many people are in Weaving, and what is their total net pay?")
    assert found.computed is not None
    assert found.computed.value == ["2", "120000.25"]


def test_names_that_repeat_without_codes_give_both_figures() -> None:
    found = ask(index(code=False), "How many employees are there?")
    assert found.computed is not None
    assert found.computed.value == "5"
    assert "5 rows, 3 distinct" in found.text
    assert Mark.DUPLICATE_KEYS in found.marks


def test_numbers_under_code_are_a_key() -> None:
    rows = tuple((str(100 + n), *r[1:]) for n, r in enumerate(ROWS))
    found = ask(index(rows=rows), "How many employees are there?")
    assert found.computed is not None and found.coverage is not None
    assert (found.computed.value, found.coverage.key_column, found.marks) == ("5", "Code", ())


def test_the_best_paid_is_named_with_the_code() -> None:
    found = ask(index(), "Who has the highest net pay?")
    assert found.text.startswith("Asha Rao (E003), 70,000.25: highest Net Pay")


def test_namesakes_are_told_apart_and_marked() -> None:
    rows = (*ROWS, *((f"E1{n:02}", f"Person {chr(65 + n)}", "Stores", f"{n + 1}.00") for n in range(25)))
    found = ask(index(rows=rows), "What is the net pay of Asha Rao?")
    assert found.text.startswith("Net Pay: 50,000.00 (E001), 70,000.25 (E003) and 20,000.00 (E005)")
    assert Mark.AMBIGUOUS_PLAN in found.marks


def test_namesakes_in_a_list_are_all_listed() -> None:
    found = ask(index(), "Which employees have a net pay above 40,000?")
    assert found.text.startswith("Employee: Asha Rao (E001), Vikram Shah (E002) and Asha Rao (E003)")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What percentage of employees have a net pay above 55,000?", 40),  # 2 of 5
        ("How many employees have a net pay above 25,000 and work in Weaving or Stores?", 3),
        ("How many employees are not in Weaving or Dyeing?", 1),
        ("How many employees not in Weaving have a net pay above 25,000?", 2),
        ("How many employees per department?", ["2", "2", "1"]),
        ("What is the second highest net pay in Weaving?", "Asha Rao"),
        ("Who are the two lowest paid?", ["Asha Rao", "Meena Iyer"]),
        ("¿Quién tiene un salario neto de más de 60.000?", "Asha Rao"),
    ],
)
def test_shares_bounds_groups_and_ranks(text: str, expected: object) -> None:
    found = ask(index(), text)
    assert found.computed is not None, found.declined or found.text
    value = found.computed.value
    assert (float(str(value)) if isinstance(expected, int) else value) == expected


def test_a_total_over_namesakes_is_marked() -> None:
    found = ask(index(), "What is the total net pay of Asha Rao?")
    assert found.computed is not None
    assert (found.computed.value, Mark.AMBIGUOUS_PLAN in found.marks) == ("140000.25", True)


def test_a_department_in_capitals_that_is_nowhere_is_not_left_out() -> None:
    found = ask(index(), "How many employees work in IT?")
    assert found.computed is None
    assert "“IT” does not occur" in found.text


def test_capitals_inside_a_cell_choose_rows() -> None:
    rows = tuple(
        (*r[:2], d, r[3]) for r, d in zip(ROWS, ("HR Executive", "Clerk", "HR Assistant", "Clerk", "Cook"), strict=True)
    )
    found = ask(index(rows=rows), "How many people work in HR?")
    assert found.computed is not None
    assert found.computed.value == "2"


def test_one_count_over_several_months_is_marked() -> None:
    may = (table("may", ("Code", "Employee", "Department", "Net Pay"), ROWS), "May.pdf", "salary_register", "2025-05")
    june = (
        table("june", ("Code", "Employee", "Department", "Net Pay"), ROWS),
        "June.pdf",
        "salary_register",
        "2025-06",
    )
    found = ask(MemoryIndex(may, june), "How many employees are there in both registers together?")
    assert found.computed is not None
    assert (found.computed.value, Mark.AMBIGUOUS_PLAN in found.marks) == ("10", True)
    assert "May.pdf: 5; June.pdf: 5." in found.text
