"""BM25 as sparse vectors, and as a score inside a small pool.

A document's vector holds the term part of Robertson's BM25 and a query's the counts of its tokens; the engine's IDF
modifier multiplies by `log(1 + (N - n + 0.5) / (n + 0.5))`, which is never negative, so that a corpus of two
documents works. The length norm uses a constant instead of the corpus' average, because vectors that are already
stored must not change when a document is added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from math import log

from contracts.chunks import SparseVector
from encode.tokens import tokenise

K1 = 1.5
B = 0.75
AVERAGE_TOKENS = 150.0
"""Tokens of a usual chunk: 1,200 characters less function words, identifiers counted in parts."""

TOKENISER_VERSION = "1"
"""Raise it whenever `tokenise` gives other tokens for some text: stored vectors are stale then."""


class Bm25Encoder:
    """Implements `contracts.protocols.SparseEncoder`.

    Formula: Robertson & Zaragoza, The Probabilistic Relevance Framework (2009), eq. 3.15; the IDF is Lucene's.
    """

    def __init__(self, k1: float = K1, b: float = B, average_tokens: float = AVERAGE_TOKENS) -> None:
        self._k1 = k1
        self._b = b
        self._average = average_tokens

    @property
    def fingerprint(self) -> str:
        return f"bm25 k1={self._k1:g} b={self._b:g} avg={self._average:g} tokens={TOKENISER_VERSION} blake2b-32"

    def encode_document(self, text: str) -> SparseVector:
        tokens = tokenise(text)
        counts = Counter(map(_index, tokens))
        return _vector({i: term_weight(tf, len(tokens), self._average, self._k1, self._b) for i, tf in counts.items()})

    def encode_query(self, text: str) -> SparseVector:
        """Token counts; no indices when the text has nothing but function words."""
        return _vector(Counter(map(_index, tokenise(text))))


def term_weight(tf: float, length: int, average: float, k1: float = K1, b: float = B) -> float:
    """The part of a term's score that only its own document tells: `tf` occurrences in `length` tokens."""
    return tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / average))


def idf(documents: int, containing: int) -> float:
    """Always above zero, also for a term that every document contains."""
    return log(1 + (documents - containing + 0.5) / (containing + 0.5))


def score_pool(question: str, texts: Sequence[str]) -> list[float]:
    """BM25 of each text, with the pool itself as the corpus (its own IDF and average length)."""
    counts = [Counter(tokenise(text)) for text in texts]
    average = sum(c.total() for c in counts) / max(len(counts), 1) or 1.0
    terms = Counter(tokenise(question))
    weights = {term: n * idf(len(counts), sum(term in c for c in counts)) for term, n in terms.items()}
    return [sum(w * term_weight(c[t], c.total(), average) for t, w in weights.items() if c[t]) for c in counts]


@lru_cache(maxsize=131_072)
def _index(token: str) -> int:
    return int.from_bytes(blake2b(token.encode(), digest_size=4).digest(), "big")


def _vector(weights: dict[int, float] | Counter[int]) -> SparseVector:
    indices = sorted(weights)
    return SparseVector(indices=tuple(indices), values=tuple(float(weights[i]) for i in indices))
