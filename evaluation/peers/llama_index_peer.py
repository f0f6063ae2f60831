"""LlamaIndex, after its reciprocal rerank fusion and reranker examples: 1024-token nodes, vector and BM25, top 3."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from llama_index.core import SimpleDirectoryReader, VectorStoreIndex
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.llms import MockLLM
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle
from llama_index.retrievers.bm25 import BM25Retriever
from pydantic import PrivateAttr

from evaluation.peers.base import Retrieved, Weights

RETRIEVED, RERANKED = 10, 3


class Embedding(BaseEmbedding):
    """The shared encoder."""

    _weights: Weights = PrivateAttr()

    def __init__(self, weights: Weights) -> None:
        super().__init__(model_name="shared", embed_batch_size=64)
        self._weights = weights

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._weights.embed([query])[0]

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._weights.embed([text])[0]

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return self._weights.embed(texts)


class Reranker(BaseNodePostprocessor):
    """The shared cross-encoder."""

    _weights: Weights = PrivateAttr()

    def __init__(self, weights: Weights) -> None:
        super().__init__()
        self._weights = weights

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        assert query_bundle is not None
        texts = [n.node.get_content(metadata_mode=MetadataMode.EMBED) for n in nodes]
        scores = self._weights.score(query_bundle.query_str, texts)
        order = sorted(zip(scores, nodes, strict=True), key=lambda pair: -pair[0])
        return [node for _, node in order[:RERANKED]]


class LlamaIndexPeer:
    name = "LlamaIndex"
    distributions = ("llama-index-core", "llama-index-readers-file", "llama-index-retrievers-bm25")

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._retriever: Any = None

    def index(self, folder: Path) -> None:
        documents = SimpleDirectoryReader(str(folder), recursive=True, required_exts=[".pdf"]).load_data()
        nodes = SentenceSplitter(chunk_size=1024, chunk_overlap=20).get_nodes_from_documents(documents)
        index = VectorStoreIndex(nodes, embed_model=Embedding(self._weights))
        retrievers = [
            index.as_retriever(similarity_top_k=RETRIEVED),
            BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=min(RETRIEVED, len(nodes))),
        ]
        # One query: generating more needs a language model, which no pipeline here has.
        self._retriever = QueryFusionRetriever(
            retrievers,
            llm=MockLLM(),
            num_queries=1,
            mode="reciprocal_rerank",
            similarity_top_k=RETRIEVED,
            use_async=False,
        )

    def retrieve(self, question: str) -> Retrieved:
        nodes = self._retriever.retrieve(question)
        best = Reranker(self._weights).postprocess_nodes(nodes, query_str=question)
        texts = tuple(n.node.get_content(metadata_mode=MetadataMode.LLM) for n in best)
        return Retrieved(ranked=texts, prompt="\n\n".join(texts))
