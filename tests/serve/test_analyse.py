from __future__ import annotations

import pytest

from contracts.questions import Intent
from tests.serve.passages import asked, document

DOCUMENTS = (
    document("Salary_Register_April_2025.pdf", "salary_register", "2025-04"),
    document("Salary_Register_March_2025.pdf", "salary_register", "2025-03"),
    document("INV2025001.pdf", "invoice", "2025-04"),
    document("Leave_and_Travel_Policy.pdf", "policy", title="Leave and Travel Policy"),
    document("Orion.pdf", "contract", title="Service Contract"),
)


@pytest.mark.parametrize(
    ("text", "intent", "shape", "answer_type", "context"),
    [
        ("How many employees are in the April 2025 salary register?", Intent.COUNT, "count", "number", "table"),
        ("¿Cuántos empleados hay en la nómina de abril de 2025?", Intent.COUNT, "count", "number", "table"),
        ("What is the total net pay in April 2025?", Intent.SUM, "aggregate", "amount", "table"),
        ("What is the average basic salary?", Intent.AVERAGE, "aggregate", "amount", "table"),
        ("Who has the highest net pay?", Intent.EXTREME, "aggregate", "person", "table"),
        ("Which employees have deductions above 10,000?", Intent.LIST, "listing", "text", "table"),
        ("Compare the March and April payroll", Intent.COMPARE, "aggregate", "text", "table"),
        ("Does the total of net pay add up?", Intent.FOOTING, "aggregate", "amount", "table"),
        ("What is the net pay of ST004?", Intent.LOOKUP, "single", "amount", "table"),
        ("What is the total of invoice STL/2025-26/003?", Intent.LOOKUP, "single", "amount", "table"),
        ("What is the number of the invoice to Malabar Spices?", Intent.LOOKUP, "single", "code", "table"),
        ("How many days of annual leave do I get?", Intent.QA, "single", "duration", "line"),
        ("¿Cuántos días de vacaciones me corresponden?", Intent.QA, "single", "duration", "line"),
        ("What is the maximum liability?", Intent.QA, "single", "amount", "line"),
        ("What is the notice period?", Intent.QA, "single", "duration", "line"),
        ("When does the agreement start?", Intent.QA, "single", "date", "line"),
        ("When do I need a medical certificate?", Intent.QA, "single", "text", "paragraph"),
        ("Who approves travel?", Intent.QA, "single", "person", "line"),
        ("List the grounds for termination", Intent.QA, "listing", "text", "section"),
        ("Summarise the travel policy", Intent.SUMMARIZATION, "single", "text", "section"),
        ("Resume la política de viajes", Intent.SUMMARIZATION, "single", "text", "section"),
    ],
)  # fmt: skip
def test_what_is_asked(text: str, intent: Intent, shape: str, answer_type: str, context: str) -> None:
    question = asked(text, DOCUMENTS)
    assert (question.intent, question.answer_shape, question.answer_type, question.answer_context) == (
        intent, shape, answer_type, context,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "periods"),
    [
        ("payroll of April 2025", ("2025-04",)),
        ("nómina de abril de 2025", ("2025-04",)),
        ("March and April 2025", ("2025-03", "2025-04")),
        ("Compare March and April", ("2025-03", "2025-04")),
        ("net pay in June", ("2025-06",)),
        ("the FY 2025-26 total", ("2025-26",)),
        ("Q1 2025", ("2025-Q1",)),
        ("the second quarter of 2024", ("2024-Q2",)),
        ("on 04/2025", ("2025-04",)),
        ("in 2024", ("2024",)),
        ("invoice STL/2025-26/003", ()),
        ("employees may resign", ()),
        ("by 30 June each year", ("2025-06",)),
        ("a limit of 2000 rupees", ("2000",)),
    ],
)
def test_periods(text: str, periods: tuple[str, ...]) -> None:
    assert asked(text, DOCUMENTS).periods == periods


def test_a_bare_month_says_nothing_where_no_document_is_of_a_month() -> None:
    assert asked("net pay in June", (document("policy.pdf"),)).periods == ()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("What is Anita Rao's basic salary in April 2025?", ("Anita Rao",)),
        ("What does Meridian Foods Limited owe?", ("Meridian Foods Limited",)),
        ("What is the Net Pay of ST004?", ()),
        ("How much is the GST?", ()),
        ("What does the Leave and Travel Policy say?", ("Leave and Travel Policy",)),
        ("Hotels in Mumbai", ("Mumbai",)),
    ],
)
def test_names(text: str, names: tuple[str, ...]) -> None:
    assert asked(text, DOCUMENTS).names == names


def test_keywords_carry_what_the_lexicon_adds() -> None:
    question = asked("How many unused vacation days survive?", DOCUMENTS)
    assert [(k.term, k.concept) for k in question.keywords] == [
        ("unused", None), ("vacation days", "annual_leave"), ("survive", None),
    ]  # fmt: skip
    assert "earned leave" in question.keywords[1].expansions


def test_types_are_those_that_documents_have() -> None:
    assert asked("What does the handbook say?", DOCUMENTS).doc_types == ("policy",)
    assert asked("What does the handbook say?", DOCUMENTS[:3]).doc_types == ()


def test_codes_are_upper_case() -> None:
    assert asked("net pay of st004", DOCUMENTS).codes == ("ST004",)


@pytest.mark.parametrize(
    ("text", "language"), [("¿Qué?", "es"), ("cual es el neto de la factura", "es"), ("net pay", "en")]
)
def test_language(text: str, language: str) -> None:
    assert asked(text).language == language


@pytest.mark.parametrize("text", ["leave", "?", "x" * 10_000, "¿", "12", "the of and"])
def test_any_text_is_understood_somehow(text: str) -> None:
    assert asked(text, DOCUMENTS).text == text
