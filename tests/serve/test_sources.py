from __future__ import annotations

import pytest

from serve.sources import of_source
from tests.serve.passages import asked, document, passage

CONTRACT = passage("Each party keeps information confidential.", doc="Contract.pdf")
AMENDMENT = passage("Clause 4.1 is replaced.", doc="Amendment_1.pdf")
HANDBOOK = passage("Core hours are from 10 to 15.", doc="Handbook.pdf").model_copy(update={"doc_type": "policy"})
POOL = (CONTRACT, AMENDMENT, HANDBOOK)
DOCUMENTS = [document("Contract.pdf", "contract"), document("Handbook.pdf", "policy")]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What does the amendment say about confidentiality?", ["Amendment_1.pdf"]),
        ("Did the amendment change the liability cap?", ["Amendment_1.pdf"]),
        ("What does the handbook say about the non-compete?", ["Handbook.pdf"]),
        ("According to the contract, what is confidential?", ["Contract.pdf", "Amendment_1.pdf"]),
        ("¿Qué dice la política sobre el horario?", ["Handbook.pdf"]),
        ("How long is the non-compete after the amendment?", ["Contract.pdf", "Amendment_1.pdf", "Handbook.pdf"]),
        ("When are invoices due?", ["Contract.pdf", "Amendment_1.pdf", "Handbook.pdf"]),
        ("What does the provider say?", ["Contract.pdf", "Amendment_1.pdf", "Handbook.pdf"]),
    ],
)
def test_the_source_that_a_question_names(question: str, expected: list[str]) -> None:
    assert [c.doc_name for c in of_source(asked(question, DOCUMENTS), POOL)] == expected
