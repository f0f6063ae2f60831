"""LangChain, after its ensemble retriever and cross-encoder reranker guides: 1000/200 splits, half and half, top 3."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from langchain_classic.retrievers import ContextualCompressionRetriever, EnsembleRetriever
from langchain_classic.retrievers.document_compressors import CrossEncoderReranker
from langchain_classic.retrievers.document_compressors.cross_encoder import BaseCrossEncoder
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_text_splitters import RecursiveCharacterTextSplitter

from evaluation.peers.base import Retrieved, Weights, pdfs

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the package announces its own end on import
    from langchain_community.document_loaders import PyPDFLoader
    from langchain_community.retrievers import BM25Retriever

RETRIEVED, RERANKED = 10, 3


class SharedEmbeddings(Embeddings):
    def __init__(self, weights: Weights) -> None:
        self._weights = weights

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return self._weights.embed(texts)

    def embed_query(self, text: str) -> list[float]:
        return self._weights.embed([text])[0]


class SharedCrossEncoder(BaseCrossEncoder):
    def __init__(self, weights: Weights) -> None:
        self._weights = weights

    def score(self, text_pairs: Sequence[tuple[str, str]]) -> list[float]:
        return self._weights.score(text_pairs[0][0], [text for _, text in text_pairs]) if text_pairs else []


class LangChainPeer:
    name = "LangChain"
    distributions = ("langchain-classic", "langchain-community", "langchain-text-splitters", "pypdf", "rank-bm25")

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._retriever: Any = None

    def index(self, folder: Path) -> None:
        pages = [page for path in pdfs(folder) for page in PyPDFLoader(str(path)).load()]
        splits = RecursiveCharacterTextSplitter(chunk_size=1000, chunk_overlap=200).split_documents(pages)
        vectors = InMemoryVectorStore(SharedEmbeddings(self._weights))
        vectors.add_documents(splits)
        ensemble = EnsembleRetriever(
            retrievers=[
                BM25Retriever.from_documents(splits, k=RETRIEVED),
                vectors.as_retriever(search_kwargs={"k": RETRIEVED}),
            ],
            weights=[0.5, 0.5],
        )
        reranker = CrossEncoderReranker(model=SharedCrossEncoder(self._weights), top_n=RERANKED)
        self._retriever = ContextualCompressionRetriever(base_compressor=reranker, base_retriever=ensemble)

    def retrieve(self, question: str) -> Retrieved:
        texts = tuple(d.page_content for d in self._retriever.invoke(question))
        return Retrieved(ranked=texts, prompt="\n\n".join(texts))
