"""The pipeline on a real index: what was promised by the stand-in holds in the store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contracts.protocols import Index
from contracts.settings import load_settings
from ingest.pipeline import ingest
from ingest.report import IngestReport
from ingest.workers import run_here
from store.open import open_index
from tests.ingest.fakes import FakeDense, FakeSparse, load_fakes
from tests.ingest.test_pipeline import make_pdf, manifest


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    settings, _ = load_settings({}, overrides={"data_dir": tmp_path / "data"})
    opened = open_index(settings, {"dimension": "4"}, create=True)
    yield opened
    opened.close()


def run(folder: Path, index: Index, **settings: object) -> IngestReport:
    in_force, _ = load_settings({}, overrides=settings)
    return ingest([folder], in_force, index, dense=FakeDense(), sparse=FakeSparse(), load=load_fakes, run=run_here)


def test_a_folder_goes_in_once_and_stays_the_same(tmp_path: Path, index: Index) -> None:
    folder = tmp_path / "docs"
    make_pdf(folder / "a.pdf", "First text.")
    make_pdf(folder / "b.pdf", "Second text.")
    assert run(folder, index).totals.by_status == {"added": 2}
    before = (index.version, index.documents(), index.chunks())
    assert run(folder, index).totals.by_status == {"unchanged": 2}
    assert (index.version, index.documents(), index.chunks()) == before


def test_other_chunk_settings_leave_no_old_chunk_behind(tmp_path: Path, index: Index) -> None:
    make_pdf(tmp_path / "docs" / "a.pdf", *[f"Line {n:02d} of the text that is cut into chunks." for n in range(20)])
    run(tmp_path / "docs", index)
    few = index.chunks()
    report = run(tmp_path / "docs", index, chunk_size=150, chunk_overlap=0)
    many = index.chunks()
    assert (len(few), len(many)) == (1, report.documents[0].chunks)
    assert max(len(chunk.text) for chunk in many) <= 150
    run(tmp_path / "docs", index)
    assert index.chunks() == few


def test_changed_groups_reach_every_point(tmp_path: Path, index: Index) -> None:
    from contracts.filters import Caller

    make_pdf(tmp_path / "docs" / "a.pdf", "Text.")
    run(tmp_path / "docs", index)
    manifest(tmp_path / "docs", '- {match: "*", groups: [hr]}')
    assert run(tmp_path / "docs", index).documents[0].status == "changed"
    outsider = Caller(role="asker", groups=("everyone",)).scope()
    insider = Caller(role="asker", groups=("hr",)).scope()
    assert (len(index.chunks(outsider)), len(index.chunks(insider))) == (0, 1)
    assert (index.documents(outsider), index.lines(index.documents()[0].doc_id, scope=outsider)) == ((), ())


def test_a_moved_file_leaves_nothing_at_its_old_place(tmp_path: Path, index: Index) -> None:
    folder = tmp_path / "docs"
    old = make_pdf(folder / "a.pdf", "Text.")
    run(folder, index)
    old.rename(folder / "b.pdf")
    run(folder, index)
    (document,) = index.documents()
    assert (document.name, document.source, document.warnings) == ("b.pdf", str(folder / "b.pdf"), ())
    assert run(folder, index).totals.by_status == {"unchanged": 1}


def test_new_content_at_the_same_place_replaces_the_old(tmp_path: Path, index: Index) -> None:
    folder = tmp_path / "docs"
    make_pdf(folder / "a.pdf", "Old text.")
    run(folder, index)
    make_pdf(folder / "a.pdf", "New text.")
    run(folder, index)
    assert [chunk.text for chunk in index.chunks()] == ["New text."]
    assert len(index.documents()) == 1
