from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from encode.windows import average, plan_windows, unit


@pytest.mark.parametrize(
    ("tokens", "plan"),
    [
        (0, [(0, 0)]),
        (10, [(0, 10)]),
        (11, [(0, 10), (1, 11)]),
        (18, [(0, 10), (8, 18)]),
        (26, [(0, 10), (8, 18), (16, 26)]),
        (27, [(0, 10), (6, 16), (11, 21), (17, 27)]),
    ],
)
def test_plans_by_hand(tokens: int, plan: list[tuple[int, int]]) -> None:
    assert plan_windows(tokens, window=10, overlap=2) == plan


@given(st.integers(0, 5000), st.integers(4, 300), st.integers(0, 64))
def test_every_token_is_in_a_window_and_neighbours_overlap(tokens: int, window: int, overlap: int) -> None:
    plan = plan_windows(tokens, window, overlap)
    assert {i for a, b in plan for i in range(a, b)} == set(range(tokens))
    assert all(b - a <= window for a, b in plan)
    shared = [b - a for (_, b), (a, _) in pairwise(plan)]
    assert all(s >= min(overlap, window // 2) - 1 for s in shared)  # rounding may cost one


def test_the_average_is_weighted_by_tokens_and_of_unit_length() -> None:
    """(3·(1,0) + 1·(0,1)) / 4 = (0.75, 0.25), of length sqrt(0.625)."""
    found = average(np.array([[1, 0], [0, 1]], dtype=np.float32), [3, 1])
    assert found.tolist() == pytest.approx([0.75 / 0.625**0.5, 0.25 / 0.625**0.5])


def test_a_zero_vector_stays_zero() -> None:
    assert unit(np.zeros((1, 3), dtype=np.float32)).tolist() == [[0, 0, 0]]
