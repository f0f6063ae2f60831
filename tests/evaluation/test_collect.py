"""What is collected of an answer, on the sample corpus."""

from __future__ import annotations

from dataclasses import replace

import pytest

from contracts.errors import StoreUnavailable
from evaluation.collect import Corpus, collect, request_of, squeezed
from evaluation.golden import GoldenSet, select
from evaluation.recipe import recipe
from serve.graph import follow
from serve.services import Services
from tests.evaluation.builders import golden

APRIL = "Salary_Register_April_2025.pdf"


def test_rows_cited_for_a_count_are_the_twelve(sample_services: Services, golden_set: GoldenSet) -> None:
    (outcome,) = collect(select(golden_set, ["count-april"]), sample_services)
    assert outcome.judgement.correct, outcome.answer.answer
    assert {row.cells[0] for row in outcome.cited_rows} == {f"ST{n:03}" for n in range(1, 13)}
    assert {row.doc_name for row in outcome.cited_rows} == {APRIL}
    assert (outcome.evidence.needles, outcome.evidence.in_prompt) == (12, 12)
    assert set(outcome.evidence.relevant) <= set(outcome.evidence.ranked)


def test_a_question_that_raises_is_harm_and_the_rest_goes_on(sample_services: Services, golden_set: GoldenSet) -> None:
    bad = golden({"kind": "not_found"}, text="x" * 20_000, documents=[])
    both = golden_set.model_copy(update={"questions": (bad, *select(golden_set, ["count-march"]).questions)})
    failed, fine = collect(both, sample_services)
    assert failed.judgement.wrong_unmarked
    assert failed.error is not None
    assert "20000 characters" in failed.error
    assert fine.error is None


def test_an_unreachable_engine_ends_the_run(sample_services: Services, golden_set: GoldenSet) -> None:
    def unreachable(*_: object) -> None:
        raise StoreUnavailable("nobody answers")

    with pytest.raises(StoreUnavailable):
        collect(select(golden_set, ["count-march"]), sample_services, recipe=unreachable)  # type: ignore[arg-type]


def test_a_reader_asks_with_their_groups() -> None:
    question = golden({"kind": "not_found"}, documents=[], groups=["hr"], filters={"doc_type": ["policy"]})
    request = request_of(question)
    assert request.caller.groups == ("hr",)
    assert request.filters == {"doc_type": ("policy",)}
    assert request_of(golden({"kind": "not_found"}, documents=[])).caller.groups is None


def test_identifiers_are_looked_for_in_the_named_documents_only(sample_services: Services) -> None:
    corpus = Corpus(sample_services)
    assert "ST012" in corpus.extracted(APRIL)
    assert "ST012" not in corpus.extracted("Salary_Register_March_2025.pdf")
    assert corpus.extracted("nowhere.pdf") == ""
    assert corpus.chunks_of("nowhere.pdf") == ()


def test_squeezed_joins_broken_lines() -> None:
    assert squeezed("Up to 6\n  unused days") == "Up to 6 unused days"


@pytest.mark.parametrize("name", ["count-april", "liability-cap", "non-compete-after-amendment", "absent-gym"])
def test_the_recipe_with_everything_on_is_the_graph(
    name: str, sample_services: Services, golden_set: GoldenSet
) -> None:
    (question,) = select(golden_set, [name]).questions
    request = request_of(question)
    ours, theirs = recipe()(request, sample_services), follow(request, sample_services)
    assert ours.prompt == theirs.prompt
    assert [s.name for s in ours.recorder.stages] == [s.name for s in theirs.recorder.stages]
    assert list(ours.recorder.marks) == list(theirs.recorder.marks)
    assert ours.verdict == theirs.verdict


def test_leaving_stages_out_shows_in_the_run(sample_services: Services, golden_set: GoldenSet) -> None:
    (question,) = select(golden_set, ["liability-cap"]).questions
    request = request_of(question)
    plain = recipe(detectors=False, arbiter=False, compute=False)(request, replace(sample_services, cross_encoder=None))
    assert {m for c in plain.fused for m in c.methods} <= {"dense", "bm25"}
    assert {c.role for c in plain.candidates} == {"primary"}
    assert plain.computation is None
