"""The adapter to sentence-transformers, with a small stand-in for the library."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from contracts.errors import ModelFileError
from encode.hub import HubCrossEncoder, HubDenseEncoder


class FakeTransformer:
    """Words are tokens; the vector counts words `a` and all others."""

    max_seq_length = 6

    def __init__(self, model: str, device: str) -> None:
        if model == "no/such":
            raise OSError("no/such is not a model")
        self.seen: list[str] = []

    def __getitem__(self, place: int) -> SimpleNamespace:
        return SimpleNamespace(auto_model=SimpleNamespace(config=SimpleNamespace(_commit_hash="abc")))

    def get_sentence_embedding_dimension(self) -> int:
        return 2

    def tokenizer(self, text: str, **options: bool) -> dict[str, list[tuple[int, int]]]:
        assert options == {"add_special_tokens": False, "return_offsets_mapping": True, "truncation": False}
        starts = [i for i in range(len(text)) if text[i] != " " and (i == 0 or text[i - 1] == " ")]
        return {"offset_mapping": [(i, i + len(text[i:].split(" ")[0])) for i in starts]}

    def encode(self, pieces: list[str], convert_to_numpy: bool) -> np.ndarray:
        self.seen.extend(pieces)
        words = [piece.split() for piece in pieces]
        return np.array([[w.count("a"), len(w) - w.count("a")] for w in words], dtype=np.float32)


class FakeCrossEncoder:
    def __init__(self, model: str, device: str) -> None: ...

    def predict(self, pairs: list[tuple[str, str]], activation_fn: object, show_progress_bar: bool) -> np.ndarray:
        assert activation_fn == "identity"  # logits, not the library's sigmoid
        return np.array([float(len(text)) for _, text in pairs])


@pytest.fixture(autouse=True)
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("sentence_transformers")
    module.SentenceTransformer, module.CrossEncoder = FakeTransformer, FakeCrossEncoder  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    torch = ModuleType("torch.nn")
    torch.Identity = lambda: "identity"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "torch", ModuleType("torch"))
    monkeypatch.setitem(sys.modules, "torch.nn", torch)


def test_a_long_text_goes_in_windows_and_is_averaged() -> None:
    """Window 4 (6 less two special tokens), overlap 2: `a a a a`, `a a b b`, `b b b b`."""
    encoder = HubDenseEncoder("some/model")
    vectors, cut = encoder.encode(["a a a a b b b b", "b"])
    assert encoder._model.seen == ["a a a a", "a a b b", "b b b b", "b"]
    assert cut == [0, 0]
    assert vectors[0].tolist() == pytest.approx([0.5**0.5, 0.5**0.5])
    assert vectors[1].tolist() == [0, 1]
    assert encoder.count_tokens(["a b c", ""]) == [3, 0]


def test_the_fingerprint_holds_the_revision() -> None:
    assert HubDenseEncoder("some/model").fingerprint == "some/model@abc window=4 overlap=32"


def test_cross_encoder_gives_logits_or_nothing() -> None:
    encoder = HubCrossEncoder("some/model")
    assert encoder.score("q", ["a", "bb", "ccc"], 60_000) == [1, 2, 3]
    assert encoder.score("q", ["a"], 0) is None


def test_an_unknown_model_is_a_model_file_error() -> None:
    with pytest.raises(ModelFileError, match="'no/such' cannot be loaded"):
        HubDenseEncoder("no/such")
