"""Stand-ins for encoders and index that a worker process can load by name."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from contracts.chunks import EmbeddedChunk, SparseVector
from contracts.documents import Document, ParsedDocument
from contracts.protocols import Floats
from contracts.settings import Settings
from ingest.process import Encoders


class FakeDense:
    name = "fake"
    dimension = 4

    def __init__(self, fingerprint: str = "dense-1") -> None:
        self.fingerprint = fingerprint

    def encode(self, texts: Sequence[str]) -> tuple[Floats, list[int]]:
        rows = [[float(b) for b in hashlib.sha256(text.encode()).digest()[:4]] for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(texts), 4), [0] * len(texts)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]


class FakeSparse:
    fingerprint = "sparse-1"

    def encode_document(self, text: str) -> SparseVector:
        return SparseVector(indices=(len(text),), values=(1.0,))

    def encode_query(self, text: str) -> SparseVector:
        return self.encode_document(text)


def load_fakes(settings: Settings) -> Encoders:
    return FakeDense(), FakeSparse()


class FakeIndex:
    """What ingestion needs of an index, with the promises of `contracts.protocols.Index`."""

    version = "1"

    def __init__(self) -> None:
        self.parsed: dict[str, ParsedDocument] = {}
        self.embedded: dict[str, tuple[EmbeddedChunk, ...]] = {}
        self.puts: list[str] = []
        self.added: list[tuple[str, int]] = []
        self.finished = 0

    def documents(self) -> tuple[Document, ...]:
        return tuple(sorted((p.document for p in self.parsed.values()), key=lambda d: (d.name, d.doc_id)))

    def put(self, parsed: ParsedDocument, chunks: Sequence[EmbeddedChunk]) -> None:
        document = parsed.document
        for other in self.documents():
            if other.source == document.source and other.doc_id != document.doc_id:
                self.delete(other.doc_id)
        self.parsed[document.doc_id] = parsed
        self.embedded[document.doc_id] = tuple(chunks)
        self.puts.append(document.name)

    def add_chunks(self, doc_id: str, chunks: Sequence[EmbeddedChunk], granularities: Sequence[int] = ()) -> None:
        known = {e.chunk.chunk_id: e for e in (*self.embedded[doc_id], *chunks)}
        self.embedded[doc_id] = tuple(known.values())
        document = self.parsed[doc_id].document
        sizes = tuple(sorted({*document.granularities, *granularities}))
        document = document.model_copy(update={"granularities": sizes})
        self.parsed[doc_id] = self.parsed[doc_id].model_copy(update={"document": document})
        self.added.append((document.name, len(chunks)))

    def delete(self, doc_id: str) -> bool:
        self.embedded.pop(doc_id, None)
        return self.parsed.pop(doc_id, None) is not None

    def finish(self) -> None:
        self.finished += 1

    def named(self, name: str) -> ParsedDocument:
        return next(p for p in self.parsed.values() if p.document.name == name)

    def texts(self, name: str) -> list[str]:
        return [e.chunk.text for e in self.embedded[self.named(name).document.doc_id]]
