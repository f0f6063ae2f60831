"""Several tables of one document: the sheets of a workbook, one for each month or plant."""

from __future__ import annotations

import pytest

from contracts.chunks import Chunk
from contracts.evidence import Candidate
from contracts.filters import Scope
from contracts.marks import Mark
from contracts.plans import Computation
from contracts.questions import Question
from serve.compute import compute
from serve.compute.choose import named_stems
from serve.lexicon import load_lexicon
from tests.serve.compute.tables import JUNE, MAY, MemoryIndex, ask, register


def sheets(first: str, second: str, period: str | None = "2025") -> MemoryIndex:
    """One workbook, May's register under the title `first`, June's under `second`."""
    tables = [
        register(name, rows, None).model_copy(update={"doc_id": "book", "title": title})
        for name, rows, title in (("may", MAY, first), ("june", JUNE, second))
    ]
    return MemoryIndex(*((t, "payroll.xlsx", "unknown", period) for t in tables))


def value(found: Computation) -> object:
    assert found.computed is not None, found.declined or found.text
    return found.computed.value


@pytest.mark.parametrize(
    ("first", "second"),
    [("Salary register May 2025", "Salary register June 2025"), ("May: Salary register", "Jun: Salary register")],
)
@pytest.mark.parametrize(
    ("text", "month", "expected"),
    [
        ("How many employees are in the May 2025 salary register?", "2025-05", "4"),
        ("How many employees are in the June 2025 salary register?", "2025-06", "5"),
        ("What is the total net pay in May 2025?", "2025-05", "226499.5"),
        ("How many employees are in Weaving in June 2025?", "2025-06", "3"),
    ],
)
def test_each_month_has_its_own_sheet(first: str, second: str, text: str, month: str, expected: str) -> None:
    assert value(ask(sheets(first, second), text, (month,))) == expected


def test_a_month_without_a_sheet_is_said_to_be_missing() -> None:
    index = sheets("Salary register May 2025", "Salary register June 2025")
    found = ask(index, "What is the total net pay in July 2025?", ("2025-07",))
    assert found.declined == "no table for 2025-07; there are: 2025-05, 2025-06"


def test_months_of_one_workbook_are_not_added_up() -> None:
    found = ask(sheets("May 2025", "June 2025"), "What is the total net pay?")
    assert found.computed is not None
    assert found.computed.groups == (("2025-05", "226499.5"), ("2025-06", "272000"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How many employees are in Plant North?", "4"),
        ("How many employees are in the Plant South register?", "5"),
        ("What is the total net pay of Plant South?", "272000"),
    ],
)
def test_a_sheet_is_chosen_by_its_name(text: str, expected: str) -> None:
    assert value(ask(sheets("Plant North", "Plant South", None), text)) == expected


def test_one_figure_over_differently_titled_sheets_is_marked() -> None:
    index = sheets("Plant North", "Plant South", None)
    assert Mark.AMBIGUOUS_PLAN in ask(index, "How many employees are there?").marks
    assert Mark.AMBIGUOUS_PLAN not in ask(index, "How many employees are there altogether?").marks


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("By how much did the net pay of ST002 change between May and June 2025?", "ST002 (54,000.00 → 56,000.00, +2,000.00)"),
        ("By how much did Vikram Shah's net pay change between May and June 2025?", "ST002 (54,000.00 → 56,000.00, +2,000.00)"),
        ("Did the net pay of ST001 change between May and June 2025?", "Nothing has changed"),
    ],
)  # fmt: skip
def test_a_change_of_one_person_is_of_that_person_alone(text: str, said: str) -> None:
    found = ask(sheets("Register May 2025", "Register June 2025"), text, ("2025-05", "2025-06"))
    assert said in found.text
    assert "ST003" not in found.text


def test_when_one_person_joined_is_no_list_of_who_joined() -> None:
    found = ask(sheets("Register May 2025", "Register June 2025"), "When did ST002 join?")
    assert "ST005" not in found.text


def _said(text: str, kind: str = "prose", line: int = 1) -> Candidate:
    chunk = Chunk(
        chunk_id="c",
        doc_id="book",
        kind=kind,
        text=text,
        ordinal=0,
        page_start=1,
        page_end=1,
        line_start=line,
        line_end=line,
    )
    return Candidate(candidate_id="c", chunk=chunk, doc_name="payroll.xlsx", doc_type="unknown")


@pytest.mark.parametrize(
    ("name", "passage", "known"),
    [
        ("Acme", _said("Acme\nSalary register"), True),
        ("Dyeing", _said("Dyeing staff get their bonus in June.", line=40), False),
        ("Dyeing", _said("| ST9 | Dyeing |", kind="table"), False),
        ("Crown Mills", _said("The register of Crown Mills follows.", line=40), True),
    ],
)
def test_a_name_says_whose_the_document_is_only_where_documents_say_so(
    name: str, passage: Candidate, known: bool
) -> None:
    summaries = sheets("May 2025", "June 2025").table_summaries()
    assert bool(named_stems([name], summaries, [passage])) is known


def test_a_department_that_only_another_table_has_counts_nobody_else() -> None:
    index = MemoryIndex((register("may", MAY, None).model_copy(update={"doc_id": "book"}), "r.pdf", "unknown", None))
    text = "How many employees are in Sales?"
    passages = [_said("| ST090 | Ina Das | Sales |", kind="table")]
    question = Question(text=text, names=("Sales",))
    found = compute(question, index=index, scope=Scope(), candidates=passages, lexicon=load_lexicon(), dense=None)
    assert found.computed is None


def test_the_difference_of_two_totals_is_no_list_of_rows_that_differ() -> None:
    text = "What is the difference between the total net pay of May and June 2025?"
    found = ask(sheets("Register May 2025", "Register Jun 2025"), text, ("2025-05", "2025-06"))
    assert value(found) == "45500.5"
