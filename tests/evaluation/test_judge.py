"""Right is right and nothing else: each kind, with the near misses that must not pass."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from contracts.answers import Answer
from contracts.evidence import NotFoundReason
from evaluation.judge import judge, numbers_in
from tests.evaluation.builders import citing, computed, golden, quoted, refused

COUNT = {"kind": "count", "value": 12}
SUM = {"kind": "sum", "value": "971250", "unit": "INR"}
LIST = {"kind": "list", "items": ["ST003", "ST006"]}
CELL = {"kind": "lookup", "value": "55,460.00"}
FOUR = {"kind": "lookup", "value": "4"}
SPAN = {"kind": "span", "all_of": ["50,00,000", "cap|limit"], "none_of": ["75,00,000"]}


@pytest.mark.parametrize(
    ("expect", "answer"),
    [
        (COUNT, computed("The register lists 12 employees.", "12")),
        (COUNT, quoted("There are 12 employees (ST001 to ST012).")),
        (SUM, computed("Net pay adds up to 9,71,250.00.", "971250.00", "INR")),
        (SUM, computed("971,250.00 in total", "971250")),
        ({"kind": "number", "value": "15.67", "unit": "percent"}, computed("15.67 %", "15.67", "%")),
        ({"kind": "number", "value": "80878.64"}, computed("80,878.64", "80878.636")),
        (LIST, computed("ST006 Meera, ST003 Vihaan", "2")),
        (CELL, quoted("Net Pay of ST007: 55,460.00")),
        (CELL, quoted("It is 55460.")),
        (FOUR, quoted("Qty is 4.")),
        (SPAN, quoted("The liability   CAP is INR 50,00,000.")),
    ],
)
def test_right_answers(expect: dict[str, Any], answer: Answer) -> None:
    assert judge(golden(expect), answer).reason == ""


@pytest.mark.parametrize(
    ("expect", "answer", "reason"),
    [
        (COUNT, computed("There is 1 employee.", "1"), "computed 1, expected 12"),
        (COUNT, computed("There are some employees.", "12"), "the text does not state 12"),
        (COUNT, quoted("Employees ST001 to ST012 are listed."), "12 is not in the answer"),
        (COUNT, quoted("Of 14 positions 12 are filled."), "12 is one of 2 numbers"),
        (SUM, computed("9,71,250.00", "971250", "USD"), "unit USD, expected INR"),
        (SUM, computed("9,71,250.01", "971250.01"), "expected 971250"),
        (LIST, quoted("ST003"), "missing ST006"),
        (LIST, quoted("ST003, ST006 and ST010"), "also lists ST010"),
        (CELL, quoted("55,461.00"), "is not in the answer"),
        (FOUR, quoted("4,500 or 14 or 4.5"), "4 is not in the answer"),
        (SPAN, quoted("The cap is INR 50,00,000, insurance INR 75,00,000."), "says 75,00,000"),
        (SPAN, quoted("INR 50,00,000"), "does not say cap|limit"),
    ],
)
def test_near_misses_are_wrong_and_unmarked(expect: dict[str, Any], answer: Answer, reason: str) -> None:
    verdict = judge(golden(expect), answer)
    assert reason in verdict.reason
    assert verdict.wrong_unmarked


def test_a_mark_that_warns_excuses_and_one_about_the_machinery_does_not() -> None:
    wrong = computed("1", "1")
    warned = judge(golden(COUNT), wrong.model_copy(update={"degraded": ("rerank_timeout", "incomplete_coverage")}))
    silent = judge(golden(COUNT), wrong.model_copy(update={"degraded": ("rerank_timeout", "fusion_degenerate")}))
    assert (warned.correct, warned.wrong_unmarked) == (False, False)
    assert (silent.correct, silent.wrong_unmarked) == (False, True)


def test_not_found_is_right_only_where_nothing_is() -> None:
    absent = golden({"kind": "not_found"}, documents=[])
    assert judge(absent, refused()).correct
    assert judge(absent, quoted("30 days")).wrong_unmarked
    missed = judge(golden(COUNT), refused(not_found_reason=NotFoundReason.LOW_CONFIDENCE))
    assert (missed.correct, missed.wrong_unmarked) == (False, False)
    assert "low_confidence" in missed.reason


def test_not_found_for_another_reason_than_expected_is_wrong() -> None:
    absent = golden({"kind": "not_found", "reasons": ["no_documents"]}, documents=[])
    assert judge(absent, refused(not_found_reason=NotFoundReason.NO_DOCUMENTS)).correct
    assert not judge(absent, refused(not_found_reason=NotFoundReason.LOW_CONFIDENCE)).correct


def test_a_contradiction_needs_both_values_both_documents_and_the_mark() -> None:
    question = golden({"kind": "contradiction", "values": ["24 months", "12 months"]}, documents=["a.pdf", "b.pdf"])
    text = "24 months by the amendment, 12 months by the contract"
    whole = quoted(text, citations=citing("a.pdf", "b.pdf"), degraded=("contradiction",))
    assert judge(question, whole).correct
    assert judge(question, quoted("24 months")).reason == "does not give 12 months"
    assert judge(question, quoted(text, citations=citing("a.pdf", "b.pdf"))).reason == "the contradiction is not marked"
    assert judge(question, whole.model_copy(update={"citations": citing("a.pdf")})).reason == "does not cite b.pdf"


def test_numbers_leave_codes_out() -> None:
    assert numbers_in("ST001 of STL/2025-26/003 gets 1,25,000.50 or (7)") == {Decimal("125000.50"), Decimal(-7)}
