from __future__ import annotations

import math

import pytest

from compression.score import coverage
from contracts.questions import Keyword, Question


def test_coverage_weighs_terms_by_rarity() -> None:
    question = Question(text="notice and fee", keywords=(Keyword(term="notice"), Keyword(term="fee")))
    texts = ["notice", "notice and fee", "canteen"]
    notice, fee = math.log(1 + 1.5 / 2.5), math.log(1 + 2.5 / 1.5)  # in 2 and in 1 of 3 texts
    assert coverage(question, texts) == pytest.approx([notice / (notice + fee), 1.0, 0.0])


def test_a_synonym_counts_as_the_term() -> None:
    question = Question(text="holiday", keywords=(Keyword(term="holiday", expansions=("annual leave",)),))
    assert coverage(question, ["24 days of annual leaves", "annual report"]) == [1.0, 0.0]


def test_codes_are_terms() -> None:
    question = Question(text="ST001?", codes=("ST001",))
    assert coverage(question, ["st001 earns", "ST0011 earns"]) == [1.0, 0.0]


def test_nothing_asked_covers_everything() -> None:
    assert coverage(Question(text="?"), ["a", "b"]) == [1.0, 1.0]
