from __future__ import annotations

from serve.contradictions import asks_changes, find_contradictions, is_amendment, is_recital, replaces
from tests.serve.passages import asked, passage

CONTRACT = passage(
    "During the term and for 12 months after its end, the Provider shall not compete.",
    "4 Restrictive covenants", "4.1 Non-compete", "4.1.1 Period",
)  # fmt: skip
AMENDMENT = passage(
    "Clause 4.1.1 is replaced: for 24 months after its end, the Provider shall not compete.",
    "1 Change to the non-compete period", doc="Amendment_1.pdf",
)  # fmt: skip
QUESTION = asked("How long is the non-compete after the amendment?")


def test_the_amendment_holds() -> None:
    (found,) = find_contradictions(QUESTION, [CONTRACT, AMENDMENT])
    assert set(found.candidate_ids) == {CONTRACT.candidate_id, AMENDMENT.candidate_id}
    assert "12 months" in found.explanation and "24 months" in found.explanation
    assert found.explanation.endswith("Amendment_1.pdf amends the other and holds")


def test_equal_values_do_not_contradict() -> None:
    same = AMENDMENT.model_copy(
        update={"chunk": AMENDMENT.chunk.model_copy(update={"text": AMENDMENT.chunk.text.replace("24", "12")})}
    )
    assert find_contradictions(QUESTION, [CONTRACT, same]) == ()


def test_an_amendment_of_another_clause_says_nothing_of_this_one() -> None:
    other = AMENDMENT.model_copy(
        update={"chunk": AMENDMENT.chunk.model_copy(update={"text": AMENDMENT.chunk.text.replace("4.1.1", "9.3")})}
    )
    assert find_contradictions(QUESTION, [CONTRACT, other]) == ()


def test_neighbouring_clauses_under_one_heading_rule_different_matters() -> None:
    cap = passage(
        "The liability of the Provider shall not exceed INR 50,00,000.",
        "5 Liability and insurance",
        "5.1 Liability cap",
    )
    cover = passage(
        "The Provider maintains insurance of INR 75,00,000.", "5 Liability and insurance", "5.2 Insurance", line=9
    )
    assert find_contradictions(asked("What is the liability cap?"), [cap, cover]) == ()


def test_one_document_that_says_two_things() -> None:
    one = passage("The notice period is 30 days for all employees.", "3 Notice")
    two = passage("The notice period is 60 days for all employees.", "9 Leaving", line=40)
    (found,) = find_contradictions(asked("What is the notice period?"), [one, two])
    assert found.explanation.endswith("neither says that it replaces the other")


def test_what_an_amendment_is() -> None:
    assert is_amendment(AMENDMENT) and not is_amendment(CONTRACT)
    assert is_amendment(passage("La cláusula 3 queda modificada como sigue."))
    assert not is_amendment(passage("Changes are valid only in writing."))


def test_a_clause_that_was_replaced_is_contradicted_even_where_no_value_is_asked_for() -> None:
    (found,) = find_contradictions(asked("What are the non-compete terms?"), [CONTRACT, AMENDMENT])
    assert found.candidate_ids == (AMENDMENT.candidate_id, CONTRACT.candidate_id)
    assert "replaces Contract.pdf page 1" in found.explanation


def test_rows_are_not_contradicted_by_clauses() -> None:
    assert find_contradictions(asked("How many employees compete after the amendment?"), [CONTRACT, AMENDMENT]) == ()


def test_an_amendment_meets_the_contract_of_its_own_name() -> None:
    one = passage("4.1 The liability shall be limited to EUR 500,000.", "4. Liability", doc="MSA_Borealis.txt")
    two = passage("4.1 The liability shall be limited to EUR 750,000.", "4. Liability", doc="MSA_Cordillera.txt")
    new = passage(
        "Section 4.1 shall be amended to read: the liability shall be limited to EUR 900,000.", "1. Liability",
        doc="MSA_Borealis_Amendment.txt",
    )  # fmt: skip
    (found,) = find_contradictions(asked("What is the liability cap?"), [two, one, new])
    assert set(found.candidate_ids) == {one.candidate_id, new.candidate_id}


def test_the_kind_of_document_is_no_subject() -> None:
    begin = passage("The contract takes effect on 1 February 2025.", "6.1 Term")
    amending = passage("This amendment of the contract is made on 15 May 2025.", doc="Amendment_1.pdf")
    assert find_contradictions(asked("When was the contract signed?"), [begin, amending]) == ()


def test_one_rule_during_probation_and_one_after_it_both_hold() -> None:
    during = passage("During probation either party may end the employment with two weeks' notice.", "1.3 Probation")
    after = passage(
        "After probation either party may end the employment with three months' notice.", "5.1 Notice", line=40
    )
    assert find_contradictions(asked("How long is the notice period?"), [during, after]) == ()


def test_a_question_for_the_changes() -> None:
    assert asks_changes(asked("What does the amendment change?"))
    assert asks_changes(asked("What was changed by the amendments?"))
    assert asks_changes(asked("¿Qué cambia la adenda?"))
    assert not asks_changes(asked("How long is the non-compete after the amendment?"))
    assert not asks_changes(asked("Does the amendment change the notice period?"))


def test_an_amendment_replaces_the_clause_that_it_cites_in_another_document() -> None:
    assert replaces(AMENDMENT, CONTRACT)
    assert not replaces(CONTRACT, AMENDMENT)
    assert not replaces(AMENDMENT, passage("The term is 12 months.", "4.2 Term"))


def test_what_an_amendment_says_of_itself_is_a_recital() -> None:
    recital = "The parties amend the Service Contract with effect from 1 January 2025."
    amending = passage(recital, doc="Amendment_1.pdf")
    assert is_recital(asked("When does the employment start?"), amending, recital)
    assert not is_recital(asked("When was the amendment made?"), amending, recital)
    assert not is_recital(asked("When does it start?"), AMENDMENT, AMENDMENT.chunk.text)  # names the clause
    assert not is_recital(asked("When does the employment start?"), passage(recital), recital)  # in the contract
