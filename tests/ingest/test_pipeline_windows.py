"""Windows are added to documents that are there, and kept up for those that come."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ingest.test_pipeline import Run, make_pdf, only

TEXTS = [f"Rule {n} holds for all." for n in range(1, 7)]
"""Six sentences: 5 windows of 2, 2 of 4, 1 of 8."""


@pytest.fixture
def run(tmp_path: Path) -> Run:
    make_pdf(tmp_path / "docs" / "policy.pdf", *TEXTS)
    return Run(tmp_path / "docs")


def sizes(run: Run, name: str = "policy.pdf") -> list[int]:
    return sorted(e.chunk.granularity for e in run.index.embedded[run.index.named(name).document.doc_id])


def test_windows_come_with_the_document(run: Run) -> None:
    report = only(run(granularities=(2, 4, 8, 16)))
    assert sizes(run) == [0, 2, 2, 2, 2, 2, 4, 4, 8]
    assert (report.chunks, report.windows) == (1, 8)
    assert run.index.named("policy.pdf").document.granularities == (2, 4, 8, 16)


def test_windows_are_added_without_touching_what_is_there(run: Run) -> None:
    run()
    before = run.index.embedded[run.index.named("policy.pdf").document.doc_id]
    report = only(run(granularities=(2, 8)))
    assert (report.status, report.detail) == ("changed", "windows of 2, 8 sentences added")
    assert run.index.puts == ["policy.pdf"]  # the first run's
    assert run.index.added == [("policy.pdf", 6)]
    assert run.index.embedded[run.index.named("policy.pdf").document.doc_id][: len(before)] == before
    assert sizes(run) == [0, 2, 2, 2, 2, 2, 8]


def test_only_missing_sizes_are_added(run: Run) -> None:
    run(granularities=(2,))
    run(granularities=(2, 4))
    assert run.index.added == [("policy.pdf", 2)]


def test_asking_again_changes_nothing_also_where_a_document_is_too_short(run: Run) -> None:
    run(granularities=(2, 32))
    assert only(run(granularities=(2, 32))).status == "unchanged"
    run(granularities=(2, 32, 64))
    assert run.index.added == [("policy.pdf", 0)]
    assert only(run(granularities=(2, 32, 64))).status == "unchanged"


def test_without_the_setting_what_the_index_has_is_kept_up(run: Run) -> None:
    run(granularities=(2,))
    make_pdf(run.folder / "other.pdf", "Another rule holds.", "And one more.")
    make_pdf(run.folder / "policy.pdf", *TEXTS, "Rule 7 holds for all.")
    run()
    assert sizes(run, "other.pdf") == [0, 2]
    assert sizes(run) == [0, 2, 2, 2, 2, 2, 2]
