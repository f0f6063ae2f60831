"""The raw ONNX session and plain numpy are the second implementation here."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec

import numpy as np
import onnxruntime
import pytest
from tokenizers import Tokenizer

from contracts.settings import load_settings
from encode.dense import OnnxDenseEncoder, load_dense
from encode.models import find_model

TEXTS = [
    "How many employees are in the April 2025 salary register?",
    "The register lists twelve employees with basic pay, allowances and deductions.",
    "Hotel stays are reimbursed up to a limit.",
    "",
]


def by_hand(rows: list[list[int]]) -> np.ndarray:
    """Mean over the tokens of each row, one run for each, unit length."""
    session = onnxruntime.InferenceSession(
        str(find_model("minilm-int8", "dense").weights), providers=["CPUExecutionProvider"]
    )
    vectors = []
    for row in rows:
        ids = np.array([row], dtype=np.int64)
        hidden = session.run(
            None, {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        )[0][0]
        vectors.append(hidden.mean(axis=0) / np.linalg.norm(hidden.mean(axis=0)))
    return np.array(vectors)


def ids_of(text: str) -> list[int]:
    tokenizer = Tokenizer.from_file(str(find_model("minilm-int8", "dense").tokenizer))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return list(tokenizer.encode(text).ids)


def test_short_texts_agree_with_the_raw_session(dense: OnnxDenseEncoder) -> None:
    vectors, cut = dense.encode(TEXTS)
    assert vectors.shape == (4, 384)
    assert vectors.dtype == np.float32
    assert cut == [0, 0, 0, 0]
    np.testing.assert_allclose(vectors, by_hand([ids_of(t) for t in TEXTS]), atol=1e-5)


def test_a_long_text_is_the_average_of_windows(dense: OnnxDenseEncoder) -> None:
    """400 content tokens: windows [0, 254) and [146, 400) of equal weight."""
    text = " ".join(["salary", "company"] * 200)
    inner = ids_of(text)[1:-1]
    assert len(inner) == 400
    first, second = by_hand([[101, *inner[:254], 102], [101, *inner[146:], 102]])
    mean = (first + second) / 2
    vectors, cut = dense.encode([text])
    assert cut == [0]
    np.testing.assert_allclose(vectors[0], mean / np.linalg.norm(mean), atol=1e-5)


def test_the_end_of_a_long_text_is_seen(dense: OnnxDenseEncoder) -> None:
    filler = "The office is open on weekdays. " * 100
    plain, with_end = dense.encode([filler, filler + "Hotels are reimbursed up to a limit. " * 20])[0]
    question = dense.encode(["hotel reimbursement limit"])[0][0]
    assert question @ with_end > question @ plain + 0.05


def test_company_does_not_change_a_vector(dense: OnnxDenseEncoder) -> None:
    """Ingesting again in another order must give the same index."""
    together, _ = dense.encode(TEXTS * 5)
    alone = np.concatenate([dense.encode([t])[0] for t in TEXTS])
    np.testing.assert_allclose(together[:4], alone, atol=1e-6)
    np.testing.assert_allclose(together[8:12], alone, atol=1e-6)


def test_threads_share_one_encoder(dense: OnnxDenseEncoder) -> None:
    expected, _ = dense.encode(TEXTS)
    with ThreadPoolExecutor(4) as pool:
        for vectors, _ in pool.map(lambda _: dense.encode(TEXTS), range(8)):
            np.testing.assert_allclose(vectors, expected, atol=1e-6)


def test_meaning_orders_texts(dense: OnnxDenseEncoder) -> None:
    vectors, _ = dense.encode(["staff count in the payroll", TEXTS[1], TEXTS[2]])
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]


def test_tokens_are_counted_without_special_ones(dense: OnnxDenseEncoder) -> None:
    assert dense.count_tokens(["salary company", "", "salary " * 600]) == [2, 0, 600]


def test_no_texts(dense: OnnxDenseEncoder) -> None:
    vectors, cut = dense.encode([])
    assert vectors.shape == (0, 384)
    assert cut == []


def test_the_fingerprint_names_weights_window_and_pooling(dense: OnnxDenseEncoder) -> None:
    assert dense.fingerprint == "minilm-int8 8199be6f699a395f/cb374d6bc042c224 window=254 overlap=32 mean"


@pytest.mark.skipif(
    find_spec("sentence_transformers") is None,
    reason="compares with the original model: pip install 'allrows[hub]' and a connection to a model hub",
)
def test_the_packaged_weights_agree_with_the_original(dense: OnnxDenseEncoder) -> None:
    settings, _ = load_settings({"ALLROWS_DENSE_MODEL": "sentence-transformers/all-MiniLM-L6-v2"})
    original, _ = load_dense(settings).encode(TEXTS)
    ours, _ = dense.encode(TEXTS)
    assert min((original * ours).sum(axis=1)) > 0.98  # 8-bit weights
