from contracts.chunks import Chunk
from contracts.evidence import Candidate, Score
from serve.stages.rank import _cut


def candidate(name: str, **ranks: int) -> Candidate:
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
    scores = {method: Score(raw=1.0, normalised=1.0, rank=rank) for method, rank in ranks.items()}
    return Candidate(candidate_id=name, chunk=chunk, doc_name="d.pdf", doc_type="t", scores=scores)


def test_a_large_pool_is_cut_by_reciprocal_rank_over_all_methods():
    # with k = 60: a 1/61; b 1/70 + 1/62; c 1/62; d 1/63
    pool = [
        candidate("a", dense=1),
        candidate("c", dense=2),
        candidate("d", dense=3),
        candidate("b", dense=10, keywords=2),
    ]
    kept, cut = _cut(pool, 2, 60)
    assert [c.candidate_id for c in kept] == ["a", "b"]
    assert [c.candidate_id for c in cut] == ["c", "d"]


def test_a_small_pool_stays_whole_in_its_order():
    pool = [candidate("b", dense=2), candidate("a", dense=1)]
    assert _cut(pool, 40, 60) == (pool, [])
