"""UMG on the embedded engine, with vectors made by hand."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from contracts.chunks import Chunk, EmbeddedChunk, SparseVector
from contracts.documents import Document, ParsedDocument
from contracts.errors import UsageError
from contracts.filters import Match, Scope
from contracts.protocols import Index
from contracts.settings import load_settings
from serve.umg_retrieve import UmgPool, retrieve_umg, sizes_in
from serve.umg_windows import WindowPlaces
from store.open import open_index

EAST, NORTH = (1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0)
POLICY = Document(doc_id="a" * 64, name="policy.pdf", source="/policy.pdf", granularities=(2, 8))
REGISTER = Document(doc_id="b" * 64, name="register.pdf", source="/register.pdf", granularities=(2, 8))
BOTH = (POLICY, REGISTER)


def name_of(place: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_OID, place))


def chunk(
    place: str,
    document: Document,
    size: int,
    span: tuple[int, int] | None,
    toward_east: float,
    token: int = 9,
    **fields: object,
) -> EmbeddedChunk:
    """A unit vector whose cosine with `EAST` is `toward_east`; one sparse token."""
    made = Chunk.model_validate(
        {
            "chunk_id": name_of(place),
            "doc_id": document.doc_id,
            "kind": "window" if size else "table",
            "text": place,
            "ordinal": 0,
            "page_start": 1,
            "page_end": 1,
            "line_start": 1,
            "line_end": 1,
            "granularity": size,
            "sentence_start": None if span is None else span[0],
            "sentence_end": None if span is None else span[1],
            "tokens": 16,
            **fields,
        }
    )
    north = (1 - toward_east**2) ** 0.5
    return EmbeddedChunk(
        chunk=made, dense=(toward_east, north, 0.0, 0.0), sparse=SparseVector(indices=(token,), values=(1.0,))
    )


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    """Ten sentences of a policy in windows of 2 and 8, and a register whose rows lead to one table chunk."""
    parent = name_of("s0-7")
    policy = [
        chunk("s0-1", POLICY, 2, (0, 1), 0.9, token=1, parent_id=parent),
        chunk("s1-2", POLICY, 2, (1, 2), 0.6, parent_id=parent),
        chunk("s6-7", POLICY, 2, (6, 7), 0.1, parent_id=parent),
        chunk("s0-7", POLICY, 8, (0, 7), 0.5, tokens=64),
        chunk("s2-9", POLICY, 8, (2, 9), 0.2, tokens=64),
    ]
    table = {"table_id": "t1", "parent_id": name_of("table")}
    register = [
        chunk("table", REGISTER, 0, None, 0.0, table_id="t1", row_start=1, row_end=3, tokens=100),
        chunk("rows1-2", REGISTER, 2, (0, 1), 0.3, row_start=1, row_end=2, **table),
        chunk("rows2-3", REGISTER, 2, (1, 2), 0.4, row_start=2, row_end=3, **table),
    ]
    settings, _ = load_settings({"ALLROWS_DATA_DIR": str(tmp_path)})
    opened = open_index(settings, {"dense": "stub", "dimension": "4", "sparse": "stub"}, create=True)
    for document, chunks in ((POLICY, policy), (REGISTER, register)):
        opened.put(ParsedDocument(document=document, lines=(), outline=(), tables=()), chunks)
    yield opened
    opened.close()


def ask(index: Index, scope: Scope = Scope(), *, token: int = 1, keep: int = 20, parents: bool = False) -> UmgPool:
    vectors = {"dense": EAST, "bm25": SparseVector(indices=(token,), values=(1.0,))}
    return retrieve_umg(
        index, vectors, scope, BOTH, (2, 8), limit=10, keep=keep, parents=parents, places=WindowPlaces()
    )  # type: ignore[arg-type]


def found(pool: UmgPool) -> list[str]:
    return [c.chunk.text for c in pool.candidates]


def test_the_mixture_of_all_pairs_by_hand(index: Index) -> None:
    """dense@2 of 0.9 0.6 0.4 0.3 0.1 and dense@8 of 0.5 0.2 (certain); bm25@2 hits one of five (certain); bm25@8 nothing.

    dense@2: min-max 8, 5, 3, 2, 0 eighths → /18; H = 1.25899/ln 5 = 0.782255, c = 0.217745. Σc = 2.217745.
    """
    pool = ask(index)
    pairs = {(p.expert, p.granularity): p for p in pool.pairs}
    assert pairs["dense", 2].entropy == pytest.approx(0.782255, abs=2e-5)
    assert pairs["dense", 2].weight == pytest.approx(0.217745 / 2.217745, abs=2e-5)
    assert (pairs["dense", 8].confidence, pairs["bm25", 2].confidence) == (1.0, 1.0)
    assert (pairs["bm25", 2].candidates, pairs["bm25", 8].degenerate) == (5, "empty")
    best = pool.candidates[0]
    assert best.chunk.text == "s0-1"
    assert best.scores["umg"].raw == pytest.approx((0.217745 * 8 / 18 + 1) / 2.217745 / 4, abs=1e-5)
    assert best.methods == ("umg", "dense", "bm25")
    assert best.doc_name == "policy.pdf"
    assert sum(p.weight for p in pool.pairs) == pytest.approx(1.0, abs=1e-5)
    assert sum(p.contribution for p in pool.pairs) == pytest.approx(1.0, abs=1e-5)


def test_rows_lead_to_their_table_once_with_their_sum(index: Index) -> None:
    """(2 + 3)/18 of dense@2, over √100."""
    (table,) = (c for c in ask(index).candidates if c.chunk.table_id is not None)
    assert (table.chunk.text, table.chunk.granularity) == ("table", 0)
    assert table.scores["umg"].raw == pytest.approx(0.217745 / 2.217745 * 5 / 18 / 10, abs=1e-5)


def test_umg_keeps_small_windows_and_umgp_promotes_them(index: Index) -> None:
    assert found(ask(index))[:2] == ["s0-1", "s0-7"]
    promoted = ask(index, parents=True)
    assert found(promoted)[0] == "s0-7"
    assert set(found(promoted)) == {"s0-7", "table"}  # s2-9 has no mass: it is last of its pair
    assert promoted.candidates[0].scores["umg"].raw == pytest.approx((0.217745 * 13 / 18 + 2) / 2.217745 / 8, abs=1e-5)


def test_what_a_better_one_holds_is_skipped_and_said(index: Index) -> None:
    pool = ask(index)
    assert "s1-2" not in found(pool)
    assert [(d.item, d.detail) for d in pool.skipped] == [
        ("policy.pdf, sentences 1-2", {"window": name_of("s1-2"), "better": name_of("s0-7")})
    ]


def test_the_scope_holds_for_windows_parents_and_tables(index: Index) -> None:
    only_policy = Scope(must=(Match(field="doc_id", any_of=(POLICY.doc_id,)),))
    assert "table" not in found(ask(index, only_policy))
    assert found(ask(index, Scope(must=(Match(field="doc_id", any_of=("0" * 64,)),)))) == []


def test_a_question_without_known_tokens_is_left_to_the_dense_expert(index: Index) -> None:
    pool = ask(index, token=77)
    assert {p.degenerate for p in pool.pairs if p.expert == "bm25"} == {"empty"}
    assert not pool.uniform
    assert found(pool)[0] == "s0-7"


def test_keep_limits_the_pool(index: Index) -> None:
    assert len(ask(index, keep=1).candidates) == 1


def test_sizes_come_from_the_documents_in_scope() -> None:
    plain = Document(doc_id="c" * 64, name="plain.pdf", source="/plain.pdf")
    assert sizes_in([plain, POLICY], ()) == (2, 8)
    assert sizes_in([POLICY], (8, 16)) == (8,)
    assert sizes_in([], ()) == ()
    with pytest.raises(UsageError, match=r"no document in scope has any\. `allrows ingest PATH… --granularities 2,4,8"):
        sizes_in([plain], ())
    with pytest.raises(UsageError, match=r"has any of 16 sentences\. .*--granularities 16` adds them"):
        sizes_in([POLICY], (16,))
