from __future__ import annotations

from contracts.evidence import Role
from serve.arbitrate import arbitrate
from tests.serve.passages import HYBRID, asked, passage

CAP = passage(
    "The aggregate liability of the Provider shall not exceed INR 50,00,000.",
    "5 Liability and insurance",
    "5.1 Liability cap",
)
EXCLUSIONS = passage(
    "The liability cap does not apply to fraud.", "5 Liability and insurance", "5.1.2 Exclusions", line=4
)
INSURANCE = passage(
    "The Provider maintains public liability insurance of INR 75,00,000.", "5.2 Insurance", line=8
)  # fmt: skip
CANTEEN = passage("The canteen opens at noon.", line=20)


def roles(text: str, *candidates: object) -> dict[str, tuple[Role | None, str]]:
    result = arbitrate(asked(text), candidates, HYBRID)  # type: ignore[arg-type]
    return {c.chunk.text: (c.role, c.reason) for c in result.candidates}


def test_the_liability_cap_is_not_the_insurance_cap() -> None:
    given = roles("What is the liability cap?", INSURANCE, EXCLUSIONS, CAP, CANTEEN)
    assert given[CAP.chunk.text] == (Role.PRIMARY, "its section is titled “5.1 Liability cap”")
    assert given[EXCLUSIONS.chunk.text] == (Role.SUPPORTING, "names liability cap but holds no amount")
    assert given[INSURANCE.chunk.text][0] in (Role.TANGENTIAL, Role.DISCARDED)
    assert given[CANTEEN.chunk.text] == (Role.DISCARDED, "no word of the question is in it")


def test_primary_comes_first_and_every_candidate_has_one_verdict() -> None:
    result = arbitrate(asked("What is the liability cap?"), [CANTEEN, EXCLUSIONS, CAP], HYBRID)
    assert [c.chunk.text for c in result.candidates] == [CAP.chunk.text, EXCLUSIONS.chunk.text, CANTEEN.chunk.text]
    assert all(c.role and c.reason and c.anchor and c.context for c in result.candidates)
    assert [a.candidate_id for a in result.audit.candidates] == [c.candidate_id for c in result.candidates]
    assert result.audit.arbiter == "rules" and result.audit.methods_skipped == ("outline", "keywords")


def test_what_reads_as_an_answer_supports_without_the_words() -> None:
    found = passage("Fathers may stay at home for 15 days.").model_copy(update={"rerank_logit": 2.0})
    doubtful = passage("The canteen opens at noon.", line=9).model_copy(
        update={"rerank_logit": -9.0, "methods": ("dense",)}
    )
    given = roles("How long is the sabbatical?", found, doubtful)
    assert given[found.chunk.text][0] is Role.PRIMARY
    assert given[doubtful.chunk.text] == (
        Role.DISCARDED,
        "only embeddings found it and no word of the question is in it",
    )


def test_a_code_makes_its_chunk_primary() -> None:
    row = passage("| ST004 | Ananya | 65,640.00 |", kind="table", line=5)
    assert roles("What is the net pay of ST004?", CANTEEN, row)[row.chunk.text] == (Role.PRIMARY, "holds ST004")


def test_no_candidates() -> None:
    result = arbitrate(asked("What is the liability cap?"), [], HYBRID)
    assert result.candidates == () and result.contradictions == ()


def test_what_replaces_a_clause_of_the_evidence_is_evidence() -> None:
    clause = passage("Invoices are payable within 30 days of receipt.", "2.2.1 Due date")
    change = passage("Clause 2.2.1 is replaced: they are payable within 45 days.", "2 Payment", doc="Amendment_1.pdf")
    other = passage("Clause 9.9 is replaced: the car is electric.", "3 Car", doc="Amendment_1.pdf", line=9)
    result = arbitrate(asked("When are invoices due?"), [clause, change, other], HYBRID)
    roles = {c.candidate_id: (c.role, c.reason) for c in result.candidates}
    assert roles[change.candidate_id] == (Role.SUPPORTING, "changes a clause of Contract.pdf")
    assert roles[other.candidate_id][0] not in (Role.PRIMARY, Role.SUPPORTING)
