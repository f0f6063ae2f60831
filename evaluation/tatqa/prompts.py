"""Do the gold cells reach the prompt? Rerank and compression as the service runs them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from compression.compress import compress
from contracts.base import Record
from contracts.chunks import Chunk
from contracts.evidence import Candidate
from contracts.filters import Scope
from contracts.protocols import CrossEncoder
from evaluation.tatqa.data import TatQuestion
from evaluation.tatqa.relevance import kept
from evaluation.tatqa.search import Pool, Ranker
from serve.analyse import analyse
from serve.rerank import rerank
from serve.services import Services
from serve.widen import widen


class Kept(Record):
    """Of one question: gold cells before and after compression, characters before and after."""

    cells: int
    before: int
    after: int
    chars_before: int
    chars_after: int
    mixed: bool
    """Prose and table rows together."""


class CachedCrossEncoder:
    """Scores on disk by question and text, so that rankings which share candidates pay once."""

    name = "cached"

    def __init__(self, encoder: CrossEncoder, path: Path) -> None:
        self._encoder, self._path = encoder, path
        self._scores: dict[str, float] = json.loads(path.read_text()) if path.is_file() else {}

    def score(self, question: str, texts: Sequence[str], budget_ms: float) -> list[float] | None:
        missing = [t for t in texts if f"{question}\0{t}" not in self._scores]
        new = self._encoder.score(question, missing, 600_000.0) if missing else []
        for text, score in zip(missing, new or [], strict=True):
            self._scores[f"{question}\0{text}"] = score
        return [self._scores[f"{question}\0{t}"] for t in texts]

    def save(self) -> None:
        self._path.write_text(json.dumps(self._scores))


def prompt_cells(
    pool: Pool, ranker: Ranker, services: Services, encoder: CrossEncoder, rows_as_sentences: bool = False
) -> Kept:
    """Ranks, reranks and compresses as `ask` does at the default budget."""
    settings = services.settings
    whole = widen(services.index, ranker(pool.candidates), Scope())
    result = rerank(
        pool.question.text,
        whole,
        encoder,
        read=settings.top_k_before_rerank,
        keep=settings.top_k_after_rerank,
        budget_ms=settings.rerank_budget_ms,
    )
    return compressed_cells(pool.question, [c.chunk for c in result.kept], services, rows_as_sentences)


def compressed_cells(
    question: TatQuestion, chunks: Sequence[Chunk], services: Services, rows_as_sentences: bool = False
) -> Kept:
    """Gold cells in the chunks and in what compression leaves of them."""
    settings = services.settings
    compressed = compress(
        analyse(question.text, services.lexicon, ()),
        chunks,
        settings.max_context_chars,
        threshold=settings.sentence_threshold,
        rows_as_sentences=rows_as_sentences,
    )
    return Kept(
        cells=len(question.cells),
        before=kept(question.cells, "\n".join(c.text for c in chunks)),
        after=kept(question.cells, compressed.text),
        chars_before=compressed.chars_before,
        chars_after=compressed.chars_after,
        mixed={c.kind for c in chunks} >= {"prose", "table"},
    )


def own_chunks(pool: Pool, ranker: Ranker) -> list[Chunk]:
    """The chunks of a pool, best first."""
    ranked: tuple[Candidate, ...] = ranker(pool.candidates)
    return [c.chunk for c in ranked]
