"""A comparison of engines finds what differs, and only that."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.answers import Answer, Pipeline
from contracts.chunks import Chunk
from contracts.errors import InputError
from contracts.evidence import Candidate, Citation, Score
from contracts.questions import Question
from contracts.settings import Settings, load_settings
from evaluation.parity import _refusals, compare_answers, compare_index, copied
from evaluation.parity_cli import load_requests
from store.engine import Catalogue
from store.index import StoreIndex
from store.open import catalogue_of, memory_index, open_index
from tests.store.rest_stub import RestStub
from tests.store.samples import MADE_WITH, chunks_of, parsed


def candidate(score: float, fused: float = 0.5) -> Candidate:
    chunk = Chunk(
        chunk_id="c1", doc_id="d", kind="prose", text="t", ordinal=0, page_start=1, page_end=1, line_start=1, line_end=1
    )
    scores = {"dense": Score(raw=score, normalised=1.0)}
    return Candidate(candidate_id="c1", chunk=chunk, doc_name="a.pdf", doc_type="x", scores=scores, fused=fused)


def answer(text: str = "12", score: float = 0.7, page: int = 1, candidates: int = 1) -> Answer:
    citation = Citation(doc_id="d", doc_name="a.pdf", page=page, line_start=1, line_end=2)
    pipeline = Pipeline(question=Question(text="q"), candidates=(candidate(score),) * candidates)
    return Answer(answer=text, mode="computed", citations=(citation,), pipeline=pipeline)


def parts(*answers: Answer | str) -> list[str]:
    return [d.what for d in compare_answers("q", *answers)]


def test_the_same_answer_has_no_difference() -> None:
    assert parts(answer(), answer(score=0.7000009)) == []


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (answer(text="1"), ["answer"]),
        (answer(page=2), ["citations"]),
        (answer(score=0.71), ["score c1 dense"]),
        (answer(candidates=0), ["candidates"]),
        ("StoreUnavailable: gone", ["error"]),
    ],
)
def test_each_part_that_differs_is_named(other: Answer | str, expected: list[str]) -> None:
    assert parts(answer(), other) == expected
    assert parts(other, answer()) == expected


def pool(lowest: float, fused: float) -> Answer:
    """Two candidates whose dense scores, 0.7 and `lowest`, min-max takes to 1 and 0."""
    low = candidate(lowest).model_copy(update={"scores": {"dense": Score(raw=lowest, normalised=0.0)}})
    pipeline = Pipeline(question=Question(text="q"), candidates=(low, candidate(0.7, fused)))
    return answer().model_copy(update={"pipeline": pipeline})


def test_fused_scores_may_differ_as_far_as_min_max_stretches_the_raw_ones() -> None:
    """A pool that spans 0.01 stretches a raw difference 100 times, one that spans 0.5 twice."""
    assert parts(pool(0.69, fused=0.5), pool(0.69, fused=0.5005)) == []
    assert parts(pool(0.2, fused=0.5), pool(0.2, fused=0.5005)) == ["score c1 fused"]
    assert parts(pool(0.69, fused=0.5), pool(0.69, fused=0.502)) == ["score c1 fused"]


def filled(*contents: str) -> StoreIndex:
    index = memory_index(MADE_WITH)
    for content in contents:
        index.put(parsed(content, f"/in/{content}.pdf"), chunks_of(content))
    return index


def test_indexes_that_differ_are_told_apart() -> None:
    one, same, other = filled("a", "b"), filled("b", "a"), filled("a", "c")
    assert compare_index(one, same) == []
    assert {d.what for d in compare_index(one, other)} >= {"documents", "tables", "chunks"}
    for index in (one, same, other):
        index.close()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    settings = load_settings({}, overrides={"data_dir": tmp_path / "here"})[0]
    index = open_index(settings, MADE_WITH, create=True)
    for content in ("a", "b"):
        index.put(parsed(content, f"/in/{content}.pdf"), chunks_of(content))
    index.close()
    return settings


def names(settings: Settings) -> tuple[str, ...]:
    catalogue: Catalogue = catalogue_of(settings)
    found = catalogue.names()
    catalogue.close()
    return found


def test_a_copy_on_a_server_is_the_same_and_goes_again(settings: Settings, record_property) -> None:
    record_property("engine", "rest-stub")
    with RestStub() as stub:
        server = settings.model_copy(update={"qdrant_url": stub.url})
        with copied(settings, server) as there:
            here, copy = open_index(settings, {}, create=False), open_index(there, {}, create=False)
            assert compare_index(here, copy) == [] and len(copy.documents()) == 2
            here.close()
            copy.close()
            assert _refusals(there, strict=True) == []  # it refuses what has no index
        assert names(server) == ()


def test_an_engine_that_answers_unindexed_filters_is_found_out(settings: Settings) -> None:
    (found,) = _refusals(settings, strict=True)  # the embedded engine has no strict mode of its own
    assert (found.here, found.there) == ("refused", "answered")
    assert _refusals(settings, strict=False) == []


def test_questions_from_lines(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text('{"id": 1, "question": "How many?", "filters": {"doc_type": ["x"]}}\n\n{"question": "Who?"}\n')
    assert [(r.question, r.filters) for r in load_requests(path)] == [("How many?", {"doc_type": ("x",)}), ("Who?", {})]
    path.write_text('{"text": "How many?"}')
    with pytest.raises(InputError, match="no list of questions"):
        load_requests(path)
