"""Golden sets are checked, with the line of each fault; blind sets are refused."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

from contracts.errors import InputError
from evaluation.golden import GoldenSet, dump_golden, load_golden, select
from evaluation.goldenschema import PATH, schema_text

COUNT = """\
  - id: c
    question: How many?
    expect: {kind: count, value: 2}
    documents: [a.pdf]
    rows: [X1, X2]
"""
CODE = """\
  - id: k
    question: Total of INV/2025/7?
    expect: {kind: lookup, value: "5"}
    documents: [a.pdf]
    identifiers: [INV/2025/7]
"""
PARAPHRASE = """\
  - id: p
    question: May I stay at home?
    expect: {kind: span, all_of: [remote work]}
    documents: [b.pdf]
    paraphrase: true
"""


def write(tmp_path: Path, body: str) -> Path:
    path = tmp_path / "golden.yaml"
    path.write_text("name: t\nquestions:\n" + body, encoding="utf-8")
    return path


def test_a_sound_set_loads_and_survives_a_round_trip(tmp_path: Path) -> None:
    golden = load_golden(write(tmp_path, COUNT + CODE + PARAPHRASE))
    again = tmp_path / "again.yaml"
    again.write_text(dump_golden(golden), encoding="utf-8")
    assert load_golden(again) == golden
    assert [q.id for q in select(golden, ["p", "c"]).questions] == ["c", "p"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (CODE + PARAPHRASE, "no pure count over a table"),
        (COUNT + PARAPHRASE, "no question with an exact identifier"),
        (COUNT + CODE, "no policy paraphrase"),
    ],
)
def test_a_blind_set_is_refused_with_the_reason(tmp_path: Path, body: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        load_golden(write(tmp_path, body))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("value: 2", "value: two", r"line 5: questions\.0\.expect\.count\.value"),
        ("rows: [X1, X2]", "row: [X1, X2]", r"line 7: questions\.0\.row: Extra inputs"),
        ("documents: [a.pdf]\n    rows", "rows", r"line 3: questions\.0: an answerable question names"),
        ("id: c", "id: k", "line 8: the id `k` is used twice"),
        ("kind: count", "kind: counts", r"line 5: questions\.0\.expect: .*'counts'"),
    ],
)
def test_faults_carry_their_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in COUNT
    with pytest.raises(InputError, match=message):
        load_golden(write(tmp_path, COUNT.replace(old, new) + CODE + PARAPHRASE))


@pytest.mark.parametrize("text", ["", "name: [", "- 1\n- 2\n"])
def test_what_is_no_golden_set_is_an_input_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"x\.yaml"):
        load_golden(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.yaml: cannot be read"):
        load_golden(tmp_path / "nowhere.yaml")


def test_decimals_stay_exact() -> None:
    data = {
        "name": "t",
        "questions": [
            {"id": "s", "question": "?", "expect": {"kind": "sum", "value": "0.10"}, "documents": ["a.pdf"]},
        ],
    }
    expect = GoldenSet.model_validate(data).questions[0].expect
    assert expect.kind == "sum"
    assert expect.value == Decimal("0.10")


def test_the_committed_json_schema_is_current() -> None:
    assert PATH.read_text(encoding="utf-8") == schema_text()
    assert "questions" in json.loads(schema_text())["properties"]
