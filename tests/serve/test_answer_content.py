from __future__ import annotations

import pytest

from serve.answer_content import answer_values


@pytest.mark.parametrize(
    ("text", "answer_type", "values"),
    [
        ("for 24 months after its end", "duration", ("24 months",)),
        ("thirty (30) days and two weeks", "duration", ("thirty (30) days", "two weeks")),
        ("60 days' written notice", "duration", ("60 days",)),
        ("18 working days", "duration", ("18 working days",)),
        ("treinta días naturales", "duration", ("treinta dias",)),
        ("up to 6 unused days", "duration", ("6 unused days",)),
        ("in 2025 and two weeks", "duration", ("two weeks",)),
        ("the year 2025", "duration", ()),
        ("INR 50,00,000 in any year", "amount", ("inr 50,00,000",)),
        ("₹1,250.50 or $40", "amount", ("₹1,250.50", "$40")),
        ("two rupees and 5 lakhs", "amount", ("5 lakhs",)),
        ("100 percent of the fees", "amount", ("100 percent",)),
        ("within 15 days", "amount", ()),
        ("on 1 February 2025", "date", ("1 february 2025",)),
        ("due 12-May-2025", "date", ("12-may-2025",)),
        ("by the last working day of each month", "date", ("last working day of",)),
        ("the 5th day of the month", "date", ("5th day of",)),
        ("within 15 days", "date", ()),
        ("approved by the reporting manager", "person", ("manager",)),
        ("signed by Anita Rao", "person", ("Anita Rao",)),
        ("invoice STL/2025-26/003", "code", ("STL/2025-26/003",)),
        ("anything", "text", ("anything",)),
    ],
)
def test_values(text: str, answer_type: str, values: tuple[str, ...]) -> None:
    assert answer_values(text, answer_type) == values


def test_names_in_any_western_spelling() -> None:
    assert answer_values("Buyer: Hanse Möbel AG", "person") == ("Hanse Möbel",)
    assert answer_values("signed by Øystein Müßig", "person") == ("Øystein Müßig",)
