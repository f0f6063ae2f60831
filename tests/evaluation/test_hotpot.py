from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from evaluation import hotpot
from evaluation.hotpot import load_hotpot
from evaluation.vector_cache import CachedDense
from ingest.windows import make_windows

WORDS = [f"{a}{b}" for a in ("Alpha", "Beta", "Gamma", "Delta", "Omega", "Sigma") for b in "abcdefghij"]
"""Titles of 60 passages of two sentences each."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    corpus = {word: [f"Sentence {n} says {word}.", f" Then {word} is {n}."] for n, word in enumerate(WORDS)}
    questions = [
        {"question": "Which?", "answer": "7", "supporting_facts": [["Alphah", 1], ["Alphai", 0]]},
        {"question": "Same?", "answer": "yes", "supporting_facts": [["Alphaj", 0], ["Alphaj", 5], ["Gone", 0]]},
    ]
    (tmp_path / "hotpotqa_train.json").write_text(json.dumps(questions))
    (tmp_path / "hotpotqa_train_corpus.json").write_text(json.dumps(corpus))
    return tmp_path


def test_passages_become_long_documents(folder: Path) -> None:
    documents, _ = load_hotpot(folder)
    assert [d.document.pages for d in documents] == [25, 25, 10]
    again, _ = load_hotpot(folder)
    assert [d.document.doc_id for d in again] == [d.document.doc_id for d in documents]
    assert len({line.text for d in documents for line in d.lines}) == 120  # each title and text once


def test_windows_run_over_passages_and_a_title_is_a_unit_of_its_own(folder: Path) -> None:
    documents, _ = load_hotpot(folder)
    windows = [w for w in make_windows(documents[0], (8, 32), 1200) if w.granularity == 32]
    assert windows[0].page_end > 8
    assert windows[-1].sentence_end == 25 * 3 - 1


def test_questions_name_the_facts_that_are_there(folder: Path) -> None:
    _, questions = load_hotpot(folder)
    assert questions[0].supporting == ("Then Alphah is 7.", "Sentence 8 says Alphai.")
    assert questions[0].answers == ("7",)
    assert (questions[1].supporting, questions[1].answers) == (("Sentence 9 says Alphaj.",), ())


def test_a_part_has_only_its_own_questions(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hotpot, "PASSAGES", 1)
    documents, questions = load_hotpot(folder, 60)
    assert (len(documents), len(questions)) == (60, 2)
    documents, questions = load_hotpot(folder, 1)
    held = documents[0].lines[0].text
    assert len(questions) == (1 if held in ("Alphah", "Alphai", "Alphaj") else 0)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"hotpotqa_train\.json: no such file.*--hotpotqa"):
        load_hotpot(tmp_path)


class Letters:
    """The vector of a text is its number of characters."""

    name, dimension, fingerprint = "letters", 1, "letters-1"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, texts: list[str]) -> tuple[np.ndarray, list[int]]:
        self.asked += texts
        return np.array([[len(t)] for t in texts], dtype=np.float32), [0] * len(texts)

    def count_tokens(self, texts: list[str]) -> list[int]:
        return [len(t) for t in texts]


def test_a_text_is_embedded_once_for_all_runs(tmp_path: Path) -> None:
    first = CachedDense(Letters(), tmp_path)  # type: ignore[arg-type]
    assert first.encode(["a", "bb", "a"])[0].tolist() == [[1], [2], [1]]
    first.save()
    letters = Letters()
    second = CachedDense(letters, tmp_path)  # type: ignore[arg-type]
    assert second.encode(["bb", "ccc"])[0].tolist() == [[2], [3]]
    assert letters.asked == ["ccc"]
    assert second.embedded == 1
    assert second.encode([])[0].shape == (0, 1)
