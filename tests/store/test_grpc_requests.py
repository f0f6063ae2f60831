"""What we send over gRPC: every request becomes a message and comes back from it the same.

No gRPC server runs here; the conformance suite does with ALLROWS_TEST_QDRANT_GRPC_PORT.
"""

from __future__ import annotations

import pytest
from qdrant_client import QdrantClient, models
from qdrant_client.conversions.conversion import GrpcToRest, RestToGrpc

from contracts.filters import Match, Range, Scope
from store.engine import Point, Search, Where, where
from store.remote import IDF_CORPUS_SINCE, STRICT, ServerEngine, _point, to_filter
from tests.store.samples import axis, words

CHUNKS = where(Match(field="kind", any_of=("prose", "table")), Match(field="granularity", any_of=(0, 2)))
ONE = "3f1f6d3a-0000-0000-0000-000000000000"
FILTERS = [
    where(),
    CHUNKS,
    Where(CHUNKS.scope, (ONE,)),
    Where(Scope(must=(Range(field="page_start", gte=1, lte=3),), must_not=(Match(field="doc_id", any_of=("ü",)),))),
]
SEARCHES = [
    Search(CHUNKS, 5, dense=axis(1.0, 2.0)),
    Search(CHUNKS, 5, dense=axis(1.0), exact=True),
    Search(CHUNKS, 5, sparse=words(t1=1.0, t9=0.5), corpus=CHUNKS),
]
POINTS = [
    Point(ONE, {"kind": "page", "n": 1, "none": None, "list": [], "text": "ü"}),
    Point(ONE, {"kind": "prose", "codes": ["E1"]}, axis(0.5, 0.5), words(t1=0.5)),
]


@pytest.fixture
def engine() -> ServerEngine:
    return ServerEngine(QdrantClient(":memory:"), "x", "c", 1.0, IDF_CORPUS_SINCE)


@pytest.mark.parametrize("target", FILTERS, ids=range(len(FILTERS)))
def test_filters(target: Where) -> None:
    there = RestToGrpc.convert_filter(to_filter(target))
    back = GrpcToRest.convert_filter(there)
    assert (back.must or [], back.must_not or []) == (to_filter(target).must, to_filter(target).must_not)


@pytest.mark.parametrize("search", SEARCHES, ids=range(len(SEARCHES)))
def test_searches(engine: ServerEngine, search: Search) -> None:
    request = engine._request(search)
    there = RestToGrpc.convert_query_request(request, "c")
    assert (there.limit, there.using) == (5, "dense" if search.dense else "bm25")
    params = GrpcToRest.convert_search_params(there.params)
    assert bool(params.exact) == search.exact
    if search.sparse is not None:
        back = params.idf.corpus
        assert back.must == to_filter(CHUNKS).must
    else:
        assert params.acorn.enable and params.acorn.max_selectivity == pytest.approx(0.9)
        assert params.quantization.rescore is True


@pytest.mark.parametrize("point", POINTS, ids=range(len(POINTS)))
def test_points(point: Point) -> None:
    sent = _point(point)
    back = GrpcToRest.convert_point_struct(RestToGrpc.convert_point_struct(sent))
    assert (back.id, back.payload) == (sent.id, sent.payload)
    if point.dense is not None:
        assert back.vector["dense"] == pytest.approx(point.dense)
        assert back.vector["bm25"] == models.SparseVector(indices=[1], values=[0.5])


def test_strict_mode() -> None:
    there = RestToGrpc.convert_strict_mode_config(STRICT)
    assert there.enabled
    assert there.HasField("unindexed_filtering_retrieve") and there.HasField("unindexed_filtering_update")
    assert not there.unindexed_filtering_retrieve and not there.unindexed_filtering_update
