"""Expenses: money by category, vendor and month; what was said as a name must choose rows."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.serve.compute.tables import MemoryIndex, ask, table

HEADER = ("Date", "Vendor", "Category", "Amount EUR")
ROWS = (
    ("05.03.2025", "Acme", "Travel", "100,50"),
    ("15.03.2025", "Globex", "IT", "900,00"),
    ("20.05.2025", "Acme", "Travel", "50,00"),
    ("21.05.2025", "Globex", "Meals", "300,25"),
    ("22.05.2025", "Acme", "Meals", "10,00"),
    ("25.06.2025", "Initech", "IT", "20,00"),
)


def index() -> MemoryIndex:
    return MemoryIndex((table("expenses", HEADER, ROWS), "expenses.csv", "unknown", None))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What did we spend on travel in total?", "150.50"),
        ("What did we spend on Travel in March 2025?", "100.50"),
        ("How much did we spend with Acme on Meals?", "10.00"),
        ("What was the total spending in May 2025?", "360.25"),
        ("What is the total amount for IT?", "920.00"),
        ("What is the total amount of Travel or Meals?", "460.75"),
        ("What was the highest expense?", "900.00"),
        ("How many expenses were there in May 2025?", "3"),
        ("How many expenses above 90 were for Travel or IT?", "2"),
        ("How many rows does the expenses file have?", "6"),
        ("¿Cuánto gastamos en Travel?", "150.50"),
    ],
)
def test_money_spent(text: str, expected: str) -> None:
    found = ask(index(), text)
    assert found.computed is not None, found.declined or found.text
    assert Decimal(str(found.computed.value)) == Decimal(expected)


def test_the_vendor_with_most_money_is_a_group() -> None:
    found = ask(index(), "Which vendor did we spend the most with?")
    assert found.computed is not None
    assert found.computed.value == "Globex"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("When was the highest expense?", "15.03.2025"),
        ("What is the date of the highest expense with Acme?", "05.03.2025"),
        ("Which category was the lowest expense in?", "Meals"),
    ],
)
def test_the_row_of_an_extreme(text: str, expected: str) -> None:
    found = ask(index(), text)
    assert found.computed is not None, found.declined
    assert found.computed.value == expected


@pytest.mark.parametrize(
    "text",
    [
        "What is the sum of the two highest expenses?",
        "What did we spend on Hotels?",
        "Which category had the second highest spending?",
        "What is the lowest total spending by category?",
    ],
)
def test_what_is_not_understood_is_declined(text: str) -> None:
    assert ask(index(), text).computed is None


def test_nothing_spent_is_an_answer() -> None:
    found = ask(index(), "What did we spend on Travel in June 2025?")
    assert found.absent


def test_prices_are_not_added_up_because_their_header_says_per() -> None:
    rates = table("rates", ("Grade", "Hotel per night"), (("L1", "4,500"), ("L2", "6,000"), ("L3", "9,000")))
    found = ask(MemoryIndex((rates, "policy.pdf", "policy", None)), "What is the cost of hotel per night?")
    assert found.computed is None
