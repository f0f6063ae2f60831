"""Whole lists without a condition, and two columns asked for at once."""

from __future__ import annotations

import pytest

from tests.serve.compute.tables import JUNE, ask, june


@pytest.mark.parametrize(
    "text",
    [
        "List the employees in the June 2025 register",
        "List all employees",
        "Show me all employees",
        "Who is in the June 2025 register?",
    ],
)
def test_everybody_is_listed(text: str) -> None:
    found = ask(june(), text)
    assert found.computed is not None, found.declined
    assert found.computed.value == [row[1] for row in JUNE]


@pytest.mark.parametrize("text", ["Who is in the register but not paid?", "Who is the manager?", "List the managers"])
def test_a_condition_that_is_not_understood_lists_nobody(text: str) -> None:
    assert ask(june(), text).computed is None


@pytest.mark.parametrize(
    "text",
    ["What is the basic pay and the net pay of ST005?", "What are the basic and net pay of Leela Nair?"],
)
def test_two_columns_of_a_row(text: str) -> None:
    found = ask(june(), text)
    assert found.computed is not None, found.declined
    assert found.computed.value == ["40,000.00", "36,000.00"]


def test_two_sums() -> None:
    found = ask(june(), "What is the total basic and net pay in Weaving?")
    assert found.computed is not None, found.declined
    # 50,000 + 1,20,000 + 40,000; 45,000 + 1,00,000 + 36,000
    assert found.computed.value == ["210000", "181000"]


def test_what_needs_both_columns_at_once_is_not_split() -> None:
    found = ask(june(), "What is the ratio between basic and net pay of ST005?")
    assert found.computed is None
