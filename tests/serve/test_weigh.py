from __future__ import annotations

import pytest

from contracts.evidence import Role
from serve.weigh import coverage_of, weigh
from tests.serve.passages import ScriptedEncoder, asked, passage


def weighed(question: str, text: str, *titles: str, encoder: ScriptedEncoder | None = None) -> list[tuple[str, float]]:
    found = passage(text, *titles).model_copy(update={"role": Role.PRIMARY})
    return [(w.unit.text, w.score) for w in weigh(asked(question), [found], encoder, 1000.0)]


def test_a_value_next_to_the_subject_comes_first() -> None:
    near = "New employees serve a probationary period of six months."
    far = "After probation the notice given is one month."
    assert [t for t, _ in weighed("How long is probation?", f"{far}\n{near}")] == [near, far]


def test_nearness_counts_the_words_between() -> None:
    found = passage("Probation of six months.").model_copy(update={"role": Role.PRIMARY})
    (one,) = weigh(asked("How long is probation?"), [found], None, 1000.0)
    assert one.nearness == pytest.approx(1 / 2)  # `of` stands between


def test_concepts_count_double() -> None:
    question = asked("How many vacation days survive?")
    assert coverage_of(question, [question.keywords[0]]) == pytest.approx(2 / 3)


def test_only_the_question_s_language_is_read() -> None:
    encoder = ScriptedEncoder()
    weighed("¿Cuántos días de vacaciones tengo?", "Las vacaciones son de 23 días.", encoder=encoder)
    assert encoder.read == []


def test_past_the_budget_words_decide() -> None:
    class Slow(ScriptedEncoder):
        def score(self, question: str, texts: object, budget_ms: float) -> None:  # type: ignore[override]
            return None

    found = weighed("How many days of annual leave?", "Lunch is at noon.\nAnnual leave is 20 days.", encoder=Slow())
    assert found[0][0] == "Annual leave is 20 days."


def test_a_label_that_is_asked_for_comes_before_the_number_of_the_form() -> None:
    encoder = ScriptedEncoder(Invoice_number=5.0, Buyer=-9.0)
    text = "Invoice number: NL-2025-103.\nBuyer: Hanse Holz Handel GmbH."
    found = weighed("Who is the buyer of invoice NL-2025-103?", text, encoder=encoder)
    assert found[0][0] == "Buyer: Hanse Holz Handel GmbH."


def test_what_an_amendment_changes_is_what_names_the_clause() -> None:
    encoder = ScriptedEncoder(This_Amendment=4.0, Clause=-9.0)
    text = "This Amendment is made on 15 May 2025.\nClause 2.1 is replaced: the fee is EUR 90."
    found = weighed("What does the amendment change?", text, encoder=encoder)
    assert found[0][0] == "Clause 2.1 is replaced: the fee is EUR 90."


def test_a_note_on_another_row_is_not_weighed() -> None:
    register = passage("| Name | Net |\n| Jonas Brandt | 2,170 |\n| Mia Schulz | 2,080 |", kind="table")
    note = passage("Jonas Brandt was on leave for two days.", line=9)
    pool = [c.model_copy(update={"role": Role.PRIMARY}) for c in (register, note)]
    assert weigh(asked("How many days of leave did Mia Schulz take?"), pool, None, 1000.0) == ()
    assert len(weigh(asked("How many days of leave did Jonas Brandt take?"), pool, None, 1000.0)) == 1


def test_a_label_is_a_text_answer_too() -> None:
    encoder = ScriptedEncoder(Invoice_number=5.0, Seller=-9.0)
    found = weighed(
        "What is the seller on invoice NL-2025-103?", "Invoice number: NL-2025-103.\nSeller: Nord AG.", encoder=encoder
    )
    assert found[0][0] == "Seller: Nord AG."


def test_a_passage_speaks_for_no_sentence_that_is_far_from_the_question() -> None:
    found = passage("Made on 12 February 2024.", "Terms").model_copy(update={"role": Role.PRIMARY, "rerank_logit": 6.7})
    far, near = (
        weigh(asked("When does the employment start?"), [found], ScriptedEncoder(Made=logit), 1000.0)[0].reads
        for logit in (-6.3, -5.0)
    )
    assert (far, near) == (-6.3, 6.7)


def test_a_section_titled_like_the_question_is_on_its_subject() -> None:
    found = passage("Deliverables count as accepted after 10 days.", "1.2 Acceptance").model_copy(
        update={"role": Role.PRIMARY}
    )
    (one,) = weigh(asked("What does the contract say about acceptance?"), [found], None, 1000.0)
    assert one.subject
    (other,) = weigh(asked("What does the contract say about acceptance fees?"), [found], None, 1000.0)
    assert not other.subject


def test_a_title_is_no_word_on_a_named_person() -> None:
    found = passage("Half of it is paid in June.", "1 Acceptance").model_copy(update={"role": Role.PRIMARY})
    plain, named, coded = (
        weigh(asked(text), [found], None, 1000.0)[0].subject
        for text in (
            "What is the acceptance?",
            "What is the acceptance of Karl Weiss?",
            "What is the acceptance of NW07?",
        )
    )
    assert (plain, named, coded) == (True, False, False)


def test_a_name_inside_the_document_must_be_spoken_of() -> None:
    """The company is named on every page; the loan asked for is not, and another loan's rate is not its rate."""
    question = asked("What is the interest rate of the Orchid Term Loan?")
    question = question.model_copy(update={"names": ("Orchid", "Term Loan"), "inner": ("Term Loan",)})
    text = "The interest rate of the lease is 3.1 %.\nThe interest rate of the Term Loan is 6.1 %."
    found = passage(text).model_copy(update={"role": Role.PRIMARY})
    assert [w.unit.text for w in weigh(question, [found], None, 100.0)] == [text.splitlines()[1]]


def test_a_sentence_that_says_no_more_than_the_question_is_no_answer() -> None:
    assert weighed("Which legal proceedings are there?", "Legal proceedings.\nThe legal proceedings.") == []
