from __future__ import annotations

import pytest

from compression.terms import contains_phrase, content_stems, stem, stems, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("employee", "employees"), ("policy", "policies"), ("leave", "leaves"), ("tax", "taxes"), ("expense", "expenses"),
        ("reimburse", "reimbursement"), ("reimbursed", "reimbursement"), ("cap", "capped"), ("terminate", "termination"),
        ("amend", "amended"), ("vacacion", "vacaciones"), ("empleado", "empleados"), ("bill", "billing"),
    ],
)  # fmt: skip
def test_forms_of_one_word_share_a_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize(
    ("one", "other"), [("leave", "live"), ("gross", "gro"), ("st001", "st01"), ("insure", "liable")]
)
def test_different_words_do_not(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_words_fold_case_accents_and_possessives() -> None:
    assert words("The Employee's NÓMINA: 1,250.50 and ST-001") == [
        "the", "employee", "nomina", "1,250.50", "and", "st", "001",
    ]  # fmt: skip


def test_content_leaves_function_words_out() -> None:
    assert content_stems("What is the notice period?") == stems("notice period")


def test_a_phrase_needs_its_words_side_by_side() -> None:
    text = stems("days of earned leave")
    assert contains_phrase(text, stems("earned leaves"))
    assert not contains_phrase(text, stems("days leave"))
    assert not contains_phrase(text, ())
