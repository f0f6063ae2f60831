from __future__ import annotations

import pytest

from serve.others import others_of
from tests.serve.passages import asked, passage

REGISTER = passage(
    "| Emp ID | Name | Department | Net |\n"
    "| NW01 | Anna Keller | Human Resources | 4,550 |\n"
    "| NW02 | Jonas Brandt | Warehouse | 2,170 |\n"
    "| NW03 | Mia Schulz | Human Resources | 2,080 |",
    kind="table",
)
NOTE = "Jonas Brandt was on unpaid leave for two days."


@pytest.mark.parametrize(
    ("question", "of_another"),
    [
        ("How many days of unpaid leave did Mia Schulz take?", True),
        ("How many days of unpaid leave did NW03 take?", True),
        ("How many days of unpaid leave did Jonas Brandt take?", False),
        ("How many days of unpaid leave did NW02 take?", False),  # the code's row says who that is
        ("How many days of unpaid leave did Jonas Brandt and Mia Schulz take?", False),
        ("How many days of unpaid leave did Karl Weiss take?", False),  # in no row: nothing is known of rows beside
        ("How many days of unpaid leave were taken?", False),
    ],
)
def test_a_note_on_another_row(question: str, of_another: bool) -> None:
    assert others_of(asked(question), [REGISTER]).spoken_of(NOTE) is of_another


def test_a_code_in_a_note_names_a_row_too() -> None:
    assert others_of(asked("How many days did Mia Schulz take?"), [REGISTER]).spoken_of("NW01 took two days.")


def test_what_many_rows_share_is_nobodys_own() -> None:
    found = others_of(asked("How many days did Jonas Brandt take?"), [REGISTER])
    assert not found.spoken_of("Human Resources grants two days.")
