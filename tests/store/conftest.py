"""The engines that the conformance suite runs on."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import qdrant_edge

from contracts.settings import Settings, load_settings
from store.engine import Catalogue, CollectionSpec, Engine
from store.index import StoreIndex
from store.memory import MemoryCatalogue
from store.open import catalogue_of, open_index, open_on
from store.remote import IDF_CORPUS_SINCE
from tests.store.rest_stub import RestStub
from tests.store.samples import DIMENSION, MADE_WITH

ENGINES = ("embedded", "memory", "rest-stub", "server", "server-grpc")
Configure = Callable[..., Settings]


@pytest.fixture(scope="session")
def rest_stub() -> Iterator[RestStub]:
    with RestStub() as stub:
        yield stub


@pytest.fixture(params=ENGINES)
def kind(request: pytest.FixtureRequest, record_property) -> str:
    url, grpc = os.environ.get("ALLROWS_TEST_QDRANT_URL"), os.environ.get("ALLROWS_TEST_QDRANT_GRPC_PORT")
    if request.param == "server" and not url:
        pytest.skip("needs a Qdrant server: set ALLROWS_TEST_QDRANT_URL")
    if request.param == "server-grpc" and not (url and grpc):
        pytest.skip("needs a Qdrant server's gRPC port: set ALLROWS_TEST_QDRANT_URL and ALLROWS_TEST_QDRANT_GRPC_PORT")
    record_property("engine", request.param)
    return str(request.param)


@pytest.fixture
def configured(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Settings]:
    """Settings of one engine, with a collection name of the test's own; what it leaves on a server is dropped."""
    given: dict[str, object] = {"data_dir": tmp_path, "collection": f"test-{secrets.token_hex(6)}"}
    if kind == "rest-stub":
        given["qdrant_url"] = request.getfixturevalue("rest_stub").url
    elif kind.startswith("server"):
        given["qdrant_url"] = os.environ["ALLROWS_TEST_QDRANT_URL"]
        given["qdrant_api_key"] = os.environ.get("ALLROWS_TEST_QDRANT_API_KEY")
    if kind == "server-grpc":
        given |= {"qdrant_prefer_grpc": True, "qdrant_grpc_port": int(os.environ["ALLROWS_TEST_QDRANT_GRPC_PORT"])}
    settings = load_settings({}, overrides={k: v for k, v in given.items() if v is not None})[0]
    yield settings
    if settings.qdrant_url is not None:
        _drop(settings)


@pytest.fixture
def catalogue(kind: str, configured: Settings) -> Iterator[Catalogue]:
    found: Catalogue = MemoryCatalogue() if kind == "memory" else catalogue_of(configured, create=True)
    yield found
    found.close()


@pytest.fixture
def engine(catalogue: Catalogue, configured: Settings) -> Engine:
    return catalogue.create(f"{configured.collection}--1", CollectionSpec(DIMENSION))


@pytest.fixture
def bounded_idf(kind: str, configured: Settings) -> None:
    """For tests of BM25 statistics that hold from server version 1.19 on."""
    if kind.startswith("server"):
        server = catalogue_of(configured)
        old = server._version < IDF_CORPUS_SINCE
        server.close()
        if old:
            pytest.skip("this server is older than 1.19 and counts deleted chunks and windows; `doctor` says so")


@pytest.fixture
def index(kind: str, configured: Settings) -> Iterator[StoreIndex]:
    opened = (
        open_on(MemoryCatalogue(), configured, MADE_WITH, create=True)
        if kind == "memory"
        else open_index(configured, MADE_WITH, create=True)
    )
    yield opened
    opened.close()


@pytest.fixture
def lose_index(kind: str) -> Callable[[Engine, str], None]:
    """Removes a payload index behind the program's back, as another tool would."""

    def lose(engine: Engine, field: str) -> None:
        if kind == "embedded":
            engine._update(qdrant_edge.UpdateOperation.delete_field_index(field))
        elif kind == "memory":
            engine._kept.pop(field)
        else:
            engine._client.delete_payload_index(engine.collection, field)

    return lose


def _drop(settings: Settings) -> None:
    catalogue = catalogue_of(settings)
    aliases = [a for a in catalogue.aliases() if a.startswith(settings.collection)]
    catalogue.assign(dict.fromkeys(aliases))
    for name in catalogue.names():
        if name.startswith(settings.collection):
            catalogue.drop(name)
    catalogue.close()
