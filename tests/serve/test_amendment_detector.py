from __future__ import annotations

from contracts.filters import Scope
from serve.amendment_detector import amending, find_amendments
from tests.serve.passages import asked, document, index_of, passage

CONTRACT = passage("Invoices are payable within 30 days.", "2.2.1 Due date", doc="Contract.pdf")
PAYMENT = passage("Clause 2.2.1 is replaced: invoices are payable within 45 days.", "2 Payment", doc="Amendment_1.pdf")
SALARY = passage("Clause 4.1 is replaced: the car is electric.", "3 Car", doc="Amendment_1.pdf", line=9)


def found(question: str) -> list[str]:
    index, sparse = index_of(CONTRACT, PAYMENT, SALARY)
    documents = amending(index.documents())
    hits = find_amendments(asked(question), documents, index, Scope(), sparse)
    assert all(c.methods == ("amendments",) for c in hits)
    return [c.chunk.section_title for c in hits]


def test_documents_that_say_so_amend() -> None:
    names = ["Contract.pdf", "Amendment_1.pdf", "Adenda_2025.pdf", "Second.pdf"]
    documents = [document(n, title="Addendum to the lease" if n == "Second.pdf" else "") for n in names]
    assert [d.name for d in amending(documents)] == ["Amendment_1.pdf", "Adenda_2025.pdf", "Second.pdf"]


def test_an_amendment_that_shares_a_word_is_found() -> None:
    assert found("When are invoices due?") == ["2 Payment"]


def test_all_of_it_is_found_when_the_question_is_what_it_changes() -> None:
    assert found("What does the amendment change?") == ["2 Payment", "3 Car"]


def test_nothing_without_an_amending_document() -> None:
    index, sparse = index_of(CONTRACT)
    assert find_amendments(asked("When are invoices due?"), (), index, Scope(), sparse) == ()
