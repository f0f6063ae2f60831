import pytest

from contracts.chunks import Chunk
from contracts.evidence import Candidate, Score
from serve.fuse import fuse, fuse_by_rank


def candidate(name: str, dense: float, bm25: float, ranks: dict[str, int] | None = None) -> Candidate:
    chunk = Chunk(
        chunk_id=name,
        doc_id="d",
        kind="prose",
        text=name,
        ordinal=0,
        page_start=1,
        page_end=1,
        line_start=1,
        line_end=1,
    )
    ranks = ranks or {}
    return Candidate(
        candidate_id=name,
        chunk=chunk,
        doc_name="d.pdf",
        doc_type="t",
        scores={
            "dense": Score(raw=dense, normalised=0, rank=ranks.get("dense")),
            "bm25": Score(raw=bm25, normalised=0, rank=ranks.get("bm25")),
        },
    )


WEIGHTS = {"dense": 0.65, "bm25": 0.35}


def test_weighted_fusion_by_hand():
    # dense 0.2..0.8: a=1, b=0.5, c=0; bm25 0..10: a=0, b=1, c=0.4
    # a = 0.65; b = 0.325 + 0.35 = 0.675; c = 0.14
    fused = fuse([candidate("a", 0.8, 0), candidate("b", 0.5, 10), candidate("c", 0.2, 4)], WEIGHTS)
    assert [c.candidate_id for c in fused.candidates] == ["b", "a", "c"]
    assert [c.fused for c in fused.candidates] == pytest.approx([0.675, 0.65, 0.14])
    assert fused.candidates[0].scores["dense"].raw == 0.5
    assert fused.candidates[0].scores["dense"].normalised == pytest.approx(0.5)
    assert fused.degenerate == {}


def test_a_hopeless_single_hit_is_not_turned_into_one():
    fused = fuse([candidate("a", 0.003, 0)], WEIGHTS)
    assert fused.candidates[0].fused == 0.0
    assert fused.degenerate == {"dense": "a single candidate", "bm25": "a single candidate"}


def test_equal_scores_are_flagged_and_leave_the_order_to_the_other_method():
    fused = fuse([candidate("a", 0.1, 2), candidate("b", 0.9, 2)], WEIGHTS)
    assert [c.candidate_id for c in fused.candidates] == ["b", "a"]
    assert fused.degenerate == {"bm25": "all scores equal 2"}


def test_no_shared_term_is_told_as_such():
    fused = fuse([candidate("a", 0.1, 0), candidate("b", 0.9, 0)], WEIGHTS)
    assert fused.degenerate == {"bm25": "no candidate shares a term with the question"}


def test_ties_are_broken_by_id():
    fused = fuse([candidate("b", 0.5, 1), candidate("a", 0.5, 1), candidate("c", 0.1, 0)], WEIGHTS)
    assert [c.candidate_id for c in fused.candidates] == ["a", "b", "c"]


def test_rrf_by_hand():
    # a: 1/61 + 1/62; b: 1/61; c has only a fetched score and counts 0
    pool = [
        candidate("b", 0.1, 5, {"bm25": 1}),
        candidate("a", 0.9, 3, {"dense": 1, "bm25": 2}),
        candidate("c", 0.8, 0),
    ]
    fused = fuse_by_rank(pool, 60)
    assert [c.candidate_id for c in fused.candidates] == ["a", "b", "c"]
    assert [c.fused for c in fused.candidates] == pytest.approx([1 / 61 + 1 / 62, 1 / 61, 0.0])


def test_an_empty_pool():
    assert fuse([], WEIGHTS).candidates == ()
