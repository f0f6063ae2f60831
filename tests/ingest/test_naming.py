from __future__ import annotations

import pytest

from contracts.documents import Document, Section
from ingest.naming import chunk_id, period_words, prefix_of, section_paths


def document(**fields: str) -> Document:
    return Document(**{"doc_id": "d", "name": "reg.pdf", "source": "s", **fields})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("period", "words"),
    [(None, ""), ("2025-04", "April 2025"), ("2025-Q1", "Q1 2025"), ("2025-26", "FY 2025-26"), ("2025", "2025")],
)
def test_periods_are_said_as_a_question_says_them(period: str | None, words: str) -> None:
    assert period_words(period) == words


def test_a_prefix_says_every_name_once() -> None:
    named = document(
        title="Salary Register", name="Salary_Register_April_2025.pdf", period="2025-04", doc_type="payroll"
    )
    # The file's name adds the month to the title, the period adds nothing to the file's name.
    assert prefix_of(named, "Deductions", "salary register") == (
        "Salary Register · Salary Register April 2025 · payroll · Deductions"
    )


def test_a_long_title_leaves_room_for_section_and_table() -> None:
    prefix = prefix_of(document(title="word " * 60), "Deductions", "Annexure A")
    assert len(prefix) <= 240 and prefix.endswith("Deductions · Annexure A")


def test_a_path_runs_from_the_top_down_and_survives_a_circle() -> None:
    outline = [
        Section(section_id="a", level=1, title="Non-compete", page=1, line=1),
        Section(section_id="b", level=2, title="Period", page=1, line=2, parent="a"),
        Section(section_id="c", level=1, title="Loop", page=1, line=3, parent="c"),
    ]
    assert section_paths(outline) == {"a": "Non-compete", "b": "Non-compete › Period", "c": "Loop"}


def test_ids_depend_on_document_kind_and_place_only() -> None:
    ids = {
        chunk_id("d", "prose", "1"),
        chunk_id("e", "prose", "1"),
        chunk_id("d", "table", "1"),
        chunk_id("d", "prose", "2"),
    }
    assert len(ids) == 4 and chunk_id("d", "prose", "1") in ids
