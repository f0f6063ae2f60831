"""TAT-QA: gold evidence by hand on a context of our own making, and the cached cross-encoder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from contracts.chunks import Chunk
from contracts.errors import InputError
from evaluation.tatqa.data import load_tatqa
from evaluation.tatqa.prompts import CachedCrossEncoder
from evaluation.tatqa.relevance import holds, kept, relevant
from evaluation.tatqa.render import render_contexts


def entry(**question: Any) -> dict[str, Any]:
    asked = {"uid": "q", "question": "?", "derivation": "", "scale": "", "rel_paragraphs": ["1"], **question}
    return {
        "table": {
            "uid": "t",
            "table": [["", "2019", "2018"], ["Sales", "$  1,452.4", "(56.7)"], ["Other", "44.1", "9"]],
        },
        "paragraphs": [{"order": 1, "text": "Sales grew by new contracts."}],
        "questions": [asked],
    }


def load(tmp_path: Path, **question: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    path = tmp_path / "t.json"
    path.write_text(json.dumps([entry(**question)]))
    (found,) = load_tatqa(path)[1]
    return found.cells, found.spans


def test_arithmetic_needs_the_cells_of_its_derivation(tmp_path: Path) -> None:
    gold = load(tmp_path, answer=1395.7, derivation="1,452.4-56.7", answer_type="arithmetic", answer_from="table")
    assert gold == (("1,452.4", "56.7"), ())


def test_an_answer_in_the_table_is_a_cell_and_one_in_the_text_a_span(tmp_path: Path) -> None:
    assert load(tmp_path, answer=["$1,452.4"], answer_type="span", answer_from="table-text") == (("1,452.4",), ())
    text = {"answer_type": "span", "answer_from": "text"}
    assert load(tmp_path, answer=["New contracts."], **text) == ((), ("new contracts",))
    assert load(tmp_path, answer=["old contracts"], **text) == ((), ())


def test_counted_cells_are_named_in_the_derivation(tmp_path: Path) -> None:
    gold = load(tmp_path, answer=2, derivation="Sales##Other", answer_type="count", answer_from="table")
    assert gold == (("Sales", "Other"), ())


def test_what_is_not_tatqa_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("[1]")
    with pytest.raises(InputError, match="not a TAT-QA file"):
        load_tatqa(path)


def test_a_figure_inside_another_is_not_it() -> None:
    assert holds("Other | 44.1 |", "44.1")
    assert not holds("144.1 or 44.12 or 44.1,5", "44.1")
    assert holds("by new\ncontracts.", "new contracts")
    assert kept(["44.1", "9"], "44.1 and 9.5") == 1


def test_cells_are_proved_by_tables_and_spans_by_prose() -> None:
    path_free = {"doc_id": "d", "ordinal": 0, "page_start": 1, "page_end": 1, "line_start": 1, "line_end": 1}
    table = Chunk(chunk_id="t", kind="table", text="Other 44.1", **path_free)
    prose = Chunk(chunk_id="p", kind="prose", text="Other was 44.1, by new contracts", **path_free)
    from evaluation.tatqa.data import TatQuestion

    both = TatQuestion(uid="q", context="c", text="?", cells=("44.1",), spans=("new contracts",))
    assert relevant(both.model_copy(update={"spans": ()}), [table, prose]) == ["t"]
    assert relevant(both, [table, prose]) == ["t", "p"]


def test_contexts_are_rendered_once_with_odd_rows_and_markup(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    data = entry(answer=[""], answer_type="span", answer_from="table")
    data["table"]["table"].append(["<b>& more"])
    path.write_text(json.dumps([data]))
    contexts, _ = load_tatqa(path)
    render_contexts(contexts, tmp_path)
    first = (tmp_path / "t.pdf").stat().st_mtime_ns
    render_contexts(contexts, tmp_path)
    assert (tmp_path / "t.pdf").stat().st_mtime_ns == first


class Lengths:
    name = "lengths"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def score(self, question: str, texts: Sequence[str], budget_ms: float) -> list[float] | None:
        self.seen += texts
        return [float(len(t)) for t in texts]


def test_the_cross_encoder_cache_asks_once(tmp_path: Path) -> None:
    inner = Lengths()
    cached = CachedCrossEncoder(inner, tmp_path / "s.json")
    assert cached.score("q", ["a", "bb"], 1.0) == [1.0, 2.0]
    cached.save()
    assert CachedCrossEncoder(inner, tmp_path / "s.json").score("q", ["bb", "ccc"], 1.0) == [2.0, 3.0]
    assert inner.seen == ["a", "bb", "ccc"]
