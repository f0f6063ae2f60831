from __future__ import annotations

import pytest

from contracts.evidence import Dispatch
from serve.dispatch import METHODS, dispatch
from tests.serve.passages import asked


def chosen(text: str, strategy: str = "dispatch", outline: bool = True) -> Dispatch:
    return dispatch(asked(text), strategy, has_outline=outline)


def test_four_kinds_of_question_get_four_strategies() -> None:
    """The decision examples: rich in terms, a figure or code, a concept without keywords, a summary."""
    assert chosen("How long is the notice period after probation?").run == ("outline", "keywords")
    assert chosen("What is the net pay of ST004?").run == ("keywords", "bm25")
    assert chosen("What should I do?").run == ("outline", "dense")
    assert chosen("Summarise the policy").run == ("outline",)


def test_every_method_has_a_reason() -> None:
    for text in ("What is the net pay of ST004?", "What should I do?", "Summarise it"):
        for strategy in ("hybrid", "dispatch", "dense", "bm25", "rrf"):
            assert set(METHODS) <= set(chosen(text, strategy).reasons)


def test_hybrid_always_runs_dense_and_bm25() -> None:
    assert chosen("What should I do?", "hybrid", outline=False).run == ("bm25", "dense")
    assert chosen("What is the notice period?", "hybrid").run == ("outline", "keywords", "bm25", "dense")


def test_nothing_else_applies() -> None:
    result = chosen("Summarise it", outline=False)
    assert result.run == ("dense",) and result.reasons["dense"] == "no other method applies"


def test_diverging_vocabulary_adds_embeddings() -> None:
    question = asked("How long is the notice period?").model_copy(update={"diverges": True})
    assert dispatch(question, "dispatch", has_outline=False).run == ("keywords", "dense")


@pytest.mark.parametrize(
    ("strategy", "run"), [("dense", ("dense",)), ("bm25", ("bm25",)), ("rrf", ("dense", "bm25")), ("umgp", ("umg",))]
)
def test_named_strategies(strategy: str, run: tuple[str, ...]) -> None:
    assert chosen("What is the notice period?", strategy).run == run
