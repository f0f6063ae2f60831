"""What every engine must do alike, on single points. Expected results are computed in `agree`."""

from __future__ import annotations

import random
import threading
import uuid
from collections.abc import Iterable

import pytest

from contracts.chunks import SparseVector
from contracts.errors import IndexError_
from contracts.filters import Match, Range, Scope
from store.engine import Catalogue, CollectionSpec, Engine, Point, Search, Where, where
from store.layout import batches
from store.ranking import ranked
from store.schema import INDEXED
from tests.store.agree import assert_agree, by_bm25, by_cosine
from tests.store.samples import DIMENSION, axis, words


def uid(n: int) -> str:
    return str(uuid.UUID(int=n))


def payload_only(n: int, **payload: object) -> Point:
    return Point(uid(n), {"kind": "page", **payload})


def ids(points: Iterable[Point]) -> list[str]:
    return [p.id for p in points]


def found(engine: Engine, *must: Match | Range, must_not: tuple[Match, ...] = ()) -> list[int]:
    scope = Scope(must=must, must_not=must_not)
    return [uuid.UUID(p.id).int for p in engine.scroll(Where(scope))]


def any_of(field: str, *values: str | int) -> Match:
    return Match(field=field, any_of=values)


@pytest.fixture
def corpus(engine: Engine) -> dict[str, Point]:
    """Forty chunks with random vectors and tokens, and five points without vectors."""
    dice = random.Random(7)
    points = {}
    for n in range(1, 41):
        tokens = sorted(dice.sample(range(30), 6))
        sparse = SparseVector(indices=tuple(tokens), values=tuple(round(dice.uniform(0.1, 2), 3) for _ in tokens))
        dense = axis(*(dice.gauss(0, 1) for _ in range(DIMENSION)))
        payload = {"kind": "prose", "granularity": 0, "doc_type": ("invoice", "contract")[n % 2], "page_start": n}
        points[uid(n)] = Point(uid(n), payload, dense, sparse)
    engine.upsert([*points.values(), *(payload_only(n) for n in range(100, 105))])
    return points


CHUNKS = where(any_of("granularity", 0))


def test_dense_search_equals_brute_force(engine: Engine, corpus: dict[str, Point]) -> None:
    query = axis(0.3, -1, 0.5, 0.1, 0, 0.7, -0.2, 0.4)
    expected = by_cosine(query, {i: p.dense for i, p in corpus.items() if p.dense})[:10]
    assert_agree(ranked(engine, [Search(CHUNKS, 10, dense=query)])[0], expected)


def test_sparse_search_is_bm25_with_positive_idf(engine: Engine, corpus: dict[str, Point]) -> None:
    query = words(t3=1.0, t7=1.0, t21=2.0)
    expected = by_bm25(query, {i: p.sparse for i, p in corpus.items() if p.sparse})[:10]
    assert_agree(ranked(engine, [Search(CHUNKS, 10, sparse=query, corpus=CHUNKS)])[0], expected)


def test_a_batch_answers_each_search_in_its_place(engine: Engine, corpus: dict[str, Point]) -> None:
    dense, sparse = axis(1.0, 1.0), words(t5=1.0)
    contracts = where(any_of("granularity", 0), any_of("doc_type", "contract"))
    batch = [
        Search(CHUNKS, 5, dense=dense),
        Search(where(any_of("doc_type")), 5, dense=dense),
        Search(contracts, 5, sparse=sparse, corpus=CHUNKS),
    ]
    one, none, two = ranked(engine, batch)
    assert_agree(one, by_cosine(dense, {i: p.dense for i, p in corpus.items() if p.dense})[:5])
    assert none == []
    scored = by_bm25(sparse, {i: p.sparse for i, p in corpus.items() if p.sparse})
    assert_agree(two, [s for s in scored if corpus[s[0]].payload["doc_type"] == "contract"][:5])


def test_only_listed_ids_are_scored(engine: Engine, corpus: dict[str, Point]) -> None:
    query, chosen = axis(0.0, 1.0), (uid(3), uid(9), uid(27))
    expected = by_cosine(query, {i: corpus[i].dense or () for i in chosen})
    assert_agree(ranked(engine, [Search(Where(CHUNKS.scope, chosen), 10, dense=query, exact=True)])[0], expected)


def test_a_limit_beyond_the_collection_returns_what_there_is(engine: Engine, corpus: dict[str, Point]) -> None:
    assert len(ranked(engine, [Search(CHUNKS, 1000, dense=axis(1.0))])[0]) == 40


def test_equal_scores_are_ordered_by_id_even_at_the_limit(engine: Engine) -> None:
    points = [Point(uid(n), {"kind": "prose", "granularity": 0}, axis(1.0), words(t1=1.0)) for n in range(60, 0, -1)]
    engine.upsert(points)
    dense, sparse = ranked(
        engine, [Search(CHUNKS, 3, dense=axis(1.0)), Search(CHUNKS, 3, sparse=words(t1=1.0), corpus=CHUNKS)]
    )
    assert [f.id for f in dense] == [f.id for f in sparse] == [uid(1), uid(2), uid(3)]


@pytest.mark.usefixtures("bounded_idf")
def test_idf_forgets_deleted_chunks_at_once(engine: Engine, corpus: dict[str, Point]) -> None:
    engine.delete(Where(ids=tuple(uid(n) for n in range(1, 21))))
    query = words(t3=1.0, t7=1.0)
    left = {i: p.sparse for i, p in corpus.items() if p.sparse and p.payload["page_start"] > 20}
    assert_agree(ranked(engine, [Search(CHUNKS, 10, sparse=query, corpus=CHUNKS)])[0], by_bm25(query, left)[:10])


@pytest.mark.usefixtures("bounded_idf")
def test_idf_counts_chunks_of_one_granularity_only(engine: Engine, corpus: dict[str, Point]) -> None:
    windows = [Point(uid(200 + n), {"kind": "window", "granularity": 2}, axis(1.0), words(t3=1.0)) for n in range(30)]
    engine.upsert(windows)
    query = words(t3=1.0)
    expected = by_bm25(query, {i: p.sparse for i, p in corpus.items() if p.sparse})[:10]
    assert_agree(ranked(engine, [Search(CHUNKS, 10, sparse=query, corpus=CHUNKS)])[0], expected)


def test_results_survive_optimising(engine: Engine, corpus: dict[str, Point]) -> None:
    searches = [Search(CHUNKS, 10, dense=axis(1.0, 2.0)), Search(CHUNKS, 10, sparse=words(t3=1.0), corpus=CHUNKS)]
    before = ranked(engine, searches)
    engine.finish()
    assert ranked(engine, searches) == before


def test_match_on_a_value_and_on_a_list(engine: Engine) -> None:
    engine.upsert([payload_only(1, groups=["hr", "audit"]), payload_only(2, groups=["finance"]), payload_only(3)])
    assert found(engine, any_of("groups", "audit")) == [1]
    assert found(engine, any_of("groups", "audit", "finance")) == [1, 2]
    assert found(engine, any_of("groups", "nobody")) == []


def test_null_missing_and_empty_lists_match_nothing(engine: Engine) -> None:
    engine.upsert(
        [payload_only(1, period=None), payload_only(2), payload_only(3, period=[]), payload_only(4, period="2025")]
    )
    assert found(engine, any_of("period", "2025")) == [4]
    assert found(engine, must_not=(any_of("period", "2025"),)) == [1, 2, 3]


def test_an_empty_list_of_values_allows_nothing_and_forbids_nothing(engine: Engine) -> None:
    engine.upsert([payload_only(1, name="a"), payload_only(2, name="b")])
    assert found(engine, any_of("name")) == []
    assert found(engine, must_not=(any_of("name"),)) == [1, 2]
    assert engine.count(where(any_of("name"))) == 0
    assert engine.facet("name", where(any_of("name")), 10) == {}
    assert list(engine.scroll(Where(ids=()))) == []


def test_all_conditions_must_hold(engine: Engine) -> None:
    engine.upsert([payload_only(n, name=f"n{n % 2}", page_start=n) for n in range(1, 7)])
    assert found(engine, any_of("name", "n1"), Range(field="page_start", gte=2)) == [3, 5]
    assert found(engine, any_of("name", "n1"), must_not=(any_of("page_start", 3),)) == [1, 5]


def test_ranges_include_their_ends(engine: Engine) -> None:
    engine.upsert([payload_only(n, page_start=n) for n in range(1, 6)])
    assert found(engine, Range(field="page_start", gte=2, lte=4)) == [2, 3, 4]
    assert found(engine, Range(field="page_start", lte=2)) == [1, 2]


def test_unicode_and_very_long_values(engine: Engine) -> None:
    long = "पगार-" * 2000
    engine.upsert(
        [payload_only(1, name="Gehaltsübersicht März.pdf"), payload_only(2, name=long), payload_only(3, name="給与")]
    )
    assert found(engine, any_of("name", "Gehaltsübersicht März.pdf")) == [1]
    assert found(engine, any_of("name", long)) == [2]
    assert found(engine, any_of("name", "給与")) == [3]
    assert next(iter(engine.scroll(where(any_of("name", long))))).payload["name"] == long


def test_scroll_is_complete_and_in_the_order_of_ids(engine: Engine) -> None:
    order = list(range(1, 2501))
    random.Random(1).shuffle(order)
    for batch in batches([payload_only(n) for n in order]):
        engine.upsert(batch)
    assert found(engine, any_of("kind", "page")) == list(range(1, 2501))


def test_scroll_can_be_bounded_to_fields_and_bring_vectors(engine: Engine, corpus: dict[str, Point]) -> None:
    (slim,) = engine.scroll(Where(ids=(uid(1),)), fields=("kind",))
    assert slim.payload == {"kind": "prose"} and slim.dense is None
    (full,) = engine.scroll(Where(ids=(uid(1),)), vectors=True)
    assert full.sparse is not None and full.sparse.indices == corpus[uid(1)].sparse.indices
    assert full.sparse.values == pytest.approx(corpus[uid(1)].sparse.values, abs=1e-6)
    assert full.dense == pytest.approx(corpus[uid(1)].dense, abs=1e-6)


def test_counts_and_facets(engine: Engine, corpus: dict[str, Point]) -> None:
    assert engine.count(where()) == 45
    assert engine.count(where(any_of("doc_type", "invoice"))) == 20
    assert engine.facet("doc_type", where(), 10) == {"invoice": 20, "contract": 20}
    assert engine.facet("kind", where(Match(field="page_start", any_of=(1, 2))), 10) == {"prose": 2}


def test_retrieve_skips_what_is_not_there(engine: Engine) -> None:
    engine.upsert([payload_only(1, name="a"), payload_only(2, name="b")])
    assert ids(engine.retrieve([uid(2), uid(9)])) == [uid(2)]


def test_upsert_replaces_whole_points(engine: Engine) -> None:
    engine.upsert([payload_only(1, name="old", period="2024")])
    engine.upsert([payload_only(1, name="new")])
    assert [p.payload for p in engine.retrieve([uid(1)])] == [{"kind": "page", "name": "new"}]


def test_set_payload_leaves_other_fields(engine: Engine) -> None:
    engine.upsert([payload_only(1, name="a", groups=["hr"]), payload_only(2, name="b", groups=["hr"])])
    engine.set_payload(where(any_of("name", "a")), {"groups": ["audit"], "period": None})
    assert [p.payload["groups"] for p in engine.scroll(where())] == [["audit"], ["hr"]]
    assert next(iter(engine.scroll(where()))).payload["name"] == "a"
    engine.set_payload(where(any_of("name")), {"groups": []})
    assert found(engine, any_of("groups", "hr", "audit")) == [1, 2]


def test_delete_by_filter_and_by_ids(engine: Engine) -> None:
    engine.upsert([payload_only(n, name=f"n{n % 3}") for n in range(1, 10)])
    engine.delete(where(any_of("name", "n0")))
    engine.delete(Where(ids=(uid(1), uid(99))))
    engine.delete(where(any_of("name")))
    assert found(engine, any_of("kind", "page")) == [2, 4, 5, 7, 8]


def test_an_empty_upsert_is_nothing(engine: Engine) -> None:
    engine.upsert([])
    assert engine.count(where()) == 0


def test_a_vector_of_another_length_is_refused_and_nothing_is_written(engine: Engine) -> None:
    with pytest.raises(IndexError_, match="dim"):
        engine.upsert([Point(uid(1), {"kind": "prose"}, (1.0, 0.0))])
    assert engine.count(where()) == 0


def test_declared_indexes_are_really_there(engine: Engine) -> None:
    facts = engine.facts()
    assert facts.indexes == dict(INDEXED)
    assert (facts.dimension, facts.distance, facts.idf) == (DIMENSION, "cosine", True)


def test_payloads_come_back_as_they_went(engine: Engine) -> None:
    payload = {
        "kind": "page",
        "page_start": 3,
        "codes": [],
        "period": None,
        "body": '{"x": 1.50}',
        "groups": ["a", "ü"],
    }
    engine.upsert([Point(uid(1), payload)])
    assert engine.retrieve([uid(1)])[0].payload == payload


def test_several_writers_and_readers_lose_nothing(engine: Engine) -> None:
    problems: list[BaseException] = []

    def write(writer: int) -> None:
        try:
            for n in range(20):
                engine.upsert([payload_only(writer * 1000 + n * 10 + i, name=f"w{writer}") for i in range(10)])
                engine.count(where(any_of("name", f"w{writer}")))
        except BaseException as error:  # noqa: BLE001 - reported by the test's own thread
            problems.append(error)

    threads = [threading.Thread(target=write, args=(w,)) for w in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert engine.facet("name", where(), 10) == {f"w{w}": 200 for w in range(1, 5)}


def test_an_unknown_collection_is_named(catalogue: Catalogue) -> None:
    with pytest.raises(IndexError_, match="no-such-thing"):
        catalogue.open("no-such-thing")


def test_an_alias_moves_in_one_step_and_goes(catalogue: Catalogue, configured) -> None:
    alias = configured.collection
    one = catalogue.create(f"{alias}--1", CollectionSpec(DIMENSION))
    two = catalogue.create(f"{alias}--2", CollectionSpec(DIMENSION))
    one.upsert([payload_only(1)])
    two.upsert([payload_only(1), payload_only(2)])
    catalogue.assign({alias: one.collection})
    assert catalogue.lookup(alias).count(where()) == 1
    catalogue.assign({alias: two.collection, f"{alias}-previous": one.collection})
    assert catalogue.lookup(alias).count(where()) == 2
    assert {a: c for a, c in catalogue.aliases().items() if a.startswith(alias)} == {
        alias: two.collection,
        f"{alias}-previous": one.collection,
    }
    catalogue.assign({f"{alias}-previous": None, f"{alias}-never-there": None})
    catalogue.drop(one.collection)
    assert one.collection not in catalogue.names() and two.collection in catalogue.names()
