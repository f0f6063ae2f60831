"""allrows itself in the same seam, and the pipeline that it replaces: top-N sentence compression."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from contracts.questions import AskRequest
from contracts.settings import Settings
from evaluation.collect import evidence_of
from evaluation.corpus import ingest_here
from evaluation.peers.base import NO_BUDGET_MS, Retrieved
from serve.graph import follow
from serve.services import Services, open_services


class AllrowsPeer:
    name = "allrows"
    distributions = ("allrows",)

    def __init__(self, settings: Settings) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="allrows-peer-")
        changes = {"data_dir": Path(self._folder.name), "rerank_budget_ms": NO_BUDGET_MS, "qdrant_url": None}
        self.services: Services = open_services(settings.model_copy(update=changes), create=True)

    def index(self, folder: Path) -> None:
        ingest_here([folder], self.services)

    def retrieve(self, question: str) -> Retrieved:
        run = follow(AskRequest(question=question), self.services)
        return Retrieved(ranked=tuple(c.chunk.text for c in run.reranked), prompt=evidence_of(run))

    def close(self) -> None:
        self.services.close()
        self._folder.cleanup()


class BeforePeer:
    """The same index; rows compete as sentences for the prompt, as they did when twelve employees became one."""

    name = "before (top-N sentences)"
    distributions = ("allrows",)

    def __init__(self, allrows: AllrowsPeer) -> None:
        settings = allrows.services.settings.model_copy(update={"compress_rows_as_sentences": True})
        self._services = replace(allrows.services, settings=settings)

    def index(self, folder: Path) -> None:
        """Shares the index of `allrows`."""

    def retrieve(self, question: str) -> Retrieved:
        run = follow(AskRequest(question=question), self._services)
        return Retrieved(ranked=tuple(c.chunk.text for c in run.reranked), prompt=evidence_of(run))
