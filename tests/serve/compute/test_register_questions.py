"""Questions of payroll staff over two small registers; every value added up by hand."""

from __future__ import annotations

from decimal import Decimal

import pytest

from contracts.chunks import Chunk
from contracts.evidence import Candidate
from contracts.filters import Scope
from contracts.marks import Mark
from contracts.plans import Computation
from contracts.questions import Question
from serve.compute import compute
from serve.lexicon import load_lexicon
from tests.serve.compute.tables import MemoryIndex, ask, june, months, register, table
from tests.serve.compute.test_checks import ROLES, SUBTOTALS

JUNE = ("2025-06",)


def value(found: Computation) -> object:
    assert found.computed is not None, found.declined or found.text
    return found.computed.value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How many people are in the June 2025 salary register?", 5),
        ("How many employees are in Weaving in June?", 3),
        ("What is the total net pay in June?", 272_000),
        ("What is the total net pay in Weaving in June?", 181_000),
        ("What is the average basic pay in June?", 61_400),
        ("What is the median net pay in June?", 45_000),
        ("What is the highest net pay in June?", 100_000),
        ("What is the lowest basic in June?", 35_000),
        ("What are the total deductions in June?", 35_000),
        ("How many employees have a net pay above 45,000 in June?", 2),
        ("How many employees have a net pay of at least 45,000 in June?", 3),
        ("How many employees earn between 36,000 and 56,000 in June?", 3),
        ("How many departments are there in June?", 3),
        ("How many employees are not in Weaving in June?", 2),
    ],
)
def test_numbers(text: str, expected: int) -> None:
    assert Decimal(str(value(ask(months(), text, JUNE)))) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Which employee has the highest net pay in June?", "Meena Iyer"),
        ("Who has the lowest net pay in June?", "Imran Khan"),
        ("Who earns the most in June?", "Meena Iyer"),
        ("What is the net pay of ST005 in June?", "36,000.00"),
        ("What is Asha Rao's department in June?", "Weaving"),
        ("Who is ST002?", "Vikram Shah"),
        ("List the employees in Stores in June", "Imran Khan"),
        ("Which employees earn less than 40,000 in June?", ["Leela Nair", "Imran Khan"]),
    ],
)
def test_names_and_cells(text: str, expected: object) -> None:
    assert value(ask(months(), text, JUNE)) == expected


def test_two_questions_in_one_share_their_rows() -> None:
    found = ask(months(), "How many people are in Weaving in the June register, and what is their total net pay?", JUNE)
    assert value(found) == ["3", "181000"]
    assert "3 people" in found.text
    assert "1,81,000.00" in found.text


def test_the_text_names_rows_and_covers_all() -> None:
    found = ask(months(), "How many employees are in the June 2025 salary register?", JUNE)
    assert found.text == "The June 2025 salary register lists 5 employees (5 of 5 rows, ST001 to ST006)."
    assert found.coverage is not None
    assert (found.coverage.rows_extracted, found.coverage.rows_used, found.coverage.complete) == (5, 5, True)
    assert [(e.row, e.reason) for e in found.coverage.excluded] == [(0, "header"), (6, "total")]
    assert (found.coverage.key_column, found.coverage.distinct_keys) == ("Emp ID", 5)
    assert found.citations[0].rows == (1, 2, 3, 4, 5)
    assert found.citations[0].bboxes[0] == (50, 110, 500, 120)
    assert found.marks == ()


def test_spanish() -> None:
    found = ask(months(), "¿Cuántos empleados hay en junio de 2025?", JUNE, language="es")
    assert value(found) == "5"
    assert "contiene 5 empleados (5 de 5 filas" in found.text


def test_groups() -> None:
    found = ask(months(), "How many people are there in each department in June?", JUNE)
    assert found.computed is not None
    assert found.computed.groups == (("Weaving", "3"), ("Dyeing", "1"), ("Stores", "1"))
    paid = ask(months(), "net pay per department in June", JUNE)
    assert paid.computed is not None
    assert paid.computed.groups == (("Weaving", "181000"), ("Dyeing", "56000"), ("Stores", "35000"))


def test_share() -> None:
    found = ask(months(), "What percentage of total net pay goes to Weaving in June?", JUNE)
    # 181000 / 272000
    assert round(Decimal(str(value(found))), 4) == Decimal("66.5441")
    assert "66.54%" in found.text


def test_top_three_with_ties() -> None:
    found = ask(months(), "top 2 employees by basic in June", JUNE)
    assert found.computed is not None
    assert found.computed.groups == (("Meena Iyer", "1,20,000.00"), ("Vikram Shah", "62,000.00"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Who is in the May register but not in June?", ["ST004"]),
        ("Who joined in June compared with May?", ["ST005", "ST006"]),
        ("Who left between May and June?", ["ST004"]),
        ("Whose net pay changed between May and June?", ["ST002"]),
    ],
)
def test_two_registers_compared(text: str, expected: list[str]) -> None:
    found = ask(months(), text, ("2025-05", "2025-06"))
    assert value(found) == expected
    assert found.coverage is not None
    assert found.coverage.rows_extracted == 9


def test_months_are_not_added_up_unasked() -> None:
    found = ask(months(), "What is the total net pay?")
    assert found.computed is not None
    assert found.computed.groups == (("2025-05", "226499.5"), ("2025-06", "272000"))
    both = ask(months(), "What is the total net pay of both months together?")
    assert Decimal(str(value(both))) == Decimal("498499.5")


def test_the_difference_of_two_months() -> None:
    found = ask(months(), "What is the difference between the May and June total net pay?", ("2025-05", "2025-06"))
    assert Decimal(str(value(found))) == Decimal("45500.5")


def test_another_month_is_never_answered_for() -> None:
    found = ask(months(), "What is the total net pay in July 2025?", ("2025-07",))
    assert found.computed is None
    assert found.declined == "no table for 2025-07; there are: 2025-05, 2025-06"


@pytest.mark.parametrize("text", ["What is the net pay of ST099 in June?", "How many people work in Packing in June?"])
def test_what_no_cell_holds_is_absent(text: str) -> None:
    found = ask(months(), text, JUNE)
    assert found.computed is None
    assert found.absent
    assert "5 rows searched: ST001 to ST006" in found.text


@pytest.mark.parametrize(
    "text",
    [
        "How many holidays are there in June?",
        "How many sick days do employees get?",
        "What is the notice period?",
        "What is the total bonus in June?",
        "Who approves travel?",
        "How many registers are there?",
    ],
)
def test_questions_about_other_things_are_declined(text: str) -> None:
    found = ask(june(), text, JUNE if "June" in text else ())
    assert found.computed is None
    assert found.declined


def test_an_impossible_column_names_those_there_are() -> None:
    found = ask(june(), "What is the total bonus in June?", JUNE)
    assert "Emp ID | Name | Department | Basic | Deductions | Net Pay" in (found.declined or "")


def test_a_guess_of_the_column_is_stated() -> None:
    found = ask(june(), "Who earns the least?")
    assert Mark.AMBIGUOUS_PLAN in found.marks
    assert "by Net Pay" in found.text


def test_an_empty_cell_is_no_zero() -> None:
    rows = [("ST001", "Asha Rao", "Weaving", "50,000.00", "", ""), ("ST002", "A B", "Dyeing", "10.00", "1.00", "9.00")]
    index = MemoryIndex((register("x", rows, None), "R.pdf", "salary_register", None))
    found = ask(index, "What is the net pay of ST001?")
    assert found.absent
    assert "no value" in found.text
    summed = ask(index, "What is the total net pay?")
    assert value(summed) == "9"
    assert Mark.INCOMPLETE_COVERAGE in summed.marks
    assert "Net Pay is empty" in summed.text


STATEMENT = (
    ("01/04/2025", "Opening balance", "", "", "10,000.00"),
    ("03/04/2025", "Rent April", "2,500.00", "", "7,500.00"),
    ("15/04/2025", "Client payment", "", "5,000.00", "12,500.00"),
    ("20/04/2025", "Salary transfer", "6,000.00", "", "6,500.00"),
)


def statement() -> MemoryIndex:
    header = ("Date", "Description", "Debit", "Credit", "Balance")
    return MemoryIndex((table("s", header, STATEMENT), "Statement.pdf", "bank_statement", "2025-04"))


def test_a_debit_column_is_complete_where_credits_stand_beside_it() -> None:
    found = ask(statement(), "What is the total of debits in April?", ("2025-04",))
    assert value(found) == "8500"
    assert found.marks == ()


def test_rows_above_an_amount_are_counted_not_added() -> None:
    assert value(ask(statement(), "How many withdrawals were above 3,000?")) == "1"


def test_groups_are_ranked_by_their_sums() -> None:
    found = ask(months(), "Which department has the highest total net pay in June?", JUNE)
    assert found.computed is not None
    assert found.computed.groups == (("Weaving", "181000"),)
    month = ask(months(), "Which month has the highest total net pay?")
    assert month.computed is not None
    assert month.computed.groups == (("2025-06", "272000"),)


def test_group_headings_serve_as_departments() -> None:
    index = MemoryIndex((table("g", ("Name", "Net Pay"), SUBTOTALS, ROLES), "R.pdf", "salary_register", None))
    assert value(ask(index, "How many people are in Weaving?")) == "2"
    found = ask(index, "net pay per department")
    assert found.computed is not None
    assert found.computed.groups == (("Weaving", "30"), ("Dyeing", "5"))


def test_a_column_of_mixed_styles_is_not_summed() -> None:
    rows = [("a", "1,234.50"), ("b", "1.234,50"), ("c", "2,000.00")]
    index = MemoryIndex((table("m", ("Item", "Amount"), rows), "m.csv", "unknown", None))
    found = ask(index, "What is the total amount?")
    assert found.computed is None
    assert "Amount mixes number styles" in (found.declined or "")


def test_numbers_of_a_condition_are_in_the_style_of_the_column() -> None:
    found = ask(months(), "How many employees have a net pay above 100000 in June?", JUNE)
    assert "Net Pay is above 1,00,000" in found.text


def test_a_name_that_prose_speaks_of_is_not_absent() -> None:
    text = "The Provider shall perform the Services."
    prose = Chunk(
        chunk_id="c1",
        doc_id="contract",
        kind="prose",
        text=text,
        ordinal=0,
        page_start=1,
        page_end=1,
        line_start=1,
        line_end=1,
    )
    found = Candidate(candidate_id="c1", chunk=prose, doc_name="Contract.pdf", doc_type="contract")
    question = Question(text="What is the department of the Provider?")
    args = {"index": june(), "scope": Scope(), "lexicon": load_lexicon(), "dense": None}
    assert compute(question, candidates=(), **args).absent
    declined = compute(question, candidates=(found,), **args)
    assert not declined.absent
    assert declined.declined


def test_who_is_is_left_to_the_text() -> None:
    found = ask(june(), "Who is the Data Protection Officer?")
    assert not found.absent
    assert found.computed is None
