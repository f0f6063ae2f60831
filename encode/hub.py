"""Any sentence-transformers model, with the extra `hub`. Importing this file without the extra raises ImportError."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from sentence_transformers import CrossEncoder as _CrossEncoder
from sentence_transformers import SentenceTransformer

from contracts.protocols import Floats


class HubDenseEncoder:
    """Texts beyond the model's window are cut by the library; the cut is counted and reported."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._model = SentenceTransformer(name, device="cpu")
        self.dimension = int(self._model.get_sentence_embedding_dimension() or 0)

    @property
    def fingerprint(self) -> str:
        return f"hub/{self.name}/{self._model.max_seq_length}"

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        encoded = self._model.tokenizer(list(texts), add_special_tokens=False, truncation=False)
        return [len(ids) for ids in encoded["input_ids"]]

    def encode(self, texts: Sequence[str]) -> tuple[Floats, list[int]]:
        vectors = self._model.encode(list(texts), normalize_embeddings=True, convert_to_numpy=True)
        room = int(self._model.max_seq_length or 512) - 2
        return np.asarray(vectors, dtype=np.float32), [max(0, n - room) for n in self.count_tokens(texts)]


class HubCrossEncoder:
    def __init__(self, name: str) -> None:
        self.name = name
        self._model = _CrossEncoder(name, device="cpu")

    def score(self, question: str, texts: Sequence[str], budget_ms: float) -> list[float] | None:
        """Logits; the budget is checked between texts."""
        deadline = time.perf_counter() + budget_ms / 1000
        logits = []
        for text in texts:
            if time.perf_counter() >= deadline:
                return None
            logits.append(float(self._model.predict([(question, text)], activation_fn=_identity)[0]))
        return logits


def _identity(logits: object) -> object:
    return logits
