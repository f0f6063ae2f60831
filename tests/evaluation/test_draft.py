"""Drafted golden sets: what the documents themselves give, and nothing that a table does not prove."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from contracts.errors import InputError
from evaluation.corpus import SAMPLES
from evaluation.draft import HEADER, draft, draft_text
from evaluation.golden import load_golden


def test_the_samples_give_counts_sums_look_ups_absences_and_paraphrases(tmp_path: Path) -> None:
    golden, problems = draft(SAMPLES)
    assert problems == ()
    by_id = {q.id: q for q in golden.questions}
    assert by_id["salary-register-april-2025-count"].expect.value == 12  # type: ignore[union-attr]
    assert by_id["salary-register-april-2025-sum-7"].expect.value == Decimal("971250.00")  # type: ignore[union-attr]
    assert by_id["salary-register-april-2025-lookup-7"].expect.value == "55,460.00"  # type: ignore[union-attr]
    assert by_id["salary-register-april-2025-absent"].question.startswith("What is the Net Pay of ST912")
    assert any(q.paraphrase for q in golden.questions)
    path = tmp_path / "draft.yaml"
    path.write_text(draft_text(golden), encoding="utf-8")
    assert path.read_text(encoding="utf-8").startswith(HEADER)
    assert load_golden(path) == golden


def test_columns_that_no_printed_total_proves_are_not_summed() -> None:
    golden, _ = draft(SAMPLES / "invoices")
    assert [q.id for q in golden.questions if "-sum-" in q.id] == []  # rates, tax codes, serial numbers


def test_a_broken_file_is_named_and_the_rest_is_drafted(tmp_path: Path) -> None:
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    (tmp_path / "people.csv").write_text("Emp ID,Name,Pay\nE001,Ann,100\nE002,Bo,250\nTotal,,350\n")
    golden, problems = draft(tmp_path)
    assert ["broken.pdf" in p for p in problems] == [True]
    assert {q.documents for q in golden.questions if q.answerable} == {("people.csv",)}


def test_a_folder_without_questions_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no document here gives a question"):
        draft(tmp_path)
