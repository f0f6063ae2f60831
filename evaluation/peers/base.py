"""What a framework has to do to be compared, and what is kept of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from contracts.base import Record
from contracts.protocols import CrossEncoder, DenseEncoder

NO_BUDGET_MS = 600_000.0
"""Peers have no time budget: every candidate is scored."""


class Weights:
    """The one pair of models that every pipeline uses."""

    def __init__(self, dense: DenseEncoder, cross: CrossEncoder) -> None:
        self._dense, self._cross = dense, cross

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Unit vectors."""
        return [[float(x) for x in vector] for vector in self._dense.encode(list(texts))[0]]

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """Logits, one per text."""
        scores = self._cross.score(question, list(texts), NO_BUDGET_MS) if texts else []
        assert scores is not None
        return scores


class Retrieved(Record):
    """What one question brought."""

    ranked: tuple[str, ...]
    """Texts of the passages, best first, as far as the pipeline ranks them."""
    prompt: str
    """The evidence that would go to a language model."""


class Peer(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def distributions(self) -> tuple[str, ...]:
        """Packages that its documentation says to install."""
        ...

    def index(self, folder: Path) -> None:
        """Reads every PDF below the folder."""
        ...

    def retrieve(self, question: str) -> Retrieved: ...


def pdfs(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.pdf"))
