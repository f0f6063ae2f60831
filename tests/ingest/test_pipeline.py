"""The pipeline as a whole, on PDFs made here, with stand-ins for encoders and index."""

from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from contracts.errors import StoreUnavailable
from contracts.settings import Settings, load_settings
from ingest.pipeline import ingest
from ingest.report import DocumentReport, IngestEvent, IngestReport
from ingest.walk import InputFile
from ingest.workers import run_here, run_in_processes
from tests.ingest.fakes import FakeDense, FakeIndex, FakeSparse, load_fakes


def make_pdf(path: Path, *texts: str, password: str | None = None) -> Path:
    """One page with a line of text for each of `texts`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    encrypt = StandardEncryption(password, canPrint=0) if password else None
    canvas = Canvas(str(path), encrypt=encrypt, invariant=1)
    for number, text in enumerate(texts):
        canvas.drawString(72, 760 - 16 * number, text)
    canvas.save()
    return path


def make_image_pdf(path: Path) -> Path:
    canvas = Canvas(str(path), invariant=1)
    canvas.rect(100, 100, 300, 300, fill=1)
    canvas.save()
    return path


class Run:
    """One index that is brought up to date again and again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.index = FakeIndex()

    def __call__(self, *paths: Path | InputFile, dense: str = "dense-1", **settings: object) -> IngestReport:
        prune = bool(settings.pop("prune", False))
        in_force, _ = load_settings({}, overrides=settings)
        return ingest(
            paths or [self.folder],
            in_force,
            self.index,  # type: ignore[arg-type]
            dense=FakeDense(dense),
            sparse=FakeSparse(),
            load=load_fakes,
            run=run_here,
            prune=prune,
        )


@pytest.fixture
def run(tmp_path: Path) -> Run:
    (tmp_path / "docs").mkdir()
    return Run(tmp_path / "docs")


def only(report: IngestReport) -> DocumentReport:
    (document,) = report.documents
    return document


def test_a_document_reaches_the_index_with_its_pages_lines_and_chunks(run: Run) -> None:
    make_pdf(run.folder / "Leave_Policy_2025.pdf", "Leave policy of the company.", "Twenty days a year.")
    document = only(run())
    assert (document.status, document.pages, document.chunks, document.tokens_cut) == ("added", 1, 1, 0)
    stored = run.index.named("Leave_Policy_2025.pdf").document
    assert (stored.doc_type, stored.groups, stored.period) == ("policy", ("everyone",), "2025")
    assert run.index.texts("Leave_Policy_2025.pdf") == ["Leave policy of the company.\nTwenty days a year."]
    assert run.index.finished == 1


def test_ingesting_twice_changes_nothing(run: Run) -> None:
    make_pdf(run.folder / "a.pdf", "First.")
    make_pdf(run.folder / "b.pdf", "Second.")
    run()
    before = dict(run.index.embedded)
    report = run()
    assert [d.status for d in report.documents] == ["unchanged", "unchanged"]
    assert run.index.embedded == before and len(run.index.puts) == 2


def test_a_changed_file_replaces_exactly_its_own_chunks(run: Run) -> None:
    make_pdf(run.folder / "a.pdf", "Old text.")
    make_pdf(run.folder / "b.pdf", "Other.")
    run()
    kept = run.index.embedded[run.index.named("b.pdf").document.doc_id]
    make_pdf(run.folder / "a.pdf", "New text.")
    report = run()
    assert [(d.name, d.status, d.detail) for d in report.documents] == [
        ("a.pdf", "changed", "new content"),
        ("b.pdf", "unchanged", ""),
    ]
    assert run.index.texts("a.pdf") == ["New text."]
    assert run.index.embedded[run.index.named("b.pdf").document.doc_id] == kept
    assert len(run.index.parsed) == 2


@pytest.mark.parametrize("changed", [{"chunk_size": 100, "chunk_overlap": 10}, {"dense": "dense-2"}])
def test_changed_settings_are_not_ignored(run: Run, changed: dict[str, object]) -> None:
    make_pdf(run.folder / "a.pdf", *["A line of some forty characters of text." for _ in range(9)])
    run()
    document = only(run(**changed))  # type: ignore[arg-type]
    assert (document.status, document.detail) == ("changed", "new settings")
    assert only(run(**changed)).status == "unchanged"  # type: ignore[arg-type]
    if "chunk_size" in changed:
        assert all(len(text) <= 100 for text in run.index.texts("a.pdf"))


def manifest(folder: Path, text: str) -> None:
    (folder / "manifest.yaml").write_text(text)


def test_a_changed_manifest_updates_the_document(run: Run) -> None:
    make_pdf(run.folder / "a.pdf", "Text.")
    run()
    manifest(run.folder, '- {match: "*", doc_type: contract, groups: [legal], period: "2024"}')
    document = only(run())
    assert (document.status, document.detail) == ("changed", "new metadata")
    stored = run.index.named("a.pdf").document
    assert (stored.doc_type, stored.groups, stored.period) == ("contract", ("legal",), "2024")


def test_a_manifest_that_disappears_does_not_open_its_documents(run: Run) -> None:
    make_pdf(run.folder / "a.pdf", "Text.")
    manifest(run.folder, '- {match: "*", doc_type: contract, groups: [legal]}')
    run()
    (run.folder / "manifest.yaml").unlink()
    document = only(run())
    stored = run.index.named("a.pdf").document
    assert (stored.doc_type, stored.groups) == ("docs", ("legal",))
    assert [w.code for w in document.warnings] == ["groups_kept"]
    assert only(run()).status == "unchanged"


def test_new_content_without_a_manifest_keeps_the_groups_of_the_old(run: Run) -> None:
    make_pdf(run.folder / "a.pdf", "Text.")
    manifest(run.folder, '- {match: "*", groups: [legal]}')
    run()
    (run.folder / "manifest.yaml").unlink()
    make_pdf(run.folder / "a.pdf", "New text.")
    run()
    assert run.index.named("a.pdf").document.groups == ("legal",)


def test_a_manifest_can_open_a_document_again(run: Run) -> None:
    make_pdf(run.folder / "a.pdf", "Text.")
    manifest(run.folder, '- {match: "*", groups: [legal]}')
    run()
    manifest(run.folder, '- {match: "*", groups: [everyone]}')
    assert only(run()).warnings == ()
    assert run.index.named("a.pdf").document.groups == ("everyone",)


def test_every_kind_of_broken_file_is_named_and_the_rest_is_ingested(run: Run, tmp_path: Path) -> None:
    whole = make_pdf(run.folder / "whole.pdf", "Good text.").read_bytes()
    (run.folder / "cut.pdf").write_bytes(whole[: len(whole) // 2])
    (run.folder / "empty.pdf").touch()
    (run.folder / "text.pdf").write_text("This was a text file.\n" * 20)
    make_pdf(run.folder / "locked.pdf", "Secret.", password="pw")
    make_image_pdf(run.folder / "scan.pdf")
    report = run()
    assert {d.name: d.status for d in report.documents} == {
        "cut.pdf": "failed",
        "empty.pdf": "failed",
        "text.pdf": "failed",
        "locked.pdf": "failed",
        "scan.pdf": "failed",
        "whole.pdf": "added",
    }
    assert report.exit_code == 4
    for document in report.documents:
        if document.status == "failed":
            assert document.detail.startswith(document.source) and len(document.detail) > len(document.source) + 20
    assert set(run.index.puts) == {"whole.pdf"}


def test_a_password_comes_from_the_environment(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    make_pdf(run.folder / "locked.pdf", "Secret salary.", password="open-sesame")
    manifest(run.folder, '- {match: "*", password_env: LOCKED_PDF}')
    monkeypatch.delenv("LOCKED_PDF", raising=False)
    assert "LOCKED_PDF" in only(run()).detail
    monkeypatch.setenv("LOCKED_PDF", "open-sesame")
    assert only(run()).status == "added"
    assert "open-sesame" not in run.index.named("locked.pdf").model_dump_json()


def test_a_file_that_breaks_keeps_its_former_version_and_says_so(run: Run) -> None:
    path = make_pdf(run.folder / "a.pdf", "Text.")
    run()
    path.write_bytes(b"")
    report = run()
    assert (only(report).status, [w.code for w in only(report).warnings]) == ("failed", ["stale_version"])
    assert run.index.texts("a.pdf") == ["Text."]


def test_a_deleted_file_is_reported_and_removed_when_asked(run: Run, tmp_path: Path) -> None:
    gone = make_pdf(run.folder / "a.pdf", "Text.")
    make_pdf(run.folder / "b.pdf", "Other.")
    elsewhere = make_pdf(tmp_path / "elsewhere" / "c.pdf", "Not below the folder.")
    run(run.folder, elsewhere)
    gone.unlink()
    elsewhere.unlink()
    report = run()
    assert (report.missing, report.pruned, len(run.index.parsed)) == ((str(gone),), (), 3)
    report = run(prune=True)
    assert (report.missing, report.pruned) == ((str(gone),), (str(gone),))
    assert {p.document.name for p in run.index.parsed.values()} == {"b.pdf", "c.pdf"}


def test_a_copy_is_a_duplicate_and_a_moved_file_is_the_same_document(run: Run) -> None:
    first = make_pdf(run.folder / "a.pdf", "Text.")
    (run.folder / "b.pdf").write_bytes(first.read_bytes())
    report = run()
    assert [(d.name, d.status, d.detail) for d in report.documents] == [
        ("a.pdf", "added", ""),
        ("b.pdf", "duplicate", f"the same bytes as {first}"),
    ]
    first.unlink()
    document = only(run())
    assert (document.name, document.status, document.detail) == ("b.pdf", "changed", f"moved from {first}")
    assert [p.document.name for p in run.index.parsed.values()] == ["b.pdf"]
    assert only(run()).status == "unchanged"


def test_when_the_owner_of_shared_bytes_changes_the_copy_takes_them_over(run: Run) -> None:
    first = make_pdf(run.folder / "a.pdf", "Text.")
    (run.folder / "b.pdf").write_bytes(first.read_bytes())
    run()
    make_pdf(first, "New text.")
    run()
    assert run.index.texts("a.pdf") == ["New text."] and run.index.texts("b.pdf") == ["Text."]


def test_a_copy_for_other_readers_is_worth_a_warning(run: Run) -> None:
    first = make_pdf(run.folder / "a.pdf", "Text.")
    (run.folder / "b.pdf").write_bytes(first.read_bytes())
    manifest(run.folder, '- {match: "a.pdf", groups: [legal]}')
    copy = run().documents[1]
    assert [w.code for w in copy.warnings] == ["duplicate_groups"]
    assert "legal" in copy.warnings[0].message and "everyone" in copy.warnings[0].message


def test_a_moved_file_does_not_open_to_everyone(run: Run) -> None:
    old = make_pdf(run.folder / "hr" / "a.pdf", "Text.")
    manifest(run.folder / "hr", '- {match: "*", groups: [hr]}')
    run()
    old.rename(run.folder / "a.pdf")
    run()
    assert run.index.named("a.pdf").document.groups == ("hr",)


def test_a_killed_run_goes_on_where_it_stopped(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "abc":
        make_pdf(run.folder / f"{name}.pdf", f"Text {name}.")
    put = run.index.put

    def fails_at_the_third(*args: object) -> None:
        if len(run.index.puts) == 2:
            raise StoreUnavailable("Qdrant is gone.")
        put(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(run.index, "put", fails_at_the_third)
    with pytest.raises(StoreUnavailable):
        run()
    monkeypatch.undo()
    report = run()
    assert sorted(d.status for d in report.documents) == ["added", "unchanged", "unchanged"]
    assert len(run.index.puts) == 3


def test_events_tell_the_progress(run: Run) -> None:
    make_pdf(run.folder / "a.pdf", "Text.")
    (run.folder / "b.pdf").touch()
    events: list[IngestEvent] = []
    settings: Settings = load_settings({})[0]
    ingest(
        [run.folder],
        settings,
        run.index,  # type: ignore[arg-type]
        dense=FakeDense(),
        sparse=FakeSparse(),
        listener=events.append,
        load=load_fakes,
        run=run_here,
    )
    assert [(e.kind, e.done, e.total, e.name) for e in events] == [
        ("planned", 0, 2, ""),
        ("started", 0, 2, "a.pdf"),
        ("finished", 1, 2, "a.pdf"),
        ("started", 1, 2, "b.pdf"),
        ("finished", 2, 2, "b.pdf"),
        ("done", 2, 2, ""),
    ]
    assert [e.document.status for e in events if e.document] == ["added", "failed"]


def test_worker_processes_give_the_same_as_one(run: Run) -> None:
    for n in range(4):
        make_pdf(run.folder / f"{n}.pdf", f"Text number {n}.")
    (run.folder / "bad.pdf").touch()
    run()
    other = FakeIndex()
    settings: Settings = load_settings({})[0]
    report = ingest(
        [run.folder],
        settings,
        other,  # type: ignore[arg-type]
        dense=FakeDense(),
        sparse=FakeSparse(),
        workers=2,
        load=load_fakes,
        run=run_in_processes,
    )
    assert report.workers == 2 and report.totals.by_status == {"added": 4, "failed": 1}
    assert (other.parsed, other.embedded) == (run.index.parsed, run.index.embedded)


def test_an_upload_replaces_what_was_uploaded_under_the_same_name(run: Run, tmp_path: Path) -> None:
    for content in ("Old.", "New."):
        path = make_pdf(tmp_path / "tmp" / "upload", content)
        run(InputFile(path=path.rename(tmp_path / "tmp" / "x.pdf"), source="upload:May.pdf", name="May.pdf"))
    assert run.index.texts("May.pdf") == ["New."]
    assert run.index.named("May.pdf").document.source == "upload:May.pdf"


def test_the_totals_add_up(run: Run) -> None:
    make_pdf(run.folder / "a.pdf", "Text.")
    make_pdf(run.folder / "b.pdf", "Other.")
    (run.folder / "letter.docx").touch()
    report = run()
    assert (report.totals.documents, report.totals.pages, report.totals.chunks) == (2, 2, 2)
    assert [Path(s.path).name for s in report.skipped] == ["letter.docx"]
    assert report.exit_code == 0


def test_an_empty_folder_is_no_error(run: Run) -> None:
    assert run().documents == () and run.index.finished == 1


def test_a_file_that_may_not_be_looked_at_is_not_taken_for_gone(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_pdf(run.folder / "sub" / "a.pdf", "Text.")
    run()
    stat = Path.stat

    def refused(self: Path, **options: bool) -> object:
        if self == path:
            raise PermissionError(13, "Permission denied")
        return stat(self, **options)

    monkeypatch.setattr(Path, "stat", refused)
    report = run(prune=True)
    assert (report.missing, len(run.index.parsed)) == ((), 1)


def test_an_upload_that_is_gone_fails_by_its_name(run: Run, tmp_path: Path) -> None:
    upload = InputFile(path=tmp_path / "gone.pdf", source="upload:May.pdf", name="May.pdf")
    document = only(run(upload))
    assert (document.source, document.status, document.detail) == (
        "upload:May.pdf",
        "failed",
        "upload:May.pdf: cannot be read: No such file or directory.",
    )


def test_a_copy_under_a_wrong_extension_does_not_keep_the_document_out(run: Run) -> None:
    right = make_pdf(run.folder / "register.pdf", "Text.")
    (run.folder / "a_register.csv").write_bytes(right.read_bytes())
    report = run()
    assert {d.name: d.status for d in report.documents} == {"register.pdf": "added", "a_register.csv": "duplicate"}
    assert [p.document.name for p in run.index.parsed.values()] == ["register.pdf"]


def test_empty_files_are_no_copies_of_each_other(run: Run) -> None:
    for name in ("a.csv", "b.pdf"):
        (run.folder / name).write_bytes(b"")
    report = run()
    assert {d.name: d.status for d in report.documents} == {"a.csv": "failed", "b.pdf": "failed"}


def test_a_moved_document_is_not_pruned(run: Run) -> None:
    first = make_pdf(run.folder / "a.pdf", "Text.")
    run()
    first.rename(run.folder / "b.pdf")
    report = run(prune=True)
    assert (only(report).status, report.missing, report.pruned) == ("changed", (), ())
    assert [p.document.name for p in run.index.parsed.values()] == ["b.pdf"]
