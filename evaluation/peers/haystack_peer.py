"""Haystack, after its hybrid retrieval tutorial: word splits of 512/32, BM25 and embeddings, joiner, ranker."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from haystack import Document, Pipeline, component
from haystack.components.converters import PyPDFToDocument
from haystack.components.joiners import DocumentJoiner
from haystack.components.preprocessors import DocumentSplitter
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
from haystack.components.writers import DocumentWriter
from haystack.document_stores.in_memory import InMemoryDocumentStore

from evaluation.peers.base import Retrieved, Weights, pdfs

RANKER_TOP_K = 10
"""The ranker's own default."""


@component
class DocumentEmbedder:
    """The shared encoder as a Haystack component."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, Any]:
        vectors = self._weights.embed([d.content or "" for d in documents])
        from dataclasses import replace

        return {"documents": [replace(d, embedding=v) for d, v in zip(documents, vectors, strict=True)]}


@component
class TextEmbedder:
    def __init__(self, weights: Weights) -> None:
        self._weights = weights

    @component.output_types(embedding=list[float])
    def run(self, text: str) -> dict[str, Any]:
        return {"embedding": self._weights.embed([text])[0]}


@component
class Ranker:
    """The shared cross-encoder as a Haystack component."""

    def __init__(self, weights: Weights, top_k: int = RANKER_TOP_K) -> None:
        self._weights, self._top_k = weights, top_k

    @component.output_types(documents=list[Document])
    def run(self, query: str, documents: list[Document]) -> dict[str, Any]:
        scores = self._weights.score(query, [d.content or "" for d in documents])
        order = sorted(zip(scores, documents, strict=True), key=lambda pair: -pair[0])
        return {"documents": [d for _, d in order[: self._top_k]]}


class HaystackPeer:
    name = "Haystack"
    distributions = ("haystack-ai", "pypdf")

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._store = InMemoryDocumentStore()
        self._query = self._query_pipeline()

    def index(self, folder: Path) -> None:
        pipeline = Pipeline()
        pipeline.add_component("converter", PyPDFToDocument())
        pipeline.add_component("splitter", DocumentSplitter(split_by="word", split_length=512, split_overlap=32))
        pipeline.add_component("embedder", DocumentEmbedder(self._weights))
        pipeline.add_component("writer", DocumentWriter(self._store))
        pipeline.connect("converter", "splitter")
        pipeline.connect("splitter", "embedder")
        pipeline.connect("embedder", "writer")
        pipeline.run({"converter": {"sources": pdfs(folder)}})

    def _query_pipeline(self) -> Pipeline:
        pipeline = Pipeline()
        pipeline.add_component("text_embedder", TextEmbedder(self._weights))
        pipeline.add_component("embedding_retriever", InMemoryEmbeddingRetriever(self._store))
        pipeline.add_component("bm25_retriever", InMemoryBM25Retriever(self._store))
        pipeline.add_component("document_joiner", DocumentJoiner())
        pipeline.add_component("ranker", Ranker(self._weights))
        pipeline.connect("text_embedder.embedding", "embedding_retriever.query_embedding")
        pipeline.connect("bm25_retriever", "document_joiner")
        pipeline.connect("embedding_retriever", "document_joiner")
        pipeline.connect("document_joiner", "ranker")
        return pipeline

    def retrieve(self, question: str) -> Retrieved:
        asked = {
            "text_embedder": {"text": question},
            "bm25_retriever": {"query": question},
            "ranker": {"query": question},
        }
        texts = tuple(d.content or "" for d in self._query.run(asked)["ranker"]["documents"])
        return Retrieved(ranked=texts, prompt="\n\n".join(texts))
