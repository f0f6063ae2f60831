"""One document through every stage but the last: parse → chunk → embed. Runs in a worker process."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from contracts.base import Record
from contracts.chunks import Chunk, EmbeddedChunk
from contracts.documents import ParsedDocument, RowRole
from contracts.errors import InputError
from contracts.protocols import DenseEncoder, SparseEncoder
from contracts.settings import Settings
from encode.tokens import find_codes
from ingest.chunk import chunk_prose
from ingest.furniture import find_furniture
from ingest.parse import parse
from ingest.plan import Task
from ingest.table_chunk import chunk_tables, wide_table_warnings
from ingest.windows import make_windows

Encoders = tuple[DenseEncoder, SparseEncoder]
LoadEncoders = Callable[[Settings], Encoders]
"""A function of a module, so that a worker process can find it by name."""

_BATCH = 256
"""Chunks embedded in one call; bounds what a document of thousands of pages needs at once."""


class Processed(Record):
    """A document ready to be stored."""

    parsed: ParsedDocument
    chunks: tuple[EmbeddedChunk, ...]
    stages: dict[str, float]
    """Seconds of `parse`, `chunk` and `embed`."""

    @property
    def rows(self) -> int:
        return sum(row.role is not RowRole.HEADER for table in self.parsed.tables for row in table.rows)


class Processor:
    def __init__(self, settings: Settings, dense: DenseEncoder, sparse: SparseEncoder) -> None:
        self._settings = settings
        self._dense = dense
        self._sparse = sparse

    def __call__(self, task: Task) -> Processed:
        """
        Raises:
            InputError: the file cannot be used.
        """
        stages: dict[str, float] = {}
        with _timed(stages, "parse"):
            parsed = self._parse(task)
        with _timed(stages, "chunk"):
            windows = make_windows(parsed, task.granularities, self._settings.chunk_size)
            if task.only_windows:
                chunks = [window for window in windows if window.granularity in task.only_windows]
            else:
                chunks = [*make_chunks(parsed, self._settings), *windows]
        if not chunks and not task.only_windows:
            raise InputError(
                str(task.file.path), "holds no text.", "Check that it is the right file; scans need OCR first."
            )
        with _timed(stages, "embed"):
            embedded = tuple(embed(chunks, self._dense, self._sparse))
        return Processed(parsed=parsed, chunks=embedded, stages=stages)

    def _parse(self, task: Task) -> ParsedDocument:
        file = task.file
        parsed = parse(file.path, file.metadata, source=file.source, name=file.name)
        warnings = parsed.document.warnings + tuple(wide_table_warnings(parsed.tables, self._settings.chunk_size))
        update = {"fingerprint": task.fingerprint, "warnings": warnings, "granularities": task.granularities}
        return parsed.model_copy(update={"document": parsed.document.model_copy(update=update)})


def make_chunks(parsed: ParsedDocument, settings: Settings) -> list[Chunk]:
    """Prose and table chunks in document order, with their codes."""
    prose = chunk_prose(parsed, find_furniture(parsed.lines), settings.chunk_size, settings.chunk_overlap)
    chunks = [*prose, *chunk_tables(parsed, settings.chunk_size)]
    chunks.sort(key=lambda chunk: (chunk.page_start, chunk.line_start))
    return [
        chunk.model_copy(update={"ordinal": ordinal, "codes": tuple(find_codes(chunk.text))})
        for ordinal, chunk in enumerate(chunks)
    ]


def embed(chunks: Sequence[Chunk], dense: DenseEncoder, sparse: SparseEncoder) -> Iterator[EmbeddedChunk]:
    """Both vectors of every chunk, and its tokens counted."""
    for start in range(0, len(chunks), _BATCH):
        batch = chunks[start : start + _BATCH]
        texts = [chunk.searched_text for chunk in batch]
        vectors, cut = dense.encode(texts)
        counts = dense.count_tokens(texts)
        for chunk, text, vector, tokens, lost in zip(batch, texts, vectors.tolist(), counts, cut, strict=True):
            yield EmbeddedChunk(
                chunk=chunk.model_copy(update={"tokens": tokens}),
                dense=tuple(vector),
                sparse=sparse.encode_document(text),
                tokens_cut=lost,
            )


def load_encoders(settings: Settings) -> Encoders:
    from encode.bm25 import Bm25Encoder
    from encode.dense import load_dense

    return load_dense(settings), Bm25Encoder()


def make_processor(settings: Settings, load: LoadEncoders) -> Processor:
    return Processor(settings, *load(settings))


@contextmanager
def _timed(stages: dict[str, float], name: str) -> Iterator[None]:
    start = time.perf_counter()
    yield
    stages[name] = time.perf_counter() - start
