from __future__ import annotations

import os
from pathlib import Path

from ingest.walk import InputFile, walk


def touch(path: Path, content: str = "x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return path


def test_a_folder_gives_its_supported_files_and_names_what_it_passed_over(tmp_path: Path) -> None:
    touch(tmp_path / "b.csv")
    touch(tmp_path / "sub" / "a.PDF")
    touch(tmp_path / "notes.docx")
    touch(tmp_path / ".hidden.pdf")
    touch(tmp_path / ".git" / "x.pdf")
    touch(tmp_path / "~$book.xlsx")
    touch(tmp_path / "manifest.yaml", "")
    (tmp_path / "link.pdf").symlink_to(tmp_path / "sub" / "a.PDF")
    (tmp_path / "loop").symlink_to(tmp_path)
    found = walk([tmp_path])
    assert [f.source for f in found.files] == [str(tmp_path / "b.csv"), str(tmp_path / "sub" / "a.PDF")]
    reasons = {Path(s.path).name: s.reason for s in found.skipped}
    assert set(reasons) == {"notes.docx", ".hidden.pdf", ".git", "~$book.xlsx", "link.pdf", "loop"}
    assert reasons["loop"] == reasons["link.pdf"] == "symbolic link"
    assert ".docx is not supported" in reasons["notes.docx"]
    assert found.failed == ()


def test_what_was_named_itself_and_cannot_be_used_fails(tmp_path: Path) -> None:
    word = touch(tmp_path / "letter.docx")
    found = walk([tmp_path / "none.pdf", word])
    assert {Path(f.path).name: f.reason.split(" (")[0] for f in found.failed} == {
        "none.pdf": "no such file or folder",
        "letter.docx": ".docx is not supported",
    }


def test_a_link_that_was_named_itself_is_read(tmp_path: Path) -> None:
    touch(tmp_path / "a.csv")
    (tmp_path / "now.csv").symlink_to(tmp_path / "a.csv")
    assert [f.name for f in walk([tmp_path / "now.csv"]).files] == ["now.csv"]


def test_a_file_reached_twice_is_listed_once(tmp_path: Path) -> None:
    file = touch(tmp_path / "a.csv")
    assert len(walk([tmp_path, file, tmp_path / "." / "a.csv"]).files) == 1


def test_a_wrong_manifest_fails_the_files_it_governs_and_no_other(tmp_path: Path) -> None:
    touch(tmp_path / "good" / "a.csv")
    touch(tmp_path / "bad" / "b.csv")
    touch(tmp_path / "bad" / "manifest.yaml", '- {match: "*", grups: [hr]}')
    found = walk([tmp_path])
    assert [f.name for f in found.files] == ["a.csv"]
    assert [Path(f.path).name for f in found.failed] == ["b.csv"]
    assert "grups" in found.failed[0].reason


def test_an_uploads_source_and_name_are_its_own(tmp_path: Path) -> None:
    upload = InputFile(path=touch(tmp_path / "tmp123"), source="upload:May.pdf", name="May.pdf")
    assert [(f.source, f.name, f.size_bytes) for f in walk([upload]).files] == [("upload:May.pdf", "May.pdf", 1)]


def test_a_manifest_entry_that_matches_no_file_is_named(tmp_path: Path) -> None:
    touch(tmp_path / "hr" / "pay.csv")
    touch(tmp_path / "manifest.yaml", '- {match: "hr/*"}\n- {match: "payy.csv", groups: [hr]}')
    path = tmp_path / "manifest.yaml"
    assert walk([tmp_path]).notes == (f"{path}: the entry for `payy.csv` matches no file.",)


def test_a_name_that_is_no_text_fails_with_a_name_that_is(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.csv")).write_text("x")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.docx")).write_text("x")
    found = walk([tmp_path])
    assert [f.path for f in found.failed] == [f"{tmp_path}/bad\\udcff.csv"]
    assert "not valid UTF-8" in found.failed[0].reason
    assert [s.path for s in found.skipped] == [f"{tmp_path}/bad\\udcff.docx"]
