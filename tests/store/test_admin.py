"""Each kind of damage is found, named and repaired; nothing else is touched."""

from __future__ import annotations

import pytest
from qdrant_client import models

from contracts.errors import IndexError_
from contracts.protocols import VectorQuery
from contracts.settings import Settings
from store.admin import diagnose, mend, mend_on, problems_of, rollback
from store.engine import Catalogue, CollectionSpec, Point, Where
from store.index import StoreIndex
from store.layout import point_id
from store.open import memory_index, open_index, open_on
from store.rebuild import begin_rebuild, building, rebuild_on
from store.view import publishing_point
from tests.store.samples import DIMENSION, MADE_WITH, axis, chunks_of, parsed, sha


@pytest.fixture
def live(catalogue: Catalogue, configured: Settings) -> StoreIndex:
    index = open_on(catalogue, configured, MADE_WITH, create=True)
    for content in ("a", "b"):
        index.put(parsed(content, f"/in/{content}.pdf"), chunks_of(content))
    return index


def texts(catalogue: Catalogue, live: str) -> list[str]:
    return [p.text for p in problems_of(catalogue, live)]


def test_a_sound_index_has_no_problem(live: StoreIndex, catalogue: Catalogue, configured: Settings) -> None:
    assert texts(catalogue, configured.collection) == []
    assert mend_on(catalogue, configured.collection) == []


def test_a_missing_payload_index(live: StoreIndex, catalogue: Catalogue, configured: Settings, lose_index) -> None:
    lose_index(catalogue.lookup(configured.collection), "period")
    assert texts(catalogue, configured.collection) == ["payload index on `period` is missing, not keyword"]
    assert mend_on(catalogue, configured.collection) == ["created the payload index on `period`"]
    assert texts(catalogue, configured.collection) == []


def test_points_of_no_document(live: StoreIndex, catalogue: Catalogue, configured: Settings) -> None:
    engine = catalogue.lookup(configured.collection)
    engine.upsert([Point(point_id("x", n), {"kind": "page", "doc_id": "ghost"}) for n in range(3)])
    assert texts(catalogue, configured.collection) == ["3 points of ghost belong to no document"]
    assert len(mend_on(catalogue, configured.collection)) == 1
    assert texts(catalogue, configured.collection) == [] and len(live.documents()) == 2


def test_a_document_without_all_its_points(live: StoreIndex, catalogue: Catalogue, configured: Settings) -> None:
    catalogue.lookup(configured.collection).delete(Where(ids=(chunks_of("a")[0].chunk.chunk_id,)))
    # 3 chunks, 2 pages, 1 outline, 1 grid, 1 part of rows, the document itself
    assert texts(catalogue, configured.collection) == ["a.pdf: 8 of its 9 points are there"]
    mend_on(catalogue, configured.collection)
    assert texts(catalogue, configured.collection) == [] and [d.name for d in live.documents()] == ["b.pdf"]


def test_a_half_published_document(live: StoreIndex, catalogue: Catalogue, configured: Settings) -> None:
    engine = catalogue.lookup(configured.collection)
    engine.upsert([publishing_point("/in/c.pdf", (sha("c"),), "writing /in/c.pdf")])
    engine.upsert([Point(point_id("x", 1), {"kind": "page", "doc_id": sha("c")})])
    assert texts(catalogue, configured.collection) == ["half-published: writing /in/c.pdf"]
    mend_on(catalogue, configured.collection)
    assert texts(catalogue, configured.collection) == []
    assert engine.retrieve([point_id("x", 1)]) == []


def test_a_collection_of_no_alias(live: StoreIndex, catalogue: Catalogue, configured: Settings) -> None:
    lost = f"{configured.collection}--lost"
    catalogue.create(lost, CollectionSpec(DIMENSION))
    assert texts(catalogue, configured.collection) == [f"collection {lost} belongs to no alias"]
    assert mend_on(catalogue, configured.collection) == [f"dropped {lost}, which belonged to no alias"]
    assert lost not in catalogue.names()


def test_an_alias_that_was_lost_goes_to_the_newest_whole_version(
    live: StoreIndex, catalogue: Catalogue, configured: Settings
) -> None:
    name = catalogue.aliases()[configured.collection]
    catalogue.create(f"{configured.collection}--99999999-empty", CollectionSpec(DIMENSION))
    catalogue.assign({configured.collection: None})
    mend_on(catalogue, configured.collection)
    assert catalogue.aliases()[configured.collection] == name
    assert texts(catalogue, configured.collection) == []


def test_an_unfinished_rebuild_is_told_and_left_to_go_on(
    live: StoreIndex, catalogue: Catalogue, configured: Settings
) -> None:
    rebuild_on(catalogue, configured, MADE_WITH)
    (text,) = texts(catalogue, configured.collection)
    assert text.startswith("a rebuild was not finished")
    assert mend_on(catalogue, configured.collection) == []
    assert building(configured.collection) in catalogue.aliases()


@pytest.mark.parametrize("kind", ["rest-stub", "server", "server-grpc"], indirect=True)
def test_limits_of_strict_mode_below_what_we_ask(live: StoreIndex, catalogue: Catalogue, configured: Settings) -> None:
    engine = catalogue.open(catalogue.aliases()[configured.collection])
    assert engine.facts().detail["strict"] is True and engine.facts().detail["too_strict"] == []
    lowered = models.StrictModeConfig(search_max_hnsw_ef=64, search_allow_exact=False)
    engine._client.update_collection(engine.collection, strict_mode_config=lowered)
    with pytest.raises(IndexError_, match="refuses the request"):
        live.search([VectorQuery(dense=axis(1.0))])
    expected = "strict mode refuses what allrows asks: search_max_hnsw_ef is 64, not 512, search_allow_exact is off"
    assert texts(catalogue, configured.collection) == [expected]
    assert mend_on(catalogue, configured.collection) == [f"set strict mode as declared: {expected}"]
    assert texts(catalogue, configured.collection) == [] and live.search([VectorQuery(dense=axis(1.0))])[0]


@pytest.mark.parametrize("kind", ["rest-stub", "server", "server-grpc"], indirect=True)
def test_strict_mode_that_was_switched_off(live: StoreIndex, catalogue: Catalogue, configured: Settings) -> None:
    engine = catalogue.open(catalogue.aliases()[configured.collection])
    engine._client.update_collection(engine.collection, strict_mode_config=models.StrictModeConfig(enabled=False))
    (text,) = texts(catalogue, configured.collection)
    assert text.startswith("strict mode is off")
    mend_on(catalogue, configured.collection)
    assert texts(catalogue, configured.collection) == []


def test_the_commands_open_and_close_for_themselves(configured: Settings, kind: str) -> None:
    if kind == "memory":
        assert memory_index(MADE_WITH).state().problems == ()  # it cannot be opened twice
        return
    index = open_index(configured, MADE_WITH, create=True)
    index.put(parsed("a"), chunks_of("a"))
    index.close()
    assert diagnose(configured) == [] and mend(configured) == []
    with begin_rebuild(configured, MADE_WITH) as rebuild:
        rebuild.index.put(parsed("a"), chunks_of("a"))
        rebuild.publish()
    assert "is kept as the previous version" in rollback(configured)
    index = open_index(configured, MADE_WITH, create=False)
    assert index.document(sha("a")) is not None
    index.close()
