"""The server engine behind a proxy that breaks requests: nothing is lost, and errors are clear.

Runs our client code over real sockets against the REST stub.
"""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from contracts.errors import StoreUnavailable
from contracts.filters import Match
from contracts.protocols import VectorQuery
from contracts.settings import Settings, load_settings
from store.engine import where
from store.index import StoreIndex
from store.layout import digest
from store.open import catalogue_of, memory_index, open_index
from store.remote import WRITE_ATTEMPTS
from store.schema import STATE
from tests.store.fault_proxy import BUSY, CUT_REQUEST, CUT_RESPONSE, ERROR, PASS, SLOW, FaultProxy
from tests.store.samples import MADE_WITH, axis, chunks_of, parsed


@pytest.fixture
def proxy(rest_stub) -> Iterator[FaultProxy]:
    with FaultProxy(rest_stub.port) as proxy:
        yield proxy


@pytest.fixture
def settings(proxy: FaultProxy, tmp_path: Path) -> Settings:
    name = f"faults-{secrets.token_hex(4)}"
    given = {"data_dir": tmp_path, "collection": name, "qdrant_url": proxy.url, "qdrant_timeout_s": 1}
    return load_settings({}, overrides=given)[0]


@pytest.fixture
def index(proxy: FaultProxy, settings: Settings, record_property) -> Iterator[StoreIndex]:
    record_property("engine", "rest-stub")
    opened = open_index(settings, MADE_WITH, create=True)
    proxy.seen.clear()
    yield opened
    proxy.calm()
    opened.close()


def contents(index: StoreIndex) -> dict[str, str]:
    everything = where(must_not=(Match(field="kind", any_of=(STATE,)),))
    return {p.id: digest([p]) for p in index._engine.scroll(everything)}


def undisturbed(count: int) -> dict[str, str]:
    index = memory_index(MADE_WITH)
    for n in range(count):
        index.put(parsed(f"d{n}", f"/in/{n}.pdf"), chunks_of(f"d{n}"))
    found = contents(index)
    index.close()
    return found


@pytest.mark.parametrize("fault", [ERROR, CUT_REQUEST, CUT_RESPONSE, BUSY])
def test_a_passing_fault_anywhere_in_a_put_loses_nothing(index: StoreIndex, proxy: FaultProxy, fault: str) -> None:
    index.put(parsed("d0", "/in/0.pdf"), chunks_of("d0"))
    steps = len(proxy.seen)
    for n, at in enumerate(range(0, steps, 4 if fault == BUSY else 1), start=1):
        proxy.plan_all([PASS] * at + [fault])
        index.put(parsed(f"d{n}", f"/in/{n}.pdf"), chunks_of(f"d{n}"))
        assert fault in proxy.seen
        proxy.calm()
    assert contents(index) == undisturbed(n + 1)
    assert index.state().problems == ()


def test_a_storm_of_faults_loses_nothing(index: StoreIndex, proxy: FaultProxy) -> None:
    """Three in ten requests fail; what gives up is put again, as the next ingestion would."""
    dice = random.Random(11)
    proxy.plan_all(dice.choices([PASS, ERROR, CUT_REQUEST, CUT_RESPONSE], [7, 1, 1, 1], k=2000))
    for n in range(8):
        for _ in range(20):  # a put that gave up is put again
            try:
                index.put(parsed(f"d{n}", f"/in/{n}.pdf"), chunks_of(f"d{n}"))
                break
            except StoreUnavailable:
                continue
    proxy.calm()
    assert contents(index) == undisturbed(8)
    assert index.state().problems == ()


def test_a_cut_in_the_middle_leaves_the_old_version_to_readers(
    index: StoreIndex, proxy: FaultProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: None)
    index.put(parsed("old", "/in/a.pdf"), chunks_of("old"))
    proxy.seen.clear()
    index.put(parsed("other", "/in/b.pdf"), chunks_of("other"))
    steps = len(proxy.seen)
    proxy.plan_all([PASS] * (steps // 2) + [ERROR] * WRITE_ATTEMPTS)
    with pytest.raises(StoreUnavailable, match="HTTP 500"):
        index.put(parsed("new", "/in/a.pdf"), chunks_of("new"))
    proxy.calm()
    assert {c.text.split()[0] for c in index.chunks()} == {"old", "other"}
    index.put(parsed("new", "/in/a.pdf"), chunks_of("new"))
    assert {c.text.split()[0] for c in index.chunks()} == {"new", "other"}
    assert index.state().problems == ()


def test_a_question_gets_a_clear_error_after_three_attempts(index: StoreIndex, proxy: FaultProxy) -> None:
    proxy.plan_all([ERROR] * 50)
    with pytest.raises(StoreUnavailable, match="HTTP 500") as caught:
        index.search([VectorQuery(dense=axis(1.0))])
    assert caught.value.status == 503 and proxy.seen == [ERROR] * 3


def test_a_question_does_not_wait_for_a_slow_server_twice(index: StoreIndex, proxy: FaultProxy) -> None:
    proxy.plan(SLOW, SLOW, SLOW)
    with pytest.raises(StoreUnavailable, match="cannot be reached"):
        index.search([VectorQuery(dense=axis(1.0))])
    assert proxy.seen == [SLOW]  # the first attempt used up the time of the request


def test_a_busy_server_beyond_the_time_of_a_question(index: StoreIndex, proxy: FaultProxy) -> None:
    proxy.plan(BUSY)
    with pytest.raises(StoreUnavailable, match="too many requests") as caught:
        index.search([VectorQuery(dense=axis(1.0))])
    assert caught.value.retry_after == 1.0 and proxy.seen == [BUSY]


def test_creating_and_switching_are_not_repeated(proxy: FaultProxy, settings: Settings) -> None:
    from store.engine import CollectionSpec

    catalogue = catalogue_of(settings)
    proxy.seen.clear()
    proxy.plan(ERROR)
    with pytest.raises(StoreUnavailable):
        catalogue.create(f"{settings.collection}--x", CollectionSpec(8))
    assert proxy.seen == [ERROR]
    catalogue.close()
