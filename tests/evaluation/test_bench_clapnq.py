from __future__ import annotations

import json
from pathlib import Path

import pytest

from contracts.errors import InputError
from evaluation.bench_clapnq import Asked, ClapQuestion, curve, load
from evaluation.clapnq_fit import NAMES, fit


def asked(answerable: bool, confidence: float, proven: bool = False) -> Asked:
    question = ClapQuestion(uid="1", text="q", answerable=answerable, title="t", passage="p", gold=())
    return Asked(
        question=question, confidence=confidence, proven_absent=proven, right_place=answerable, right_sentence=False, evidence={}
    )  # fmt: skip


def test_curve_by_hand() -> None:
    """At 0.5: two said not found, one of them rightly; of three answered, one is answerable."""
    rows = list(curve([asked(True, 0.9), asked(True, 0.4), asked(False, 0.4), asked(False, 0.9)], steps=2))
    assert [row.split() for row in rows] == [
        ["0.00", "0", "1.000", "0.000", "0.000", "0.500", "2", "-", "-"],
        ["0.50", "2", "0.500", "0.500", "0.500", "0.500", "1", "1", "0"],
        ["1.00", "4", "0.500", "1.000", "0.667", "0.500", "0", "0", "0"],
    ]


def test_proven_absence_counts_at_every_threshold() -> None:
    assert next(iter(curve([asked(False, 0.9, proven=True), asked(True, 0.9)], steps=1))).split()[1:4] == [
        "1",
        "1.000",
        "1.000",
    ]


def test_loads_and_undoes_tokenisation(tmp_path: Path) -> None:
    row = {
        "id": 7, "input": "who", "passages": [{"title": "T", "text": "It 's ( old ) , he said ."}],
        "output": [{"selected_sentences": ["he said ."]}],
    }  # fmt: skip
    (tmp_path / "answerable_1.jsonl").write_text(json.dumps(row), encoding="utf-8")
    (found,) = load(tmp_path, True, None)
    assert (found.uid, found.passage, found.gold) == ("7", "It's (old), he said.", ("he said.",))


def test_a_folder_without_the_data_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"unanswerable\*\.jsonl"):
        load(tmp_path, False, None)


def test_fit_finds_what_tells_apart() -> None:
    examples = [({"logit": v, "coverage": 0.5, "typed": 1.0, "subject": 0.0}, v > 0) for v in (-3.0, -1.0, 1.0, 3.0)]
    weights = dict(zip(NAMES, fit(examples), strict=True))
    assert weights["logit"] > 0.5 and abs(weights["subject"]) < 1e-3
