"""Made-up points for measuring the store: vectors and tokens distributed as those of real text are.

Sentence embeddings do not fill their space: here 40 latent directions, in topics of different sizes,
are mapped to 384 and a little noise is added. (Independent Gaussian coordinates would be the worst case
for any approximate index, and like no text.) Tokens follow Zipf's law over 50,000 words, 60 in a chunk.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from contracts.chunks import Chunk, SparseVector
from store.engine import Point

DIMENSION, LATENT, TOPICS = 384, 40, 500
VOCABULARY, TOKENS, QUERY_TOKENS = 50_000, 60, 6
DOC_TYPES = tuple(f"type-{n}" for n in range(10))
TEXT = ("Basic salary, allowances and deductions of the month are listed by employee. " * 16)[:1200]
CHUNKS_PER_DOCUMENT = 20

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class World:
    """The fixed part: topics and the map from latent to dense directions."""

    topics: NDArray[np.float64]
    projection: NDArray[np.float64]

    @classmethod
    def make(cls) -> World:
        dice = np.random.default_rng(2025)
        return cls(dice.normal(size=(TOPICS, LATENT)), dice.normal(size=(LATENT, DIMENSION)) / np.sqrt(LATENT))

    def vectors(self, dice: np.random.Generator, count: int) -> Floats:
        """Unit vectors, shape (count, 384)."""
        topic = np.minimum(dice.zipf(1.3, size=count) - 1, TOPICS - 1)
        latent = self.topics[topic] + dice.normal(size=(count, LATENT)) * 0.7
        full = latent @ self.projection + dice.normal(size=(count, DIMENSION)) * 0.1
        unit: Floats = (full / np.linalg.norm(full, axis=1, keepdims=True)).astype(np.float32)
        return unit


def tokens(dice: np.random.Generator, count: int) -> SparseVector:
    drawn = np.unique(np.minimum(dice.zipf(1.15, size=count), VOCABULARY))
    weights = dice.uniform(0.4, 2.2, size=len(drawn))  # BM25's saturated frequencies, by length and repetition
    return SparseVector(indices=tuple(int(i) for i in drawn), values=tuple(float(w) for w in weights))


def points(world: World, count: int, batch: int = 500) -> Iterator[list[Point]]:
    """`count` chunk points as the index stores them, in batches; the same ones each time."""
    dice = np.random.default_rng(7)
    for start in range(0, count, batch):
        size = min(batch, count - start)
        vectors = world.vectors(dice, size)
        yield [_point(dice, start + n, vectors[n]) for n in range(size)]


def _point(dice: np.random.Generator, n: int, vector: Floats) -> Point:
    document = f"document-{n // CHUNKS_PER_DOCUMENT}"
    chunk = Chunk(
        chunk_id=str(uuid.uuid5(uuid.NAMESPACE_OID, str(n))),
        doc_id=document,
        kind="prose",
        text=TEXT,
        ordinal=n % CHUNKS_PER_DOCUMENT,
        page_start=1,
        page_end=1,
        line_start=1,
        line_end=20,
    )
    payload = {
        "kind": "prose",
        "doc_id": document,
        "name": [f"{document}.pdf"],
        "source": [f"/in/{document}.pdf"],
        "doc_type": DOC_TYPES[(n // CHUNKS_PER_DOCUMENT) % len(DOC_TYPES)],
        "groups": ["everyone"],
        "period": None,
        "language": "en",
        "granularity": 0,
        "codes": [],
        "page_start": 1,
        "body": chunk.model_dump_json(),
    }
    return Point(chunk.chunk_id, payload, tuple(vector.tolist()), tokens(dice, TOKENS))
