from __future__ import annotations

import pytest

from tests.serve.passages import asked


def parts(text: str) -> list[str]:
    return [p.text.strip(" ?¿") for p in asked(text).parts]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the monthly fee and when are invoices due?", ["What is the monthly fee", "when are invoices due"]),
        (
            "What is the mileage rate and within how many days are claims filed?",
            ["What is the mileage rate", "within how many days are claims filed"],
        ),
        (
            "What is the liability cap and the insurance cap?",
            ["What is the liability cap", "What is the insurance cap"],
        ),
        ("¿Cuál es el preaviso y cuándo se pagan las facturas?", ["¿Cuál es el preaviso", "cuándo se pagan las facturas"]),
        ("What are the terms and the conditions?", []),  # no two concepts
        ("What does the leave and travel policy say?", []),
        ("Who signed the contract and why?", []),  # the second half names nothing
        ("Summarise the notice period and what happens to the liability cap", []),
        ("What is the notice period?", []),
    ],
)  # fmt: skip
def test_two_questions_in_one(question: str, expected: list[str]) -> None:
    assert parts(question) == [e.strip(" ?¿") for e in expected]


def test_what_one_half_names_holds_for_both() -> None:
    one, two = asked("What is the IBAN and what is the due date of invoice NL-2025-101?").parts
    assert (one.codes, two.codes) == (("NL-2025-101",), ("NL-2025-101",))
    assert (one.answer_type, two.answer_type) == ("code", "date")


def test_halves_have_none_themselves() -> None:
    assert all(p.parts == () for p in asked("What is the monthly fee and when are invoices due?").parts)
