"""What the index must do alike on every engine: documents in and out, scopes, publishing, versions."""

from __future__ import annotations

import math

import pytest

from contracts.documents import TableSummary
from contracts.errors import FilterError, IndexError_
from contracts.filters import Caller, Match, Range, Scope
from contracts.protocols import VectorQuery
from store.index import StoreIndex
from store.view import publishing_point
from tests.store.samples import axis, chunks_of, embedded, parsed, sha, table, words


def only(field: str, *values: str | int) -> Scope:
    return Scope(must=(Match(field=field, any_of=values),))


def texts(index: StoreIndex, query: VectorQuery) -> list[str]:
    (hits,) = index.search([query])
    return [h.chunk.text for h in hits]


@pytest.fixture
def two(index: StoreIndex) -> StoreIndex:
    """`april` for hr, `contract` for finance."""
    april = {"doc_type": "register", "groups": ("hr",), "period": "2025-04"}
    index.put(parsed("april", "/in/april.pdf", **april), chunks_of("april"))
    index.put(parsed("contract", "/in/contract.pdf", rows=0, groups=("finance",)), chunks_of("contract"))
    return index


def test_a_document_comes_back_whole(two: StoreIndex) -> None:
    given = parsed("april", "/in/april.pdf", doc_type="register", groups=("hr",), period="2025-04")
    doc_id = sha("april")
    assert two.document(doc_id) == given.document
    assert two.lines(doc_id) == given.lines
    assert two.lines(doc_id, pages=[2]) == given.lines[3:]
    assert two.lines(doc_id, pages=[]) == ()
    assert two.outline(doc_id) == given.outline
    assert two.table(f"{doc_id[:12]}-t1") == given.tables[0]
    assert [c.text for c in two.chunks(only("doc_id", doc_id))] == [f"april chunk {n}" for n in range(3)]
    assert two.chunks(only("doc_id", doc_id))[1] == chunks_of("april")[1].chunk


def test_table_summaries_tell_what_a_planner_needs(two: StoreIndex) -> None:
    doc_id = sha("april")
    assert two.table_summaries() == (
        TableSummary(
            table_id=f"{doc_id[:12]}-t1",
            doc_id=doc_id,
            doc_name="april.pdf",
            doc_type="register",
            period="2025-04",
            title="Salary register",
            columns=("Code", "Net"),
            column_types=(),
            body_rows=3,
            pages=(1,),
        ),
    )


def test_ten_thousand_rows_and_two_thousand_pages_are_whole(index: StoreIndex) -> None:
    big = parsed("big", "/in/big.pdf", rows=10_000, pages=2_000)
    index.put(big, chunks_of("big"))
    assert index.table(f"{sha('big')[:12]}-t1") == table(sha("big"), 10_000)
    assert index.lines(sha("big")) == big.lines
    assert [n.text for n in index.lines(sha("big"), pages=[1999])] == [f"big p1999 l{n}" for n in (1, 2, 3)]


def test_what_is_not_there(two: StoreIndex) -> None:
    assert two.document("nobody") is None
    assert two.table("nobody") is None
    assert (
        two.lines("nobody") == two.outline("nobody") == two.chunks(ids=["3f1f6d3a-0000-0000-0000-000000000000"]) == ()
    )
    assert two.delete("nobody") is False
    assert two.search([]) == []


def test_search_gives_hits_with_their_document(two: StoreIndex) -> None:
    (hits,) = two.search([VectorQuery(dense=axis(1.0), scope=only("doc_type", "register"), limit=1)])
    assert [(h.chunk.text, h.doc_name, h.doc_type, h.period) for h in hits] == [
        ("april chunk 0", "april.pdf", "register", "2025-04")
    ]
    assert hits[0].score == pytest.approx(1 / (1 + 0.01) ** 0.5, abs=1e-6)


def test_hybrid_pool_gets_both_scores(two: StoreIndex) -> None:
    chunk_ids = tuple(c.chunk.chunk_id for c in chunks_of("april"))
    dense, sparse = two.search(
        [
            VectorQuery(dense=axis(0.0, 1.0), ids=chunk_ids, limit=3),
            VectorQuery(sparse=words(t1=1.0, t100=1.0), ids=chunk_ids, limit=3),
        ]
    )
    assert {h.chunk.chunk_id for h in dense} == {h.chunk.chunk_id for h in sparse} == set(chunk_ids)
    assert dense[0].chunk.text == sparse[0].chunk.text == "april chunk 1"


def test_a_reader_sees_only_their_groups(two: StoreIndex) -> None:
    hr = Caller(name="h", role="reader", groups=("hr",)).scope()
    nobody = Caller(name="n", role="reader", groups=()).scope()
    contract = sha("contract")
    assert [d.name for d in two.documents(hr)] == ["april.pdf"]
    assert two.documents(nobody) == () and two.count_chunks(nobody) == 0
    assert two.document(contract, hr) is None
    assert two.lines(contract, scope=hr) == two.outline(contract, hr) == ()
    assert two.table(f"{sha('april')[:12]}-t1", nobody) is None
    assert two.table_summaries(nobody) == ()
    assert {h.doc_name for h in two.search([VectorQuery(dense=axis(1.0), scope=hr)])[0]} == {"april.pdf"}
    everything = [c.chunk.chunk_id for c in (*chunks_of("april"), *chunks_of("contract"))]
    assert {c.doc_id for c in two.chunks(hr, ids=everything)} == {sha("april")}


@pytest.mark.parametrize("field", ["salary", "body", "part", "digest", "doc_type.x", ""])
def test_a_filter_outside_the_schema_is_refused_everywhere(two: StoreIndex, field: str) -> None:
    scope = Scope(must_not=(Match(field=field, any_of=("x",)),))
    for read in (
        lambda: two.search([VectorQuery(dense=axis(1.0), scope=scope)]),
        lambda: two.documents(scope),
        lambda: two.document(sha("april"), scope),
        lambda: two.table_summaries(scope),
        lambda: two.table("t", scope),
        lambda: two.lines(sha("april"), scope=scope),
        lambda: two.outline(sha("april"), scope),
        lambda: two.chunks(scope),
        lambda: two.count_chunks(scope),
    ):
        with pytest.raises(FilterError, match="There is no filter on"):
            read()


def test_values_are_brought_to_the_type_of_the_field(two: StoreIndex) -> None:
    assert [c.ordinal for c in two.chunks(only("page_start", "2"))] == [1, 1]
    with pytest.raises(FilterError, match="not a whole number"):
        two.chunks(only("page_start", "two"))
    with pytest.raises(FilterError, match="range"):
        two.chunks(Scope(must=(Range(field="period", gte=2025),)))


def test_codes_and_pages_narrow_chunks_but_not_documents(two: StoreIndex) -> None:
    assert [c.text for c in two.chunks(only("codes", "E2"))] == ["april chunk 2", "contract chunk 2"] or [
        c.text for c in two.chunks(only("codes", "E2"))
    ] == ["contract chunk 2", "april chunk 2"]
    assert len(two.documents(only("codes", "E2"))) == 2


def test_putting_twice_changes_nothing(two: StoreIndex) -> None:
    before = (two.version, two.documents(), two.chunks(), two.state().detail.get("points"))
    two.put(parsed("contract", "/in/contract.pdf", rows=0, groups=("finance",)), chunks_of("contract"))
    assert (two.version, two.documents(), two.chunks(), two.state().detail.get("points")) == before


def test_new_content_at_a_source_replaces_exactly_the_old(two: StoreIndex) -> None:
    kept = two.chunks(only("doc_id", sha("contract")))
    version = two.version
    two.put(parsed("april v2", "/in/april.pdf"), chunks_of("april v2", 2))
    assert two.version != version
    assert {d.doc_id for d in two.documents()} == {sha("april v2"), sha("contract")}
    assert two.chunks(only("doc_id", sha("april"))) == () == two.lines(sha("april"))
    assert two.table(f"{sha('april')[:12]}-t1") is None
    assert two.count_chunks() == 5 and two.chunks(only("doc_id", sha("contract"))) == kept
    assert two.state().problems == ()


def test_other_chunks_of_the_same_content_leave_none_behind(two: StoreIndex) -> None:
    two.put(parsed("april", "/in/april.pdf"), chunks_of("april", 2))
    assert len(two.chunks(only("doc_id", sha("april")))) == 2
    assert two.state().problems == ()


def test_the_same_file_at_two_sources_is_one_document_found_by_both(index: StoreIndex) -> None:
    index.put(parsed("x", "/in/b.pdf", groups=("hr",)), chunks_of("x"))
    index.put(parsed("x", "/in/a.pdf", groups=("audit",)), chunks_of("x"))
    (document,) = index.documents()
    assert (document.name, document.source, document.groups) == ("a.pdf", "/in/a.pdf", ("audit", "hr"))
    assert [w.message for w in document.warnings] == ["The same file is also at /in/b.pdf."]
    for name in ("a.pdf", "b.pdf"):
        assert index.count_chunks(only("name", name)) == 3
    assert index.count_chunks(only("groups", "hr")) == index.count_chunks() == 3

    index.put(parsed("y", "/in/a.pdf"), chunks_of("y"))
    assert [(d.name, d.groups, d.warnings) for d in index.documents()] == [
        ("a.pdf", ("everyone",), ()),
        ("b.pdf", ("hr",), ()),
    ]
    assert index.count_chunks(only("groups", "audit")) == 0
    assert index.state().problems == ()


def test_changed_groups_reach_every_point(two: StoreIndex) -> None:
    version = two.version
    two.put(parsed("contract", "/in/contract.pdf", rows=0, groups=("board",)), chunks_of("contract"))
    finance, board = only("groups", "finance"), only("groups", "board")
    assert two.version != version
    assert two.documents(finance) == () == two.chunks(finance) == two.lines(sha("contract"), scope=finance)
    assert len(two.chunks(board)) == 3 and len(two.lines(sha("contract"), scope=board)) == 6


def test_windows_are_searched_only_when_asked_for(two: StoreIndex) -> None:
    doc_id = sha("april")
    window = embedded(doc_id, 0, axis(1.0), words(t0=1.0), kind="window", granularity=2, text="window")
    two.add_chunks(doc_id, [window])
    assert "window" not in texts(two, VectorQuery(dense=axis(1.0)))
    assert texts(two, VectorQuery(dense=axis(1.0), scope=only("granularity", 2))) == ["window"]
    assert texts(two, VectorQuery(dense=axis(1.0), ids=(window.chunk.chunk_id,))) == ["window"]
    assert two.count_chunks() == 6 and two.count_chunks(only("granularity", 2)) == 1
    assert two.chunks(ids=[window.chunk.chunk_id]) == (window.chunk,)
    assert two.state().problems == ()
    two.add_chunks(doc_id, [window])
    assert two.count_chunks(only("kind", "window")) == 1 and two.state().problems == ()


def test_chunks_for_a_document_that_is_not_there(index: StoreIndex) -> None:
    with pytest.raises(IndexError_, match="no document"):
        index.add_chunks("nobody", [])


def test_a_deleted_document_is_not_found_anywhere(two: StoreIndex) -> None:
    version = two.version
    assert two.delete(sha("april")) is True
    assert two.version != version
    assert [d.name for d in two.documents()] == ["contract.pdf"]
    assert two.chunks(only("doc_id", sha("april"))) == () == two.table_summaries()
    assert {h.doc_name for h in two.search([VectorQuery(dense=axis(1.0))])[0]} == {"contract.pdf"}
    assert two.state().problems == ()


def test_a_chunk_without_any_token_is_found_by_meaning_only(index: StoreIndex) -> None:
    chunk = embedded(sha("e"), 0, axis(1.0), words(), text="—")
    index.put(parsed("e", "/in/e.pdf"), [chunk])
    assert texts(index, VectorQuery(dense=axis(1.0))) == ["—"]
    assert texts(index, VectorQuery(sparse=words(t1=1.0))) == []


def test_a_query_without_tokens_finds_nothing(two: StoreIndex) -> None:
    assert texts(two, VectorQuery(sparse=words())) == []


def test_state_tells_what_there_is(two: StoreIndex, kind: str) -> None:
    state = two.state()
    assert (state.documents, state.chunks, state.tables, state.problems) == (2, 6, 1, ())
    assert state.engine == {"embedded": "embedded", "memory": "memory"}.get(kind, "server")
    assert state.version == two.version and state.payload_indexes["doc_type"] == "keyword"
    assert two.settings_in_force()["encoder"] == "stub-1"
    two.finish()
    assert two.state().documents == 2


def test_a_ranking_is_the_search_without_its_chunks(two: StoreIndex) -> None:
    queries = [
        VectorQuery(dense=axis(1.0, 0.5), limit=4),
        VectorQuery(sparse=words(t1=1.0, t2=2.0)),
        VectorQuery(dense=axis(1.0), scope=only("doc_id", sha("april"))),
        VectorQuery(sparse=words()),
    ]
    expected = [[(h.chunk.chunk_id, h.score) for h in hits] for hits in two.search(queries)]
    assert [list(scores.items()) for scores in two.rank(queries)] == expected
    assert [len(found) for found in expected] == [4, len(expected[1]), 3, 0]
    assert two.rank([]) == []


def test_a_window_that_stands_for_larger_sizes_is_found_under_each(two: StoreIndex) -> None:
    whole = embedded(sha("april"), 0, axis(1.0), words(t0=1.0), kind="window", granularity=2, stands_for=(4, 8))
    two.add_chunks(sha("april"), [whole], (2, 4, 8))
    found = two.rank([VectorQuery(dense=axis(1.0), scope=only("granularity", size)) for size in (2, 4, 8, 16)])
    assert [list(scores) for scores in found] == [[whole.chunk.chunk_id]] * 3 + [[]]
    assert two.count_chunks() == 6


def test_a_document_knows_the_sizes_of_its_windows_also_where_it_is_too_short_for_one(two: StoreIndex) -> None:
    window = embedded(sha("april"), 0, axis(1.0), words(t0=1.0), kind="window", granularity=2)
    two.add_chunks(sha("april"), [window], (2, 16))
    two.add_chunks(sha("april"), [], (4,))
    assert {d.name: d.granularities for d in two.documents()} == {"april.pdf": (2, 4, 16), "contract.pdf": ()}
    assert two.state().problems == ()


@pytest.mark.usefixtures("bounded_idf")
def test_bm25_statistics_are_of_the_searched_chunks_while_that_is_cheap(
    two: StoreIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`t1` stands in 2 of 6 chunks; four windows with it would make it 6 of 10."""
    doc_id = sha("april")
    two.add_chunks(
        doc_id, [embedded(doc_id, n, axis(1.0), words(t1=1.0), kind="window", granularity=2) for n in range(4)]
    )
    query = VectorQuery(sparse=words(t1=1.0), limit=1)
    (bounded,) = two.search([query])
    assert bounded[0].score == pytest.approx(math.log(1 + 4.5 / 2.5), abs=1e-6)
    monkeypatch.setattr("store.index.IDF_CORPUS_POINTS", 5)
    (unbounded,) = two.search([query])
    assert unbounded[0].score == pytest.approx(math.log(1 + 4.5 / 6.5), abs=1e-6)


def test_a_publication_under_way_is_no_problem_of_the_service(two: StoreIndex) -> None:
    two._now()[0].upsert([publishing_point("/in/new.pdf", (sha("new"),), "writing /in/new.pdf")])
    assert two.state().problems == () and len(two.documents()) == 2
