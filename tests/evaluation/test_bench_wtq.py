"""The data set's own way of comparing answers, and a small folder run through the planner."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.bench_wtq import Item, is_right, kind_of, load_items, normalise, run, same


@pytest.mark.parametrize(
    ("given", "target", "expected"),
    [
        ("Córdoba CF", "cordoba cf", True),
        ("“Piaf!”", '"Piaf!"', True),
        ("5", "5.0", True),
        ("1,530", "1530", True),
        ("July 6, 2004", "6 July 2004", True),
        ("1989–90", "1989-90", True),
        ("Ed Psaltis[1]", "ed psaltis", True),
        ("12", "13", False),
        ("Oslo", "Bergen", False),
    ],
)
def test_same(given: str, target: str, expected: bool) -> None:
    assert same(given, target) is expected


def test_every_target_and_nothing_else() -> None:
    assert is_right(["b", "A"], ["a", "b"])
    assert not is_right(["a"], ["a", "b"])
    assert not is_right(["a", "b", "c"], ["a", "b"])


def test_normalise_drops_footnotes_and_brackets_at_the_end_only() -> None:
    assert normalise("(Live) Album (2004) †") == "(live) album"


def test_kinds_of_declined_questions() -> None:
    assert kind_of("how many consecutive wins did they have?") == "runs of rows (consecutive, in a row, streak)"
    assert kind_of("is enping more dense than kaiping?") == "yes or no"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "csv").mkdir()
    table = 'Year,City,Goals\n1998,Oslo,3\n1999,Bergen,"1,200"\n2000,Oslo,7\n2001,Voss,2\n'
    (tmp_path / "csv" / "1.csv").write_text(table, encoding="utf-8")
    lines = [
        "id\tutterance\tcontext\ttargetValue",
        "q1\thow many goals were scored in voss?\tcsv/1.csv\t2",
        "q2\twhich city had the most goals?\tcsv/1.csv\tBergen",
        "q3\thow many consecutive wins were there?\tcsv/1.csv\t4",
    ]
    (tmp_path / "questions.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def test_questions_are_run_on_their_tables(folder: Path) -> None:
    items = load_items(folder)
    assert items[0] == Item("q1", "how many goals were scored in voss?", folder / "csv" / "1.csv", ("2",))
    found = {o.item.id: o for o in run(items)}
    assert (found["q1"].given, found["q1"].right) == (("2",), True)
    assert (found["q2"].given, found["q2"].right) == (("Bergen",), True)
    assert found["q3"].confidence < 0.5
