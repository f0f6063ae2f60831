import math

import pytest

from contracts.chunks import Chunk
from contracts.evidence import Candidate
from serve.rerank import rerank, sigmoid


class Stub:
    name = "stub"

    def __init__(self, logits):
        self.logits, self.seen = logits, []

    def score(self, question, texts, budget_ms):
        self.seen = list(texts)
        return None if self.logits is None else self.logits[: len(texts)]


def candidate(name: str, fused: float, table: str | None = None) -> Candidate:
    chunk = Chunk(
        chunk_id=name,
        doc_id="d",
        kind="table" if table else "prose",
        text=name,
        ordinal=0,
        page_start=1,
        page_end=1,
        line_start=1,
        line_end=1,
        table_id=table,
    )
    return Candidate(candidate_id=name, chunk=chunk, doc_name="d.pdf", doc_type="t", fused=fused)


POOL = [candidate(n, f) for n, f in (("a", 0.9), ("b", 0.8), ("c", 0.7), ("d", 0.6))]


def ids(candidates):
    return [c.candidate_id for c in candidates]


def test_the_best_logits_are_kept_and_the_rest_say_why_not():
    result = rerank("q", POOL, Stub([-1.0, 2.0, 0.5]), read=3, keep=2, budget_ms=100)
    assert ids(result.kept) == ["b", "c"]
    assert result.kept[0].rerank_score == pytest.approx(1 / (1 + math.exp(-2)))
    assert {d.item for d in result.dropped} == {"a", "d"}
    assert "cross-encoder -1.00" in next(d.reason for d in result.dropped if d.item == "a")
    assert "fused 0.600" in next(d.reason for d in result.dropped if d.item == "d")


def test_past_the_budget_the_fused_order_stands():
    result = rerank("q", POOL, Stub(None), read=3, keep=2, budget_ms=0.001)
    assert ids(result.kept) == ["a", "b"]
    assert result.timed_out


def test_switched_off_is_not_a_timeout():
    result = rerank("q", POOL, None, read=3, keep=2, budget_ms=100)
    assert ids(result.kept) == ["a", "b"]
    assert not result.timed_out


def test_the_chunks_of_a_table_stand_or_fall_together():
    pool = [candidate("t1", 0.9, "T"), candidate("p", 0.8), candidate("t2", 0.7, "T"), candidate("t3", 0.1, "T")]
    encoder = Stub([3.0, 1.0])
    result = rerank("q", pool, encoder, read=2, keep=1, budget_ms=100)
    assert encoder.seen == ["t1", "p"]
    assert ids(result.kept) == ["t1", "t2", "t3"]


def test_a_table_that_is_computed_over_is_kept_whatever_its_rank():
    pool = [candidate("a", 0.9), candidate("b", 0.8), candidate("t1", 0.1, "T"), candidate("c", 0.05)]
    result = rerank("q", pool, Stub([1.0, 2.0]), read=2, keep=1, budget_ms=100, pinned=frozenset({"T"}))
    assert ids(result.kept) == ["b", "t1"]
    assert {d.item for d in result.dropped} == {"a", "c"}


@pytest.mark.parametrize("logit", [-1000.0, 1000.0])
def test_extreme_logits_do_not_overflow(logit):
    assert sigmoid(logit) == pytest.approx(1.0 if logit > 0 else 0.0)
