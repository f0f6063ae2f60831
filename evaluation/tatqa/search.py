"""One retrieval pass over TAT-QA, from which every fusion is computed without asking the index again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from contracts.base import Record
from contracts.evidence import Candidate, Method
from contracts.filters import Match, Scope
from evaluation.tatqa.data import TatQuestion
from serve.fuse import fuse, fuse_by_rank
from serve.retrieve import Vectors, fill_missing, search
from serve.services import Services

Ranker = Callable[[Sequence[Candidate]], tuple[Candidate, ...]]


class Pool(Record):
    question: TatQuestion
    candidates: tuple[Candidate, ...]


def pools(questions: Sequence[TatQuestion], services: Services, within: Mapping[str, str] | None = None) -> list[Pool]:
    """The union of dense and BM25 hits for each question, both scores on each candidate.

    `within` maps a context to its document id, to search that document only.
    """
    vectors, _ = services.dense.get().encode([q.text for q in questions])
    found = []
    for question, vector in zip(questions, vectors, strict=True):
        scope = Scope()
        if within is not None:
            scope = Scope(must=(Match(field="doc_id", any_of=(within[question.context],)),))
        both: Vectors = {
            "dense": tuple(float(x) for x in vector),
            "bm25": services.sparse.encode_query(question.text),
        }
        union = search(services.index, both, scope, services.settings.top_k_retrieve)
        found.append(Pool(question=question, candidates=fill_missing(services.index, both, scope, union)))
    return found


def by_method(method: Method) -> Ranker:
    def rank(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
        own = [c for c in candidates if c.scores[method].rank is not None]
        return tuple(sorted(own, key=lambda c: c.scores[method].rank or 0))

    return rank


def weighted(dense: float) -> Ranker:
    return lambda candidates: fuse(candidates, {"dense": dense, "bm25": 1 - dense}).candidates


def rrf(k: int) -> Ranker:
    return lambda candidates: fuse_by_rank(candidates, k).candidates


def rankers(services: Services) -> dict[str, Ranker]:
    """The default fusion and what it is compared with."""
    s = services.settings
    return {
        f"weighted {s.weight_dense:g}/{s.weight_bm25:g} (default)": weighted(s.weight_dense),
        "dense only": by_method("dense"),
        "BM25 only": by_method("bm25"),
        f"RRF, k = {s.rrf_k}": rrf(s.rrf_k),
    }


def document_ids(services: Services) -> dict[str, str]:
    """Context uid to document id."""
    return {Path(d.name).stem: d.doc_id for d in services.index.documents()}
