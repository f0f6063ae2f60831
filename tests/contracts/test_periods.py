import pytest

from contracts.periods import covers, months


@pytest.mark.parametrize(
    ("outer", "inner", "expected"),
    [
        ("2025", "2025-04", True),
        ("2025-Q2", "2025-04", True),
        ("2025-Q2", "2025-07", False),
        ("2025-26", "2026-03", True),
        ("2025-26", "2025-03", False),
        ("2025-04", "2025-04", True),
        ("2025-04", "2025", False),
        ("week 3", "week 3", True),
        ("week 3", "2025", False),
    ],
)
def test_covers(outer, inner, expected):
    assert covers(outer, inner) is expected


def test_a_second_part_up_to_twelve_is_a_month():
    assert months("2011-12") == {(2011, 12)}


def test_a_fiscal_year_has_twelve_months():
    assert len(months("2025-26")) == 12
