"""Documents, candidates and an index over passages, for the tests of understanding and deciding."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from contracts.chunks import SECTION_PATH, Chunk, EmbeddedChunk
from contracts.documents import Document, ParsedDocument
from contracts.evidence import Candidate, Dispatch
from contracts.questions import Question
from encode.bm25 import Bm25Encoder
from encode.codes import find_codes
from serve.analyse import analyse
from serve.lexicon import load_lexicon
from store.index import StoreIndex
from store.open import memory_index

LEXICON = load_lexicon()
HYBRID = Dispatch(strategy="hybrid", run=("dense", "bm25"), reasons={"outline": "none", "keywords": "none"})


def asked(text: str, documents: Sequence[Document] = ()) -> Question:
    return analyse(text, LEXICON, documents)


def document(name: str, doc_type: str = "unknown", period: str | None = None, title: str = "") -> Document:
    return Document(
        doc_id=name, name=name, source=str(Path("/files") / name), doc_type=doc_type, period=period, title=title
    )


def passage(
    text: str, *path: str, doc: str = "Contract.pdf", page: int = 1, line: int = 1, kind: str = "prose"
) -> Candidate:
    chunk = Chunk(
        chunk_id=f"{doc}:{page}:{line}", doc_id=doc, kind="table" if kind == "table" else "prose", text=text,
        ordinal=line, page_start=page, page_end=page, line_start=line, line_end=line + text.count("\n"),
        section_id="/".join(path) or None, section_title=SECTION_PATH.join(path), codes=find_codes(text),
        table_id=f"{doc}:table" if kind == "table" else None,
    )  # fmt: skip
    return Candidate(
        candidate_id=chunk.chunk_id, chunk=chunk, doc_name=doc, doc_type="contract", methods=("dense", "bm25")
    )


def index_of(*passages: Candidate) -> tuple[StoreIndex, Bm25Encoder]:
    """An in-memory index over the passages; all dense vectors are alike."""
    index, sparse = memory_index({"dimension": "4"}), Bm25Encoder()
    for name in dict.fromkeys(p.doc_name for p in passages):
        chunks = [
            p.chunk.model_copy(update={"chunk_id": _uuid(n)}) for n, p in enumerate(passages) if p.doc_name == name
        ]
        embedded = [
            EmbeddedChunk(chunk=c, dense=(1.0, 0.0, 0.0, 0.0), sparse=sparse.encode_document(c.searched_text))
            for c in chunks
        ]
        index.put(ParsedDocument(document=document(name), lines=(), outline=(), tables=()), embedded)
    return index, sparse


def _uuid(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012}"


class ScriptedEncoder:
    """A cross-encoder that gives the logit of the first phrase found in the text, else -10."""

    name = "scripted"

    def __init__(self, **logits: float) -> None:
        self._logits = {phrase.replace("_", " "): logit for phrase, logit in logits.items()}
        self.read: list[str] = []

    def score(self, question: str, texts: Sequence[str], budget_ms: float) -> list[float] | None:
        self.read.extend(texts)
        return [next((v for p, v in self._logits.items() if p in text), -10.0) for text in texts]
