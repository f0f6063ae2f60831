from __future__ import annotations

from serve.quote_parts import combined, quote_parts
from tests.serve.passages import ScriptedEncoder, asked, passage

QUESTION = asked("What is the monthly fee and how long is the notice period?")
FEE = passage("The monthly fee is INR 2,40,000.", "2.1 Fees")
NOTICE = passage("The notice period is 60 days.", "6.2 Notice period", line=30)
ENCODER = ScriptedEncoder(monthly_fee=6.0, notice_period=5.0)


def answers(*candidates, refuse=lambda part, judged, quoted: None if quoted else "Not found: no passage."):
    return quote_parts(QUESTION, candidates, ENCODER, 1000, refuse)


def test_each_half_is_quoted_from_its_own_passage() -> None:
    quoted = combined(answers(NOTICE, FEE))
    assert quoted.text == "The monthly fee is INR 2,40,000. The notice period is 60 days."
    assert [c.line_start for c in quoted.citations] == [1, 30]
    assert quoted.unanswered == ()
    assert quoted.confidence == min(a.quoted.confidence for a in answers(NOTICE, FEE))


def test_a_half_that_is_refused_is_named() -> None:
    def refuse(part, judged, quoted):
        return "Not found: no document mentions it." if "notice" in part.text else None

    quoted = combined(answers(FEE, NOTICE, refuse=refuse))
    assert quoted.text == (
        "The monthly fee is INR 2,40,000. Not found (“how long is the notice period”): no document mentions it."
    )
    assert quoted.unanswered == ("how long is the notice period?",)


def test_two_refused_halves_are_no_quotation() -> None:
    assert combined(answers(FEE, NOTICE, refuse=lambda part, judged, quoted: "Not found: nothing.")) is None


def test_a_contradiction_of_one_half_is_kept_with_both_sides() -> None:
    amended = passage("Clause 6.2 is replaced: the notice period is 90 days.", "1 Notice", doc="Amendment_1.pdf")
    found = answers(FEE, NOTICE, amended)
    assert [bool(a.contradictions) for a in found] == [False, True]
    quoted = combined(found)
    assert quoted.contradicted
    assert "60 days" in quoted.text and "90 days" in quoted.text
