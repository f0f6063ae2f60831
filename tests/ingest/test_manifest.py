from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from contracts.errors import InputError
from ingest.manifest import Entry, Metadata, find_metadata, read_manifest


def write(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "manifest.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*.pdf", "a.pdf", True),
        ("*.pdf", "sub/a.pdf", False),
        ("**/*.pdf", "a.pdf", True),
        ("**/*.pdf", "sub/deep/a.pdf", True),
        ("**", "sub/a.pdf", True),
        ("hr/*", "hr/a.pdf", True),
        ("hr/*", "hr/x/a.pdf", False),
        ("INV?.pdf", "INV1.pdf", True),
        ("INV?.pdf", "INV12.pdf", False),
        ("INV[12].pdf", "INV2.pdf", True),
        ("INV[!12].pdf", "INV2.pdf", False),
        ("INV[0-9].pdf", "INV7.pdf", True),
        ("a.pdf", "abpdf", False),
        ("./a.pdf", "a.pdf", True),
        ("a+b (1).pdf", "a+b (1).pdf", True),
    ],
)
def test_a_glob_matches_as_in_a_shell(pattern: str, path: str, expected: bool) -> None:
    assert Entry(match=pattern).matches(PurePosixPath(path)) is expected


def test_the_first_entry_that_matches_gives_a_field_and_later_ones_fill_in(tmp_path: Path) -> None:
    write(
        tmp_path,
        """
- {match: "INV*.pdf", doc_type: invoice, groups: [finance]}
- {match: "*.pdf", doc_type: other, language: es, period: "2025-04"}
""",
    )
    found = find_metadata(tmp_path / "INV1.pdf", (tmp_path,))
    assert found == Metadata(doc_type="invoice", groups=("finance",), language="es", period="2025-04")
    assert find_metadata(tmp_path / "x.pdf", (tmp_path,)) == Metadata(doc_type="other", language="es", period="2025-04")


def test_a_nearer_manifest_goes_before_one_further_up(tmp_path: Path) -> None:
    write(tmp_path, '- {match: "**", groups: [all_staff], language: es}')
    write(tmp_path / "hr", '- {match: "*", groups: [hr]}')
    found = find_metadata(tmp_path / "hr" / "a.pdf", (tmp_path,))
    assert (found.groups, found.language) == (("hr",), "es")


def test_naming_a_subfolder_does_not_lose_the_groups_stated_above_it(tmp_path: Path) -> None:
    write(tmp_path, '- {match: "hr/**", groups: [hr]}')
    (tmp_path / "hr").mkdir()
    assert find_metadata(tmp_path / "hr" / "a.pdf", (tmp_path / "hr",)).groups == ("hr",)


def test_another_programs_manifest_above_the_folder_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path, "apiVersion: v1\nkind: Pod\n")
    (tmp_path / "docs").mkdir()
    assert find_metadata(tmp_path / "docs" / "a.pdf", (tmp_path / "docs",)) == Metadata()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('- {match: "*", group: [hr]}', ["entry 1", "`group`", "no such key", "doc_type"]),
        ("- {doc_type: invoice}", ["entry 1", "`match`", "missing"]),
        ('- {match: "*"}\n- {match: "*", period: April}', ["entry 2", "`period`", "2025-04", "April"]),
        ('- {match: "*", period: 2025}', ["`period`", "2025"]),
        ('- {match: "*", groups: []}', ["`groups`", "at least one"]),
        ('- {match: "*", language: english}', ["`language`", "english"]),
        ('- {match: "*", password_env: "not a name"}', ["`password_env`"]),
        ("doc_type: invoice", ["must be a list", "dict"]),
        ("- invoice", ["entry 1", "mapping", "invoice"]),
        ("- {match: [", ["not valid YAML", "line"]),
    ],
)
def test_a_wrong_manifest_names_file_entry_and_field(tmp_path: Path, text: str, names: list[str]) -> None:
    path = write(tmp_path, text)
    with pytest.raises(InputError) as error:
        read_manifest(path)
    for name in (str(path), *names):
        assert name in str(error.value)


def test_one_group_may_be_written_without_brackets(tmp_path: Path) -> None:
    write(tmp_path, '- {match: "*", groups: hr}')
    assert find_metadata(tmp_path / "a.pdf", (tmp_path,)).groups == ("hr",)


def test_an_empty_manifest_says_nothing(tmp_path: Path) -> None:
    write(tmp_path, "# nothing yet\n")
    assert find_metadata(tmp_path / "a.pdf", (tmp_path,)) == Metadata()


def test_a_manifest_that_changes_is_read_again(tmp_path: Path) -> None:
    import os

    path = write(tmp_path, '- {match: "*", groups: [hr]}')
    assert find_metadata(tmp_path / "a.pdf", (tmp_path,)).groups == ("hr",)
    write(tmp_path, '- {match: "*", groups: [finance]}')
    os.utime(path, ns=(1, 1))
    assert find_metadata(tmp_path / "a.pdf", (tmp_path,)).groups == ("finance",)
