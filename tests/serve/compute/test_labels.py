"""Labels that are printed once for several rows, words that add up, accents spelt in two ways."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from contracts.marks import Mark
from contracts.plans import Computation
from serve.compute.words import norms
from tests.serve.compute.tables import MemoryIndex, ask, table

HEADER = ("Department", "Emp Code", "Name", "Net Pay")
ONCE = (
    ("Weaving", "ST001", "Asha Rao", "45,000.00"),
    ("", "ST002", "Vikram Shah", "54,000.00"),
    ("", "ST003", "Meena Iyer", "1,00,000.00"),
    ("Stores", "ST004", "Ravi Kumar", "27,499.50"),
    ("", "ST005", "Leela Nair", "36,000.00"),
)


def value(rows: Sequence[Sequence[str]], text: str, header: Sequence[str] = HEADER) -> tuple[object, Computation]:
    found = ask(MemoryIndex((table("may", header, rows), "list_may_2025.pdf", "unknown", "2025-05")), text)
    assert found.computed is not None, found.declined or found.text
    return found.computed.value, found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How many employees are in Weaving?", "3"),
        ("What is the total net pay in Stores?", "63499.5"),
        ("How many departments are there?", "2"),
    ],
)
def test_a_department_printed_once_is_that_of_the_rows_below(text: str, expected: str) -> None:
    got, found = value(ONCE, text)
    assert got == expected
    assert Mark.EXTRACTION_UNCERTAIN in found.marks


def test_other_questions_of_such_a_table_are_not_marked() -> None:
    got, found = value(ONCE, "What is the highest net pay?")
    assert (got, found.marks) == ("100000", ())


@pytest.mark.parametrize("sign", ["do", "-do-", "Ditto", '"', "〃"])
def test_ditto_is_the_cell_above(sign: str) -> None:
    rows = [(r[0] or sign, *r[1:]) for r in ONCE]
    assert value(rows, "How many employees are in Weaving?")[0] == "3"


def test_a_column_that_is_empty_here_and_there_stays_so() -> None:
    rows = [(r[1], r[2], r[3], note) for r, note in zip(ONCE, ("left", "", "", "transferred", ""), strict=True)]
    header = ("Emp Code", "Name", "Net Pay", "Remark")
    assert value(rows, "How many employees have a remark of left?", header)[0] == "1"


def test_a_row_that_only_goes_on_is_no_row_of_a_label() -> None:
    rows = (("Weaving", "ST001", "Asha Rao", "45,000.00"), ("", "", "", "1.00"), ("Stores", "ST004", "Ravi", "27.00"))
    assert value(rows, "What is the total net pay in Weaving?")[0] == "45,000.00"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("What is the total CGST?", "270"), ("What is the total of CGST?", "270"), ("What is the sum of Total?", "3540")],
)
def test_total_before_a_column_adds_it_up_though_another_is_headed_total(text: str, expected: str) -> None:
    rows = [(str(n), f"Yarn lot {n}", "1,000.00", "90.00", "1,180.00") for n in (1, 2, 3)]
    assert value(rows, text, ("Sl No", "Description", "Value", "CGST", "Total"))[0] == expected


def test_an_accent_of_its_own_belongs_to_its_letter() -> None:
    assert norms("E\u0301mile Noe\u0308l") == norms("\u00c9mile No\u00ebl") == ("emile", "noel")
