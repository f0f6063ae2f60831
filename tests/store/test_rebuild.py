"""A new version beside the live one, its checks, the switch, the way back, and taking up again."""

from __future__ import annotations

import pytest

from contracts.errors import IndexError_, UsageError
from contracts.settings import Settings
from store.engine import Catalogue
from store.index import StoreIndex
from store.open import open_on
from store.rebuild import building, previous, rebuild_on, roll_back
from tests.store.samples import MADE_WITH, chunks_of, parsed

OTHER = {**MADE_WITH, "encoder": "stub-2"}


@pytest.fixture
def live(catalogue: Catalogue, configured: Settings) -> StoreIndex:
    index = open_on(catalogue, configured, MADE_WITH, create=True)
    index.put(parsed("a", "/in/a.pdf"), chunks_of("a"))
    return index


def names(index: StoreIndex) -> list[str]:
    return [d.name for d in index.documents()]


def test_readers_see_the_old_version_until_the_new_one_is_published(
    live: StoreIndex, catalogue: Catalogue, configured: Settings
) -> None:
    before = live.version
    rebuild = rebuild_on(catalogue, configured, OTHER)
    rebuild.index.put(parsed("a2", "/in/a.pdf"), chunks_of("a2"))
    rebuild.index.put(parsed("b", "/in/b.pdf"), chunks_of("b"))
    assert names(live) == ["a.pdf"] and live.version == before
    rebuild.publish()
    assert names(live) == ["a.pdf", "b.pdf"] and live.version != before
    assert live.settings_in_force()["encoder"] == "stub-2"
    assert building(configured.collection) not in catalogue.aliases()


def test_the_previous_version_is_kept_for_one_rollback(
    live: StoreIndex, catalogue: Catalogue, configured: Settings
) -> None:
    for content in ("b", "c"):
        rebuild = rebuild_on(catalogue, configured, MADE_WITH)
        rebuild.index.put(parsed(content, f"/in/{content}.pdf"), chunks_of(content))
        rebuild.publish(allow_missing=True)
    assert names(live) == ["c.pdf"]
    mine = [n for n in catalogue.names() if n.startswith(configured.collection)]
    assert len(mine) == 2  # live and previous; the oldest was dropped
    roll_back(catalogue, configured.collection)
    assert names(live) == ["b.pdf"]
    roll_back(catalogue, configured.collection)
    assert names(live) == ["c.pdf"]


def test_nothing_to_roll_back_to(live: StoreIndex, catalogue: Catalogue, configured: Settings) -> None:
    with pytest.raises(UsageError, match="no previous version"):
        roll_back(catalogue, configured.collection)


def test_a_version_that_lacks_a_source_is_not_published(
    live: StoreIndex, catalogue: Catalogue, configured: Settings
) -> None:
    rebuild = rebuild_on(catalogue, configured, MADE_WITH)
    rebuild.index.put(parsed("b", "/in/b.pdf"), chunks_of("b"))
    with pytest.raises(IndexError_, match=r"/in/a\.pdf"):
        rebuild.publish()
    assert names(live) == ["a.pdf"]


def test_a_version_with_missing_points_is_not_published(
    live: StoreIndex, catalogue: Catalogue, configured: Settings
) -> None:
    from store.engine import Where

    rebuild = rebuild_on(catalogue, configured, MADE_WITH)
    rebuild.index.put(parsed("a", "/in/a.pdf"), chunks_of("a"))
    lost = chunks_of("a")[0].chunk.chunk_id
    catalogue.lookup(building(configured.collection)).delete(Where(ids=(lost,)))
    with pytest.raises(IndexError_, match="not whole"):
        rebuild.publish()
    assert names(live) == ["a.pdf"] and previous(configured.collection) not in catalogue.aliases()


def test_an_interrupted_rebuild_goes_on(live: StoreIndex, catalogue: Catalogue, configured: Settings) -> None:
    first = rebuild_on(catalogue, configured, OTHER)
    first.index.put(parsed("a", "/in/a.pdf"), chunks_of("a"))
    second = rebuild_on(catalogue, configured, OTHER)
    assert (first.resumed, second.resumed) == (False, True)
    assert names(second.index) == ["a.pdf"]


def test_an_interrupted_rebuild_with_other_settings_starts_again(
    live: StoreIndex, catalogue: Catalogue, configured: Settings
) -> None:
    rebuild_on(catalogue, configured, OTHER).index.put(parsed("a", "/in/a.pdf"), chunks_of("a"))
    begun = catalogue.aliases()[building(configured.collection)]
    again = rebuild_on(catalogue, configured, {**OTHER, "encoder": "stub-3"})
    assert not again.resumed and names(again.index) == [] and begun not in catalogue.names()


def test_a_first_index_can_be_a_rebuild(catalogue: Catalogue, configured: Settings) -> None:
    rebuild = rebuild_on(catalogue, configured, MADE_WITH)
    rebuild.index.put(parsed("a", "/in/a.pdf"), chunks_of("a"))
    rebuild.publish()
    assert names(StoreIndex(catalogue, configured.collection)) == ["a.pdf"]
