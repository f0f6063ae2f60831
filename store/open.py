"""The way in: the index that the settings name, checked against what the engine really holds."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping

from contracts.errors import IndexError_, IndexMismatch
from contracts.settings import Settings
from store.embedded import EmbeddedCatalogue
from store.engine import Catalogue, CollectionSpec, Engine
from store.findings import schema_problems
from store.index import StoreIndex
from store.schema import SCHEMA_VERSION
from store.view import View, read_view, state_point

DIMENSION = "dimension"
"""The fingerprint that gives the length of dense vectors."""
DEFAULT_DIMENSION = "384"


def catalogue_of(settings: Settings, *, create: bool = False) -> Catalogue:
    """The server when a URL is set, else the folder, which is made only with `create`.

    Raises:
        StoreUnavailable: the server cannot be reached.
        IndexLocked: another process holds the folder.
        IndexError_: there is no folder and none may be made.
    """
    if settings.qdrant_url is not None:
        from store.server import ServerCatalogue  # its client is slow to import

        return ServerCatalogue(settings)
    folder = settings.data_dir / "index"
    if not create and not folder.is_dir():
        raise IndexError_(f"{folder}: there is no index yet.", "`allrows ingest PATH` makes one.")
    return EmbeddedCatalogue(folder)


def open_index(settings: Settings, fingerprints: Mapping[str, str], *, create: bool) -> StoreIndex:
    """The live index.

    `fingerprints` name what the caller's vectors and chunks are made with (encoder, tokeniser, chunk
    settings, `dimension`); each must equal what the index was made with. A reader passes only those
    that it depends on.

    Raises:
        IndexError_: there is none and `create` is off.
        IndexMismatch: fingerprints, schema or payload indexes differ.
    """
    folder = settings.data_dir / "index"
    if not create and settings.qdrant_url is None and not folder.is_dir():
        raise _nothing_yet(str(folder))  # before anything is written there
    return open_on(catalogue_of(settings, create=create), settings, fingerprints, create=create)


def open_on(catalogue: Catalogue, settings: Settings, fingerprints: Mapping[str, str], *, create: bool) -> StoreIndex:
    """As `open_index`, on a catalogue that is open; it is closed with the index, also when this fails."""
    try:
        if settings.collection not in catalogue.aliases():
            if not create:
                raise _nothing_yet(catalogue.location)
            engine = new_collection(catalogue, settings, fingerprints)
            catalogue.assign({settings.collection: engine.collection})
        index = StoreIndex(catalogue, settings.collection)
        view = read_view(catalogue.lookup(settings.collection))
        verify(catalogue.open(view.collection), view, fingerprints)
        if catalogue.kind == "embedded":
            index.repair()  # nobody else can be publishing: the folder is ours alone
        return index
    except BaseException:
        catalogue.close()
        raise


def _nothing_yet(location: str) -> IndexError_:
    return IndexError_(f"{location}: there is no index yet.", "`allrows ingest PATH` makes one.")


def memory_index(fingerprints: Mapping[str, str] | None = None) -> StoreIndex:
    """An empty index of the Python client's in-memory mode, for tests."""
    from store.memory import MemoryCatalogue

    return open_on(MemoryCatalogue(), Settings(), fingerprints or {}, create=True)


def new_collection(catalogue: Catalogue, settings: Settings, fingerprints: Mapping[str, str]) -> Engine:
    """An empty collection with its indexes and its state; not live yet."""
    stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime())
    name = f"{settings.collection}--{stamp}-{secrets.token_hex(3)}"
    spec = CollectionSpec(
        dimension=int(fingerprints.get(DIMENSION, DEFAULT_DIMENSION)),
        quantization=settings.quantization,
        shards=settings.qdrant_shards,
        replication=settings.qdrant_replication,
    )
    engine = catalogue.create(name, spec)
    engine.upsert([state_point(name, fingerprints)])
    return engine


def verify(engine: Engine, view: View, fingerprints: Mapping[str, str]) -> None:
    """Raises `IndexMismatch`, naming each difference and what mends it."""
    wrong = [
        f"{key} is {view.fingerprints.get(key, 'unknown')}, not {value}"
        for key, value in fingerprints.items()
        if view.fingerprints.get(key) != value
    ]
    if view.schema != SCHEMA_VERSION:
        wrong.append(f"schema version is {view.schema}, not {SCHEMA_VERSION}")
    facts = engine.facts()
    dimension = view.fingerprints.get(DIMENSION, DEFAULT_DIMENSION)
    if str(facts.dimension) != dimension:
        wrong.append(f"dense vectors have {facts.dimension} dimensions, not {dimension}")
    if wrong:
        raise IndexMismatch(
            f"{engine.location}: the index was made with other settings: {'; '.join(wrong)}.",
            "`allrows ingest --rebuild PATH` makes a new one; the old one stays until it is complete.",
        )
    problems = [p.text for p in schema_problems(facts) if p.trouble in ("index", "schema")]
    if problems:
        raise IndexMismatch(
            f"{engine.location}: {'; '.join(problems)}.", "`allrows doctor --fix` creates what is missing."
        )
