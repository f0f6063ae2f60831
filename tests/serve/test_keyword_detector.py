from __future__ import annotations

from contracts.filters import Match, Scope
from serve.keyword_detector import absent_terms, diverges, find_cooccurrence, inflections
from tests.serve.passages import asked, index_of, passage

POLICY = passage("Every employee earns 18 days of earned leave.", doc="Policy.pdf")
CONTRACT = passage("Either party may terminate with 60 days written notice.", "6.2 Termination")
CANTEEN = passage("The canteen serves lunch at noon.", doc="Canteen.pdf")


def absent(text: str, scope: Scope = Scope()) -> list[str]:
    index, sparse = index_of(POLICY, CONTRACT, CANTEEN)
    return [a.term for a in absent_terms(asked(text), index, scope, sparse)]


def test_a_synonym_is_presence() -> None:
    assert absent("How many vacation days do I get?") == []


def test_what_stands_nowhere_is_absent_with_all_its_names() -> None:
    index, sparse = index_of(POLICY, CONTRACT, CANTEEN)
    (found,) = absent_terms(asked("What about data breaches?"), index, Scope(), sparse)
    assert found.concept == "data_breach" and {"data breaches", "security incident"} <= set(found.tried)
    assert str(found).startswith("data breaches (")


def test_words_of_a_phrase_apart_are_not_the_phrase() -> None:
    index, sparse = index_of(passage("The notice is given. A period of rest follows for notice boards."))
    assert [a.term for a in absent_terms(asked("trial period?"), index, Scope(), sparse)] == ["trial period"]


def test_other_forms_of_a_word_are_the_word() -> None:
    index, sparse = index_of(passage("The supervisor approved it."))
    assert absent_terms(asked("Who approves?"), index, Scope(), sparse) == ()


def test_absence_is_proven_inside_the_scope_only() -> None:
    assert absent("canteen", Scope(must=(Match(field="doc_id", any_of=("Policy.pdf",)),))) == ["canteen"]
    assert absent("canteen") == []


def test_what_is_known_is_not_searched() -> None:
    index, sparse = index_of(CONTRACT)
    known = [passage("A sabbatical is unpaid.").chunk]
    assert absent_terms(asked("Can I take a sabbatical?"), index, Scope(), sparse, known) == ()


def test_keywords_that_stand_together_come_first() -> None:
    index, sparse = index_of(POLICY, CONTRACT, CANTEEN)
    hits = find_cooccurrence(asked("Who can terminate by written notice?"), index, Scope(), 5, sparse=sparse)
    assert [h.chunk.doc_id for h in hits] == ["Contract.pdf"]
    assert set(hits[0].matched_keywords) == {"terminate", "written", "notice"}
    assert hits[0].score == 1.0


def test_one_of_several_keywords_is_not_enough() -> None:
    index, sparse = index_of(CANTEEN)
    assert find_cooccurrence(asked("Does the canteen accept vouchers?"), index, Scope(), 5, sparse=sparse) == []


def test_no_keywords_no_hits() -> None:
    index, sparse = index_of(CANTEEN)
    assert find_cooccurrence(asked("what is it?"), index, Scope(), 5, sparse=sparse) == []


def test_inflections_share_the_stem() -> None:
    assert {"approve", "approved", "approves", "approving"} <= set(inflections("approves"))


def test_divergence_is_most_words_missing() -> None:
    index, sparse = index_of(CANTEEN)
    question = asked("zeppelin hangar canteen")
    assert diverges(question, absent_terms(question, index, Scope(), sparse))
    question = asked("canteen lunch zeppelin")
    assert not diverges(question, absent_terms(question, index, Scope(), sparse))
