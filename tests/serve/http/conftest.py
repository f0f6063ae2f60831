from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from serve.http.app import create_app
from serve.jobs import IngestOptions, IngestOutcome, Progress, UploadMeta
from serve.tracestore import open_tracestore
from tests.serve.http.fakes import FakeEngine, FakeIndex, make_document, make_services

BASE = "http://127.0.0.1"


@dataclass
class World:
    """An application over two documents of different groups, with its parts at hand."""

    folder: Path
    index: FakeIndex
    app: Any
    engine: FakeEngine
    ingested: list[tuple[tuple[Path, ...], UploadMeta | None]] = field(default_factory=list)

    @property
    def state(self) -> Any:
        return self.app.state.allrows

    def key(self, name: str, role: str, *groups: str) -> dict[str, str]:
        """Headers of a new key."""
        return {"Authorization": f"Bearer {self.state.keys.add(name, role, groups)}"}

    def client(self, headers: dict[str, str] | None = None) -> TestClient:
        return TestClient(self.app, base_url=BASE, headers=headers, raise_server_exceptions=False)


def make_world(folder: Path, **settings: Any) -> World:
    index = FakeIndex(make_document("april.pdf", "payroll"), make_document("invoice.pdf", "finance"))
    services = make_services(folder, index, **settings)
    engine = FakeEngine(index, open_tracestore(services.settings, index))  # type: ignore[arg-type]
    world = World(folder=folder, index=index, app=None, engine=engine)

    def ingestor(
        paths: Sequence[Path], meta: UploadMeta | None, options: IngestOptions, progress: Progress
    ) -> IngestOutcome:
        progress("parse", 1, 2)
        world.ingested.append((tuple(paths), meta))
        documents = []
        for path in paths:
            if path.suffix == ".bad":
                return IngestOutcome(failed={path.name: "it is broken"})
            document = make_document(path.name, *(meta.groups if meta else ("everyone",)))
            document = document.model_copy(update={"doc_id": path.parent.name, "source": meta.source if meta else ""})
            index.add(document)
            documents.append(document.doc_id)
        return IngestOutcome(documents=tuple(documents))

    world.app = create_app(services, ingestor, engine=engine)
    return world


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., World]:
    """A world with settings of its own."""
    return lambda **settings: make_world(tmp_path, **settings)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = make_world(tmp_path)
    with made.client():
        yield made
