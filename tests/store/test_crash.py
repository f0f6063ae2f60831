"""A writer killed with SIGKILL at random points, taken up again each time.

After every kill, before anything is repaired, each source must answer from one whole version; at the
end the index must equal that of a run that nobody disturbed.
"""

from __future__ import annotations

import multiprocessing
import random
import threading
from pathlib import Path

import pytest

from contracts.filters import Match, Scope
from contracts.protocols import VectorQuery
from contracts.settings import Settings, load_settings
from store.admin import problems_of
from store.engine import where
from store.index import StoreIndex
from store.layout import digest
from store.open import catalogue_of, open_index
from store.schema import STATE
from tests.store.samples import MADE_WITH, axis, chunks_of, parsed

KILLS = 50
SOURCES = [f"/in/{n}.pdf" for n in range(8)]
FOR_EVER = 10**6


def content(source: str, version: int) -> str:
    return f"{source} v{version}"


def settings_in(folder: Path) -> Settings:
    return load_settings({}, overrides={"data_dir": folder})[0]


def put(index: StoreIndex, source: str, version: int) -> None:
    text = content(source, version)
    index.put(parsed(text, source, rows=20, title=str(version)), chunks_of(text, 5))


def version_of(index: StoreIndex, source: str) -> int:
    """The version whose every part is there, 0 for none. Fails on anything half."""
    found = index.documents(Scope(must=(Match(field="source", any_of=(source,)),)))
    if not found:
        return 0
    (document,) = found
    version = int(document.title)
    whole = parsed(content(source, version), source, rows=20, title=document.title)
    assert document == whole.document
    own = Scope(must=(Match(field="source", any_of=(source,)),))
    assert [c.text for c in index.chunks(own)] == [c.chunk.text for c in chunks_of(content(source, version), 5)]
    assert index.lines(document.doc_id) == whole.lines and index.outline(document.doc_id) == whole.outline
    assert [index.table(t.table_id) for t in index.table_summaries(own)] == list(whole.tables)
    (hits,) = index.search([VectorQuery(dense=axis(1.0, 1.0, 1.0), scope=own, limit=50)])
    assert {h.chunk.doc_id for h in hits} == {document.doc_id} and len(hits) == 5
    return version


def write(folder: Path, started, last: int) -> None:
    """The writer: goes on, up to version `last`, where the index says that the one before it stopped."""
    index = open_index(settings_in(folder), MADE_WITH, create=True)
    started.set()
    now = {source: version_of(index, source) for source in SOURCES}
    for version in range(max(1, min(now.values())), last + 1):
        for source in SOURCES:
            if now[source] < version:
                put(index, source, version)
    index.close()


def contents(folder: Path) -> dict[str, str]:
    """Every point but the state, by id, with a hash of payload and vectors."""
    catalogue = catalogue_of(settings_in(folder))
    engine = catalogue.lookup("allrows")
    points = engine.scroll(where(must_not=(Match(field="kind", any_of=(STATE,)),)), vectors=True)
    found = {p.id: digest([p]) for p in points}
    assert problems_of(catalogue, "allrows") == []
    catalogue.close()
    return found


@pytest.mark.slow
def test_killed_at_fifty_points(tmp_path: Path, record_property) -> None:
    record_property("engine", "embedded")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.store.test_crash"])
    dice = random.Random(20250401)
    reached: list[int] = []
    for _ in range(KILLS):
        started = context.Event()
        writer = context.Process(target=write, args=(tmp_path / "killed", started, FOR_EVER))
        writer.start()
        assert started.wait(60)
        writer.join(dice.uniform(0.0, 0.12))
        assert writer.is_alive(), "the writer ended by itself"
        writer.kill()
        writer.join()
        catalogue = catalogue_of(settings_in(tmp_path / "killed"))
        reader = StoreIndex(catalogue, "allrows")  # not `open_index`: that would repair first
        versions = [version_of(reader, source) for source in SOURCES]
        reader.close()
        assert max(versions) - min(versions) <= 1 and sum(versions) >= sum(reached[-1:])
        reached.append(sum(versions))
    assert len(set(reached)) > KILLS / 3, "kills must fall on many different points"

    write(tmp_path / "killed", threading.Event(), last := max(versions) + 1)
    write(tmp_path / "undisturbed", threading.Event(), last)
    assert contents(tmp_path / "killed") == contents(tmp_path / "undisturbed")


def test_readers_never_see_half_a_document(index: StoreIndex) -> None:
    """The same while the writer lives: one thread replaces, this one reads."""
    for source in SOURCES[:2]:
        put(index, source, 1)
    problems: list[BaseException] = []

    def replace() -> None:
        try:
            for version in range(2, 12):
                for source in SOURCES[:2]:
                    put(index, source, version)
        except BaseException as error:  # noqa: BLE001 - reported by the test's own thread
            problems.append(error)

    writer = threading.Thread(target=replace)
    writer.start()
    seen = set()
    own = Scope(must=(Match(field="source", any_of=(SOURCES[0],)),))
    while writer.is_alive():
        chunks = index.chunks(own)
        assert len(chunks) == 5 and len({c.doc_id for c in chunks}) == 1
        (hits,) = index.search([VectorQuery(dense=axis(1.0), scope=own, limit=50)])
        assert len(hits) == 5 and len({h.chunk.doc_id for h in hits}) == 1
        assert len(index.documents()) == 2 and index.count_chunks(own) == 5
        seen.add(chunks[0].doc_id)
    writer.join()
    assert problems == [] and len(seen) > 1
    assert [version_of(index, source) for source in SOURCES[:2]] == [11, 11]


def test_two_writers_at_once_lose_nothing(index: StoreIndex, configured: Settings, kind: str) -> None:
    """On a server two processes may ingest; here each has a client of its own."""
    second = open_index(configured, MADE_WITH, create=False) if configured.qdrant_url is not None else index
    problems: list[BaseException] = []

    def write(mine: StoreIndex, sources: list[str]) -> None:
        try:
            for version in (1, 2):
                for source in sources:
                    put(mine, source, version)
                mine.finish()  # while the other one writes
        except BaseException as error:  # noqa: BLE001 - reported by the test's own thread
            problems.append(error)

    writers = [
        threading.Thread(target=write, args=(index, SOURCES[:3])),
        threading.Thread(target=write, args=(second, SOURCES[3:6])),
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert problems == []
    assert [version_of(index, source) for source in SOURCES[:6]] == [2] * 6
    assert index.state().problems == () and index.version == second.version
    if second is not index:
        second.close()
