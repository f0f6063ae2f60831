"""Uncertainty-aware multi-granularity fusion (UMG) and its promotion to parents (UMGP): the arithmetic.

An expert is a way to search (dense, sparse), a pair an expert at one window size. How peaked a pair's own scores are
tells how far it can be trusted for this question; nothing is trained. Pure functions on numbers and ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Literal

Pair = tuple[str, int]
"""Expert and granularity (sentences)."""

PROMOTED = (2, 4)
"""Granularities whose hits are replaced by their 8-sentence parent."""
OVERLAP = 0.75
"""A candidate is skipped when a chosen one holds more than this share of it."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """What a pair's scores say, over its candidates in their order."""

    probabilities: tuple[float, ...]
    entropy: float
    """Normalised, in [0, 1]."""
    degenerate: Literal["", "empty", "single", "flat"] = ""

    @property
    def confidence(self) -> float:
        return 1.0 - self.entropy


@dataclass(frozen=True, slots=True)
class Hits:
    """What one pair found: ids with raw scores, best first, and how many more candidates scored 0."""

    scores: Mapping[str, float]
    zeros: int = 0


@dataclass(frozen=True, slots=True)
class Mixture:
    """`scores`: P(u) for every window found. Weights are the pairs' shares of the mixture and sum to 1."""

    scores: dict[str, float]
    weights: dict[Pair, float]
    distributions: dict[Pair, Distribution]
    uniform: bool
    """No pair could be trusted, so all count the same."""


@dataclass(frozen=True, slots=True)
class Window:
    """Where a candidate stands; `start` and `end` are sentence numbers of its document, inclusive.

    A whole table chunk has granularity 0 and no range: -1.
    """

    id: str
    doc_id: str
    granularity: int
    start: int
    end: int
    tokens: int
    parent_id: str | None = None
    rows: bool = False
    """Rows of a table: its parent is the table's own chunk, whatever its size."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A chosen window with its mass P and its utility R, and the ids that it stands for."""

    window: Window
    mass: float
    utility: float
    members: tuple[str, ...]


def distribution(scores: Sequence[float], zeros: int = 0) -> Distribution:
    """Min-max of `scores` (and of `zeros` more candidates that score 0), as probabilities, with entropy `-Σ p ln p / ln n`.

    Entropy and so the confidence `1 - H` do not change with the order or with a linear rescaling of the scores.
    Defined by hand: no candidate, a single one and all equal tell nothing, so their confidence is 0.
    """
    count = len(scores) + zeros
    if not scores:
        return Distribution((), 1.0, "empty")
    if count == 1:
        return Distribution((1.0,), 1.0, "single")
    low = min(0.0, *scores) if zeros else min(scores)
    span = max(scores) - low
    if span <= 0:
        return Distribution((1.0 / count,) * len(scores), 1.0, "flat")
    shifted = [(score - low) / span for score in scores]
    total = sum(shifted)
    probabilities = tuple(s / total for s in shifted)
    entropy = -sum(p * log(p) for p in probabilities if p > 0) / log(count)
    return Distribution(probabilities, min(1.0, max(0.0, entropy)))


def mix(pairs: Mapping[Pair, Hits]) -> Mixture:
    """The confidence-weighted mixture `P(u) = Σ c p(u) / Σ c` over all pairs.

    Where no pair has any confidence, those that found something count the same.
    """
    found = {pair: distribution(list(hits.scores.values()), hits.zeros) for pair, hits in pairs.items()}
    trust = {pair: d.confidence for pair, d in found.items()}
    uniform = sum(trust.values()) <= 0
    if uniform:
        trust = {pair: float(bool(d.probabilities)) for pair, d in found.items()}
    total = sum(trust.values()) or 1.0
    weights = {pair: t / total for pair, t in trust.items()}
    scores: dict[str, float] = {}
    for pair, hits in pairs.items():
        for window, p in zip(hits.scores, found[pair].probabilities, strict=True):
            scores[window] = scores.get(window, 0.0) + weights[pair] * p
    return Mixture(scores=scores, weights=weights, distributions=found, uniform=uniform)


def utility(mass: float, tokens: int) -> float:
    """Evidence for its length: `R(u) = P(u) / sqrt(tokens(u))`."""
    return mass / sqrt(max(tokens, 1))


def parents_of(scores: Mapping[str, float], windows: Mapping[str, Window], sizes: Sequence[int]) -> dict[str, float]:
    """For each parent that hits of `sizes` sentences, and rows, are promoted to, the sum of their scores."""
    sums: dict[str, float] = {}
    for i, score in scores.items():
        if (parent := _promoted_to(windows[i], sizes)) is not None:
            sums[parent] = sums.get(parent, 0.0) + score
    return sums


def rank(scores: Mapping[str, float], windows: Mapping[str, Window], sizes: Sequence[int] = ()) -> list[Ranked]:
    """Windows by utility, best first; ties by id.

    UMGP gives the `sizes` (2, 4) whose hits are replaced by their parent; its score is the sum of theirs, at most 1.
    Rows are always replaced by their table's chunk: rows are structure, not sentences. `windows` holds the parents
    too; a hit whose parent is not among them stands for itself.
    """
    members: dict[str, list[str]] = {}
    for i in scores:
        parent = _promoted_to(windows[i], sizes)
        members.setdefault(parent if parent is not None and parent in windows else i, []).append(i)
    found = []
    for i, own in members.items():
        mass = min(1.0, sum(scores[m] for m in own))
        found.append(Ranked(windows[i], mass, utility(mass, windows[i].tokens), tuple(own)))
    return sorted(found, key=lambda r: (-r.utility, r.window.id))


def skip_overlapping(ranked: Iterable[Ranked], limit: int) -> tuple[list[Ranked], list[tuple[Ranked, str]]]:
    """The best `limit` of `ranked` without those that lie by more than 75 % in a better one; and the skipped, each with
    the id of the one that holds it."""
    kept: list[Ranked] = []
    skipped: list[tuple[Ranked, str]] = []
    for candidate in ranked:
        if len(kept) >= limit:
            break
        holder = next((k for k in kept if overlap(candidate.window, k.window) > OVERLAP), None)
        if holder is None:
            kept.append(candidate)
        else:
            skipped.append((candidate, holder.window.id))
    return kept, skipped


def overlap(window: Window, other: Window) -> float:
    """Share of `window`'s sentences that `other` holds too, in [0, 1]."""
    if window.doc_id != other.doc_id or min(window.start, other.start) < 0:
        return 0.0
    shared = min(window.end, other.end) - max(window.start, other.start) + 1
    return max(0, shared) / (window.end - window.start + 1)


def _promoted_to(window: Window, sizes: Sequence[int]) -> str | None:
    return window.parent_id if window.rows or window.granularity in sizes else None
