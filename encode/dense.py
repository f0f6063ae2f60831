"""Texts to unit vectors. A text longer than the window is embedded in windows and averaged: nothing is lost unseen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from contracts.errors import ModelFileError
from contracts.protocols import DenseEncoder, Floats
from contracts.settings import Settings
from encode.models import ModelFiles, find_files
from encode.onnx import open_session, open_tokenizer, run

WINDOW = 256
"""Tokens that all-MiniLM-L6-v2 was made to read, with the two special ones."""
STRIDE = 32
"""Tokens that two windows share, so that no phrase is only ever seen cut."""
BATCH_TOKENS = 4096
"""Tokens of one run, padding included; bounds memory."""


class OnnxDenseEncoder:
    """Mean pooling over the attention mask, windows averaged by their number of tokens, then L2 norm 1."""

    def __init__(self, files: ModelFiles, threads: int) -> None:
        self._tokenizer = open_tokenizer(files)
        self._session = open_session(files, threads)
        self._files = files
        self._cls, self._sep = self._tokenizer.encode("").ids
        self.dimension = int(self._session.get_outputs()[0].shape[-1])

    @property
    def name(self) -> str:
        return self._files.name

    @property
    def fingerprint(self) -> str:
        return f"{self._files.fingerprint}/mean/{WINDOW}/{STRIDE}"

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Without special tokens."""
        return [len(e.ids) for e in self._tokenizer.encode_batch(list(texts), add_special_tokens=False)]

    def encode(self, texts: Sequence[str]) -> tuple[Floats, list[int]]:
        """Shape (n, dimension), and per text the tokens that no window saw: always 0."""
        windows = [
            (i, window)
            for i, encoding in enumerate(self._tokenizer.encode_batch(list(texts), add_special_tokens=False))
            for window in _windows(encoding.ids)
        ]
        sums = np.zeros((len(texts), self.dimension), dtype=np.float64)
        for batch in _batches(windows):
            for (i, window), vector in zip(batch, self._embed([w for _, w in batch]), strict=True):
                sums[i] += vector * max(len(window), 1)
        norms = np.linalg.norm(sums, axis=1, keepdims=True)
        return (sums / np.where(norms == 0, 1, norms)).astype(np.float32), [0] * len(texts)

    def _embed(self, windows: Sequence[Sequence[int]]) -> Floats:
        ids = [[self._cls, *w, self._sep] for w in windows]
        hidden, mask = run(self._session, ids, [[0] * len(row) for row in ids])
        weights = mask[:, :, None].astype(np.float32)
        pooled: Floats = (hidden * weights).sum(axis=1) / weights.sum(axis=1)
        return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)


def _windows(ids: Sequence[int]) -> list[Sequence[int]]:
    size = WINDOW - 2
    if len(ids) <= size:
        return [ids]
    return [ids[start : start + size] for start in range(0, len(ids) - STRIDE, size - STRIDE)]


def _batches(windows: list[tuple[int, Sequence[int]]]) -> list[list[tuple[int, Sequence[int]]]]:
    """Windows of like length together, so that little is padded."""
    batches: list[list[tuple[int, Sequence[int]]]] = []
    for item in sorted(windows, key=lambda w: len(w[1])):
        if not batches or (len(batches[-1]) + 1) * (len(item[1]) + 2) > BATCH_TOKENS:
            batches.append([])
        batches[-1].append(item)
    return batches


def load_dense(settings: Settings) -> DenseEncoder:
    """The encoder that the settings name.

    Raises:
        ModelFileError: its files are missing, not the pinned ones, or it needs the extra `hub`.
    """
    files = find_files(settings.dense_model)
    if files is not None:
        return OnnxDenseEncoder(files, settings.model_threads)
    return _from_hub(settings.dense_model)


def _from_hub(name: str) -> Any:
    try:
        from encode.hub import HubDenseEncoder
    except ImportError:
        raise ModelFileError(
            f"DENSE_MODEL={name!r} is neither packaged nor a folder; as a hub model it needs the extra `hub`.",
            "pip install 'allrows[hub]'",
        ) from None
    return HubDenseEncoder(name)
