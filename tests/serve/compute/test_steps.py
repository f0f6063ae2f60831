"""Questions that take two steps, and yes or no about one row. Figures added up by hand from the June register:
net pay 45,000 · 56,000 · 1,00,000 · 36,000 · 35,000, basic 50,000 · 62,000 · 1,20,000 · 40,000 · 35,000."""

from __future__ import annotations

import pytest

from contracts.marks import Mark
from contracts.plans import Computation
from tests.serve.compute.tables import JUNE, MemoryIndex, ask, june, register, table


def value(found: Computation) -> object:
    assert found.computed is not None, found.declined or found.text
    return found.computed.value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How many employees earn more than the average net pay?", "2"),
        ("How many employees have a basic below the average?", "3"),
        ("Which employees have a net pay above average?", ["Vikram Shah", "Meena Iyer"]),
        ("What is the sum of the top 3 net pays?", "201000"),
        ("What is the total net pay of the 2 highest paid employees?", "156000"),
        ("What is the combined basic of the two lowest paid employees?", "75000"),
        ("What is the difference between the highest and the lowest net pay?", "65000"),
        ("What is the difference between the highest and the lowest net pay in Weaving?", "64000"),
        ("What is the difference in net pay between ST001 and ST002?", "11000"),
        ("What is the difference between the basic of Meena Iyer and Asha Rao?", "70000"),
        ("Is Asha Rao in Weaving?", "yes"),
        ("Is Asha Rao in the Stores department?", "no"),
        ("Is Asha Rao in Weaving or Stores?", "yes"),
        ("Is Asha Rao not in Weaving?", "no"),
        ("Does ST002 have a net pay above 50,000?", "yes"),
        ("Does ST002 have a net pay above 60,000?", "no"),
    ],
)
def test_steps(text: str, expected: object) -> None:
    found = value(ask(june(), text))
    assert (found.removesuffix(".00") if isinstance(found, str) else found) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Which employees earn more than the average of their department?",
        "How many employees earn more than the average in Weaving?",
        "Is Asha Rao the highest paid employee?",
        "Is Asha Rao married?",
        "Does ST002 have a net pay above 50,000 in most months?",
    ],
)
def test_what_the_wording_leaves_open_is_declined(text: str) -> None:
    assert ask(june(), text).computed is None


def test_whose_average_is_said_when_rows_are_chosen_too() -> None:
    found = ask(june(), "Which employees in Weaving have a net pay below the average?")
    assert value(found) == ["Asha Rao", "Leela Nair"]
    assert Mark.AMBIGUOUS_PLAN in found.marks
    assert found.text.startswith("The average of Net Pay is 54,400.00.")


def test_a_tie_at_the_end_of_the_highest_few_is_declined() -> None:
    rows = (*JUNE, ("ST007", "Omar Ali", "Stores", "70,000.00", "14,000.00", "56,000.00"))
    index = MemoryIndex((register("june", rows, None), "Register_June_2025.pdf", "salary_register", "2025-06"))
    assert ask(index, "What is the sum of the top 2 net pays?").computed is None
    assert value(ask(index, "What is the sum of the top 3 net pays?")) in ("212000", "212000.00")


def test_a_verdict_shows_the_cell_and_cites_its_row() -> None:
    found = ask(june(), "Is Asha Rao in the Stores department?")
    assert found.text.startswith("No: Department of Asha Rao is Weaving (")
    assert [c.rows for c in found.citations] == [(1,)]


def test_an_empty_cell_is_neither_yes_nor_no() -> None:
    rows = [(*JUNE[0][:2], "", *JUNE[0][3:]), *JUNE[1:]]
    index = MemoryIndex((register("june", rows, None), "Register_June_2025.pdf", "salary_register", "2025-06"))
    assert ask(index, "Is Asha Rao in Weaving?").computed is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How many accounts have a negative movement?", "2"),
        ("How many accounts have a positive movement?", "1"),
        ("Which account has a positive movement?", "Stock"),
    ],
)
def test_signs_are_compared(text: str, expected: str) -> None:
    rows = (("Cash", "(300.00)"), ("Debtors", "250.00-"), ("Stock", "4,000.00"), ("Loans", "–"))
    index = MemoryIndex((table("m", ("Account", "Movement"), rows), "movements.pdf", "ledger", None))
    assert value(ask(index, text)) == expected
