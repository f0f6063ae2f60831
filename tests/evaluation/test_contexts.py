from __future__ import annotations

from collections.abc import Sequence

import pytest

from contracts.chunks import Chunk
from evaluation.contexts import fill, recall
from evaluation.hotpot import Evidence


def chunk(text: str, doc_id: str = "d") -> Chunk:
    return Chunk(
        chunk_id=text, doc_id=doc_id, kind="prose", text=text, ordinal=0, page_start=1, page_end=1, line_start=1,
        line_end=1,
    )  # fmt: skip


def words(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


@pytest.mark.parametrize(
    ("budget", "context"),
    [
        (9, "One two three.\nFour five six.\nSeven eight nine."),
        (6, "One two three.\nFour five six."),
        (5, "One two three.\nFour five"),  # 14 characters · 2/3 = 9
        (3, "One two three."),
    ],
)
def test_a_context_ends_where_the_budget_does(budget: int, context: str) -> None:
    assert fill([chunk("One two three. Four five six."), chunk("Seven eight nine.")], budget, words) == context


def test_a_sentence_counts_once_in_a_document() -> None:
    chunks = [chunk("One two. Three four."), chunk("Three four. Five six."), chunk("Three four.", "other")]
    assert fill(chunks, 100, words) == "One two.\nThree four.\nFive six.\nThree four."


def test_recall_of_facts_and_answer() -> None:
    evidence = Evidence(question="?", answers=("forty-five", "45"), supporting=("Pay  is\n45.", "ST001", "gone"))
    found = recall(evidence, "… st001 … PAY IS 45. …")
    assert found.facts == pytest.approx(2 / 3)
    assert found.answer is True


def test_nothing_to_find_is_not_nothing_found() -> None:
    found = recall(Evidence(question="?", answers=(), supporting=()), "text")
    assert (found.facts, found.answer) == (None, None)
