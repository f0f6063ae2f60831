from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from encode.cross import OnnxCrossEncoder, choose_passage
from encode.models import find_model

QUESTION = "What is the hotel limit per night?"
TEXTS = ["Hotel stays are paid up to 5,000 a night.", "Leave lapses at the end of the year.", ""]
PLENTY = 60_000.0


def test_logits_agree_with_the_raw_session(cross: OnnxCrossEncoder) -> None:
    files = find_model("minilm-l12-int8", "cross-encoder")
    session = onnxruntime.InferenceSession(str(files.weights), providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(files.tokenizer))
    tokenizer.no_padding()
    expected = []
    for text in TEXTS:
        pair = tokenizer.encode(QUESTION, text)
        feed = {"input_ids": pair.ids, "attention_mask": pair.attention_mask, "token_type_ids": pair.type_ids}
        expected.append(session.run(None, {k: np.array([v], dtype=np.int64) for k, v in feed.items()})[0][0, 0])
    assert cross.score(QUESTION, TEXTS, PLENTY) == pytest.approx(expected, abs=1e-4)


def test_the_text_that_answers_is_first(cross: OnnxCrossEncoder) -> None:
    logits = cross.score(QUESTION, TEXTS, PLENTY)
    assert logits is not None
    assert logits[0] > 0 > logits[1]


def test_company_and_order_do_not_change_a_logit(cross: OnnxCrossEncoder) -> None:
    alone = [cross.score(QUESTION, [text], PLENTY)[0] for text in TEXTS]  # type: ignore[index]
    assert cross.score(QUESTION, TEXTS, PLENTY) == alone
    assert cross.score(QUESTION, TEXTS[::-1], PLENTY) == alone[::-1]


def test_the_answer_behind_the_window_is_read(cross: OnnxCrossEncoder) -> None:
    filler = "The office is open on weekdays and closed on public holidays. " * 30
    behind, without = filler + "Hotel limit per night is 5,000. " * 4, filler
    logits = cross.score(QUESTION, [behind, without], PLENTY)
    assert logits is not None
    assert logits[0] > logits[1] + 1


def test_no_budget_no_scores(cross: OnnxCrossEncoder) -> None:
    assert cross.score(QUESTION, TEXTS, 0.0) is None


def test_no_texts_need_no_budget(cross: OnnxCrossEncoder) -> None:
    assert cross.score(QUESTION, [], 0.0) == []


def test_a_question_of_10000_characters_is_read_from_its_beginning(cross: OnnxCrossEncoder) -> None:
    logits = cross.score(QUESTION + " please" * 1400, TEXTS, PLENTY)
    assert logits is not None
    assert logits[0] > logits[1]


def test_a_short_text_is_read_whole() -> None:
    assert choose_passage([1], [5, 6, 7], room=3, head=1) == [5, 6, 7]


def test_head_and_the_stretch_that_shares_most() -> None:
    """Room 4, head 1: stretches of 3 behind the first token; [8, 1, 2] and its neighbours hold both question tokens."""
    assert choose_passage([1, 2], [9, 8, 8, 8, 8, 1, 2, 8, 8], room=4, head=1) == [9, 8, 1, 2]


def test_a_rare_token_outweighs_a_common_one() -> None:
    """Token 1 stands four times (1/4 each stretch), token 2 once (1)."""
    assert choose_passage([1, 2], [1, 1, 1, 1, 7, 7, 2, 7], room=2, head=0)[-2:] == [7, 2]


def test_nothing_shared_reads_the_beginning() -> None:
    assert choose_passage([1], list(range(10, 30)), room=8, head=2) == list(range(10, 18))


@given(st.lists(st.integers(0, 9), max_size=8), st.lists(st.integers(0, 9), max_size=80), st.integers(4, 40))
def test_a_passage_fills_the_room_and_keeps_the_order(asked: list[int], tokens: list[int], room: int) -> None:
    numbered = [t + 10 * i for i, t in enumerate(tokens)]  # all different: positions can be read off
    passage = choose_passage(asked, numbered, room, head=2)
    assert len(passage) == min(room, len(tokens))
    assert passage == sorted(passage, key=numbered.index)
