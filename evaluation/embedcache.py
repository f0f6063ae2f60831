"""An encoder that remembers: a sweep over chunk sizes embeds each text once."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from contracts.protocols import DenseEncoder, Floats


class CachedDense:
    """Vectors on disk by the text and the encoder's fingerprint."""

    def __init__(self, encoder: DenseEncoder, path: Path) -> None:
        self._encoder, self._path = encoder, path
        self._known: dict[str, Floats] = dict(np.load(path)) if path.is_file() else {}
        self.computed = 0
        """Texts that had to be embedded."""

    @property
    def name(self) -> str:
        return self._encoder.name

    @property
    def dimension(self) -> int:
        return self._encoder.dimension

    @property
    def fingerprint(self) -> str:
        return self._encoder.fingerprint

    def encode(self, texts: Sequence[str]) -> tuple[Floats, list[int]]:
        keys = [self._key(text) for text in texts]
        missing = {k: t for k, t in zip(keys, texts, strict=True) if k not in self._known}
        if missing:
            vectors, cut = self._encoder.encode(list(missing.values()))
            self._known.update(
                {k: np.append(v, n).astype(np.float32) for k, v, n in zip(missing, vectors, cut, strict=True)}
            )
            self.computed += len(missing)
        rows = np.stack([self._known[k] for k in keys]) if keys else np.empty((0, self.dimension + 1), np.float32)
        return rows[:, :-1], [int(n) for n in rows[:, -1]]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self._encoder.count_tokens(texts)

    def save(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(self._path, **self._known)  # type: ignore[arg-type]

    def _key(self, text: str) -> str:
        return hashlib.sha256(f"{self.fingerprint}\0{text}".encode()).hexdigest()
