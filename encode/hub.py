"""Any model of a hub, through sentence-transformers (extra `hub`); the same windows as the packaged encoder."""

from __future__ import annotations

import importlib
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from contracts.errors import ModelFileError
from contracts.protocols import Floats
from encode.models import HUB_REMEDY
from encode.windows import OVERLAP, average, plan_windows, unit

_PAIRS = 2
"""Pairs of one run; the time budget is looked at between runs."""


class HubDenseEncoder:
    """Implements `contracts.protocols.DenseEncoder`."""

    def __init__(self, model: str) -> None:
        self.name = model
        self._model = _load("SentenceTransformer", model)
        self._window = int(self._model.max_seq_length or 256) - 2
        self.dimension = int(self._model.get_sentence_embedding_dimension())
        revision = getattr(self._model[0].auto_model.config, "_commit_hash", None) or "local"
        self.fingerprint = f"{model}@{revision} window={self._window} overlap={OVERLAP}"

    def encode(self, texts: Sequence[str]) -> tuple[Floats, list[int]]:
        """Unit vectors, shape (texts, dimension), and 0 tokens cut for each text."""
        plans = [self._pieces(text) for text in texts]
        pieces = [piece for plan in plans for piece, _ in plan]
        vectors = unit(np.asarray(self._model.encode(pieces, convert_to_numpy=True), dtype=np.float32))
        merged, at = np.empty((len(texts), self.dimension), dtype=np.float32), 0
        for place, plan in enumerate(plans):
            merged[place] = average(vectors[at : at + len(plan)], [tokens for _, tokens in plan])
            at += len(plan)
        return merged, [0] * len(texts)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(self._offsets(text)) for text in texts]

    def _offsets(self, text: str) -> list[tuple[int, int]]:
        tokens = self._model.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, truncation=False)
        return list(tokens["offset_mapping"])

    def _pieces(self, text: str) -> list[tuple[str, int]]:
        offsets = self._offsets(text)
        if len(offsets) <= self._window:
            return [(text, len(offsets))]
        plan = plan_windows(len(offsets), self._window)
        return [(text[offsets[a][0] : offsets[b - 1][1]], b - a) for a, b in plan]


class HubCrossEncoder:
    """Implements `contracts.protocols.CrossEncoder`."""

    def __init__(self, model: str) -> None:
        self.name = model
        self._model = _load("CrossEncoder", model)
        self._identity = importlib.import_module("torch.nn").Identity()

    def score(self, question: str, texts: Sequence[str], budget_ms: float) -> list[float] | None:
        """Logits, one per text; None when the budget ran out before all were scored."""
        deadline = time.perf_counter() + budget_ms / 1000
        logits: list[float] = []
        for start in range(0, len(texts), _PAIRS):
            if time.perf_counter() >= deadline:
                return None
            pairs = [(question, text) for text in texts[start : start + _PAIRS]]
            found = self._model.predict(pairs, activation_fn=self._identity, show_progress_bar=False)
            logits.extend(float(x) for x in found)
        return logits


def _load(kind: str, model: str) -> Any:
    try:
        library = importlib.import_module("sentence_transformers")
    except ImportError:
        raise ModelFileError(f"{model!r} is neither packaged nor a folder.", HUB_REMEDY.capitalize()) from None
    try:
        return getattr(library, kind)(model, device="cpu")
    except (OSError, ValueError) as error:
        raise ModelFileError(f"{model!r} cannot be loaded: {error}", "Check the id and the connection.") from error
