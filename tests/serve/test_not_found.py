from __future__ import annotations

from contracts.evidence import Candidate, NotFoundReason
from contracts.filters import Scope
from contracts.plans import Computation, Computed, Plan
from serve.arbitrate import arbitrate
from serve.keyword_detector import absent_terms
from serve.not_found import NotFoundVerdict, judge
from serve.quote import quote
from tests.serve.passages import HYBRID, ScriptedEncoder, asked, index_of, passage

POLICY = passage("Every employee earns 18 working days of annual leave.", "2 Annual leave", doc="Policy.pdf")
CONTRACT = passage("Either party may terminate by giving 60 days written notice.", "6.2 Termination")
COUNT = Computation(computed=Computed(op="count", value="12", plan=Plan(op="count")), text="12 employees.")


def decide(
    text: str,
    *candidates: Candidate,
    encoder: ScriptedEncoder | None = None,
    computation: Computation | None = None,
    **more: object,
) -> NotFoundVerdict | None:
    question = asked(text)
    index, sparse = index_of(*candidates)
    result = arbitrate(question, candidates, HYBRID)
    absent = absent_terms(question, index, Scope(), sparse)
    quoted = quote(question, result.candidates, result.contradictions, encoder)
    more = {"documents": 2, **more}
    return judge(question, result.candidates, absent=absent, computation=computation, quoted=quoted, **more)  # type: ignore[arg-type]


def test_an_answer_is_not_refused() -> None:
    assert decide("How many vacation days do I get?", POLICY, CONTRACT, encoder=ScriptedEncoder(Every=4.0)) is None


def test_no_documents() -> None:
    found = decide("How many vacation days do I get?", POLICY, documents=0)
    assert found is not None and found.reason is NotFoundReason.NO_DOCUMENTS


def test_a_period_that_no_document_has() -> None:
    found = decide("How many employees in June?", POLICY, missing=("no register for 2025-06; there are: 2025-04",))
    assert found is not None and found.reason is NotFoundReason.NO_DOCUMENTS
    assert found.text == "Not found: no register for 2025-06; there are: 2025-04."


def test_an_absent_subject_lists_its_names_and_the_scope() -> None:
    found = decide(
        "What does the handbook say about data breaches?",
        POLICY,
        encoder=ScriptedEncoder(Every=9.0),
        scope="doc_type = policy",
    )
    assert found is not None and found.reason is NotFoundReason.NO_KEYWORD_MATCH
    assert "data breaches (breach of data" in found.text.replace("data breach, ", "")
    assert found.searched.startswith("2 document(s) (doc_type = policy) for ")


def test_a_code_that_is_nowhere() -> None:
    found = decide("What is the net pay of ST013?", passage("ST012 earns 10."), computation=None)
    assert found is not None and found.reason is NotFoundReason.NO_KEYWORD_MATCH and "ST013" in found.text


def test_a_code_of_another_period_does_not_count() -> None:
    april = passage("ST012 earns 10.").model_copy(update={"period": "2025-04"})
    found = decide("What is the net pay of ST012 in March 2025?", april)
    assert found is not None and found.text == "Not found: ST012 is in no document for 2025-03."


def test_a_name_that_nobody_has() -> None:
    basic = passage("The basic pay of Vihaan Reddy was revised to 5,000.00.")
    found = decide("What is the basic pay of Priya Menon?", basic, encoder=ScriptedEncoder(Vihaan=4.0))
    assert found is not None and "Priya Menon" in found.text


def test_what_was_computed_stands() -> None:
    assert decide("How many employees are there?", POLICY, computation=COUNT) is None


def test_a_clear_plan_without_a_value() -> None:
    empty = Computation(absent=True, text="The cell is empty.")
    found = decide("What is the local transport limit?", POLICY, computation=empty)
    assert found is not None and found.reason is NotFoundReason.NOT_IN_EVIDENCE and "The cell is empty" in found.text


def test_a_count_that_could_not_be_planned_is_not_answered_from_prose() -> None:
    declined = Computation(declined="no table holds directors")
    found = decide(
        "How many employees are directors?", POLICY, computation=declined, encoder=ScriptedEncoder(Every=9.0)
    )
    assert found is not None and found.reason is NotFoundReason.NOT_IN_EVIDENCE


def test_nearest_passage_that_does_not_read_as_an_answer() -> None:
    found = decide("Is the notice sent by pigeon or drone?", CONTRACT, encoder=ScriptedEncoder())
    assert found is not None
    assert found.reason in (NotFoundReason.LOW_CONFIDENCE, NotFoundReason.NO_KEYWORD_MATCH)


def test_unknown_words_are_forgiven_when_it_reads_as_an_answer() -> None:
    encoder = ScriptedEncoder(Either=5.0)
    assert (
        decide(
            "How can somebody bail out of the deal?", CONTRACT.model_copy(update={"rerank_logit": 5.0}), encoder=encoder
        )
        is None
    )


BONUS = passage("A bonus of up to 10 percent may be awarded.", "2.1.2 Bonus")
REFERRAL = passage("A referral of a candidate is rewarded with EUR 1,500.", "1 Recruitment", doc="Handbook.pdf")


def test_another_kind_of_the_subject_is_not_the_one_asked_for() -> None:
    found = decide("How much is the referral bonus?", BONUS, REFERRAL, encoder=ScriptedEncoder(bonus=-5.0))
    assert found is not None and found.reason is NotFoundReason.NOT_IN_EVIDENCE
    assert "do not speak of referral bonus" in found.text


def test_the_kind_is_forgiven_where_the_passage_reads_as_an_answer() -> None:
    assert decide("How much is the referral bonus?", BONUS, REFERRAL, encoder=ScriptedEncoder(bonus=2.0)) is None


def test_a_look_up_of_a_person_needs_one() -> None:
    form = passage("Invoice number: NL-2025-103.", doc="NL-2025-103.pdf")
    found = decide("Who is the buyer of invoice NL-2025-103?", form, encoder=ScriptedEncoder(Invoice=3.0))
    assert found is not None


def test_a_qualifier_behind_the_subject_says_which_is_meant() -> None:
    late = passage("Overdue amounts bear a penalty of 1.5 percent.", "2.2.2 Late payment")
    goods = passage("The delivery is accepted within 10 days.", "1.2 Acceptance", line=9)
    found = decide("What is the penalty for late delivery?", late, goods, encoder=ScriptedEncoder(Overdue=-5.0))
    assert found is not None and "do not speak of penalty and delivery together" in found.text
    assert decide("What is the penalty for late payment?", late, goods, encoder=ScriptedEncoder(Overdue=5.0)) is None


def test_a_question_for_a_passage_is_not_told_of_columns() -> None:
    declined = Computation(declined="no column answers it")
    found = decide("What does the amendment say about confidentiality?", CONTRACT, computation=declined)
    assert found is not None and "column" not in found.text
