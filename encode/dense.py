"""Text to unit vectors (all-MiniLM-L6-v2 by default); no text is lost to the window."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from contracts.protocols import DenseEncoder, Floats
from contracts.settings import Settings
from encode.models import ModelFiles, find_model, is_hub_id
from encode.onnx import OnnxModel
from encode.windows import OVERLAP, average, plan_windows, unit

_BATCH_TOKENS = 128
"""Tokens of one run, padding included: short texts gain a third from company, long ones nothing."""


class OnnxDenseEncoder:
    """Implements `contracts.protocols.DenseEncoder`. Thread-safe."""

    def __init__(self, files: ModelFiles, threads: int = 0) -> None:
        self._files = files
        self._model = OnnxModel(files, threads)
        empty = self._model.tokenizer.encode("").ids
        self._first, self._last = empty[:1], empty[1:]
        self._window = files.max_tokens - len(empty)
        self._dimension: int = self._embed([list(empty)]).shape[1]  # also the first, slow run of the model

    @property
    def name(self) -> str:
        return self._files.name

    @property
    def dimension(self) -> int:
        return self._dimension

    @property
    def fingerprint(self) -> str:
        return f"{self._files.fingerprint} window={self._window} overlap={OVERLAP} {self._files.pooling}"

    def encode(self, texts: Sequence[str]) -> tuple[Floats, list[int]]:
        """Unit vectors, shape (texts, dimension), and 0 tokens cut for each text: windows cover everything."""
        if not texts:
            return np.zeros((0, self._dimension), dtype=np.float32), []
        tokens = self._ids(texts)
        plans = [plan_windows(len(ids), self._window) for ids in tokens]
        rows = [self._first + ids[a:b] + self._last for ids, plan in zip(tokens, plans, strict=True) for a, b in plan]
        vectors = self._embed_all(rows)
        merged, at = np.empty((len(texts), self._dimension), dtype=np.float32), 0
        for place, plan in enumerate(plans):
            own = vectors[at : at + len(plan)]
            merged[place] = own[0] if len(plan) == 1 else average(own, [b - a for a, b in plan])
            at += len(plan)
        return merged, [0] * len(texts)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(ids) for ids in self._ids(texts)]

    def _ids(self, texts: Sequence[str]) -> list[list[int]]:
        return [e.ids for e in self._model.tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)]

    def _embed_all(self, rows: list[list[int]]) -> Floats:
        """Runs rows of like length together and puts the vectors back in order."""
        order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
        batches: list[list[int]] = [[]]
        for i in order:
            if batches[-1] and (len(batches[-1]) + 1) * len(rows[i]) > _BATCH_TOKENS:
                batches.append([])
            batches[-1].append(i)
        vectors = np.empty((len(rows), self._dimension), dtype=np.float32)
        done = self._model.map(lambda batch: self._embed([rows[i] for i in batch]), batches)
        for batch, found in zip(batches, done, strict=True):
            vectors[batch] = found
        return vectors

    def _embed(self, rows: list[list[int]]) -> Floats:
        hidden, mask = self._model.run(rows)
        if self._files.pooling == "cls":
            return unit(hidden[:, 0])
        return unit((hidden * mask[:, :, np.newaxis]).sum(axis=1) / mask.sum(axis=1, keepdims=True))


def load_dense(settings: Settings) -> DenseEncoder:
    """The encoder that the settings name.

    Raises:
        ModelFileError: files are missing or changed, or the `hub` extra is.
    """
    if is_hub_id(settings.dense_model, "dense"):
        from encode.hub import HubDenseEncoder

        return HubDenseEncoder(settings.dense_model)
    return OnnxDenseEncoder(find_model(settings.dense_model, "dense"), settings.model_threads)
