"""Vectors kept on disk between runs of a benchmark; embedding a corpus takes minutes, searching it seconds."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from contracts.protocols import DenseEncoder, Floats


class CachedDense:
    """A `DenseEncoder` that asks the other one only for texts that it has not seen; `save` writes them down."""

    def __init__(self, inner: DenseEncoder, folder: Path) -> None:
        self.inner = inner
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / f"{hashlib.sha256(inner.fingerprint.encode()).hexdigest()[:16]}.npz"
        self._known: dict[str, Floats] = {}
        if self._path.is_file():
            with np.load(self._path) as stored:
                self._known = dict(zip(stored["keys"].tolist(), stored["vectors"], strict=True))
        self.name, self.dimension, self.fingerprint = inner.name, inner.dimension, inner.fingerprint
        self.embedded = 0
        """Texts that were not in the cache."""

    def encode(self, texts: Sequence[str]) -> tuple[Floats, list[int]]:
        keys = [hashlib.sha256(text.encode()).hexdigest()[:32] for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if new:
            vectors, _ = self.inner.encode(list(new.values()))
            self._known.update(zip(new, vectors, strict=True))
            self.embedded += len(new)
        found = [self._known[key] for key in keys]
        return np.array(found, dtype=np.float32).reshape(len(texts), self.dimension), [0] * len(texts)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self.inner.count_tokens(texts)

    def save(self) -> None:
        if self.embedded:
            np.savez(self._path, keys=np.array(list(self._known)), vectors=np.array(list(self._known.values())))
