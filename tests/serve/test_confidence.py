from __future__ import annotations

import math

import pytest

from contracts.evidence import Role
from serve.confidence import confidence_of
from serve.weigh import weigh
from tests.serve.passages import ScriptedEncoder, asked, passage

POLICY = passage("Annual leave is 20 days.").model_copy(update={"role": Role.PRIMARY})


def confidence(question: str, logit: float) -> float:
    asked_for = asked(question)
    (best,) = weigh(asked_for, [POLICY], ScriptedEncoder(Annual=logit), 1000.0)
    return confidence_of(asked_for, best)


def test_the_formula_by_hand() -> None:
    z = -1.5 + 0.3 * 2.0 + 0.5 * 1.0 + 0.2 * 1.0 + 2.5 * 1.0  # all covered, a duration, the subject named
    assert confidence("How many days of annual leave?", 2.0) == pytest.approx(1 / (1 + math.exp(-z)))


def test_logits_beyond_the_range_say_no_more() -> None:
    assert confidence("How many days of annual leave?", -4.0) == confidence("How many days of annual leave?", -11.0)
    assert confidence("How many days of annual leave?", 8.0) == confidence("How many days of annual leave?", 11.0)


def test_without_the_subject_it_must_read_as_an_answer() -> None:
    assert confidence("What is the canteen like?", -3.0) < 0.5 < confidence("What is the canteen like?", 7.0)
