"""Retrieval by UMG and UMGP: every expert at every granularity in one batched search, then one pool.

Rows are structure here too: a window of rows finds its table, and the table's own chunk goes on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from contracts.base import JsonValue, Record
from contracts.chunks import Chunk, SparseVector
from contracts.documents import Document
from contracts.errors import UsageError
from contracts.evidence import Candidate, DroppedItem, Method, Score
from contracts.filters import Match, Scope
from contracts.protocols import Index, VectorQuery
from serve.umg import PROMOTED, Hits, Mixture, Pair, Ranked, Window, mix, parents_of, rank, skip_overlapping
from serve.umg_windows import WindowPlaces

Vectors = Mapping[Method, tuple[float, ...] | SparseVector]

MOST_PARENTS = 64
"""Parents fetched for promotion, best sums first; a pool needs a third of that."""


class PairReport(Record):
    """One expert at one granularity, for the trace."""

    expert: str
    granularity: int
    candidates: int
    entropy: float
    confidence: float
    weight: float
    """Its share of the mixture."""
    contribution: float
    """Its share of the score of what was chosen."""
    degenerate: str = ""


class UmgPool(Record):
    """Candidates best first, `fused` in [0, 1] relative to the best."""

    candidates: tuple[Candidate, ...]
    pairs: tuple[PairReport, ...]
    uniform: bool
    skipped: tuple[DroppedItem, ...] = ()

    def weights(self) -> dict[str, float]:
        return {f"{pair.expert}@{pair.granularity}": pair.weight for pair in self.pairs}

    def detail(self) -> list[dict[str, JsonValue]]:
        return [pair.model_dump(mode="json") for pair in self.pairs]


def sizes_in(documents: Sequence[Document], wanted: Sequence[int]) -> tuple[int, ...]:
    """Granularities that documents in scope have windows of, narrowed to `wanted` when that names any.

    Raises:
        UsageError: none has; says how to add them.
    """
    there = {size for document in documents for size in document.granularities}
    sizes = tuple(sorted(there & set(wanted) if wanted else there))
    if documents and not sizes:
        asked = ",".join(map(str, wanted)) or "2,4,8,16,32"
        raise UsageError(
            "The strategies umg and umgp search sentence windows, and no document in scope has any"
            + (f" of {asked} sentences." if wanted else "."),
            f"`allrows ingest PATH… --granularities {asked}` adds them; what is embedded already stays as it is.",
        )
    return sizes


def retrieve_umg(
    index: Index,
    vectors: Vectors,
    scope: Scope,
    documents: Sequence[Document],
    sizes: Sequence[int],
    *,
    limit: int,
    keep: int,
    parents: bool,
    places: WindowPlaces,
) -> UmgPool:
    """The best `keep` windows from `limit` candidates of each pair; with `parents` by UMGP, else by UMG.

    `documents`: those in scope. All pairs are ranked in one batch, and only what is chosen is read whole.
    """
    pairs = _rank(index, vectors, scope, sizes, limit)
    mixture = mix(pairs)
    found = {i: p for i, p in mixture.scores.items() if p > 0}
    windows = places.read(index, scope, found)
    scores = {i: p for i, p in found.items() if i in windows}  # a document may go between two reads
    promoted = PROMOTED if parents else ()
    windows |= places.read(index, scope, _parents(scores, windows, promoted))
    kept, skipped = skip_overlapping(rank(scores, windows, promoted), keep)
    chunks = {c.chunk_id: c for c in (index.chunks(scope, [r.window.id for r in kept]) if kept else ())}
    kept = [r for r in kept if r.window.id in chunks]
    known = {document.doc_id: document for document in documents}
    return UmgPool(
        candidates=tuple(
            _candidate(r, place, kept[0], chunks[r.window.id], known[r.window.doc_id], pairs)
            for place, r in enumerate(kept, 1)
        ),
        pairs=_reports(mixture, pairs, kept),
        uniform=mixture.uniform,
        skipped=tuple(
            DroppedItem(
                item=f"{known[r.window.doc_id].name}, sentences {r.window.start}-{r.window.end}",
                reason="more than 75 % of it is in a better window",
                detail={"window": r.window.id, "better": holder},
            )
            for r, holder in skipped
        ),
    )


def _rank(index: Index, vectors: Vectors, scope: Scope, sizes: Sequence[int], limit: int) -> dict[Pair, Hits]:
    asked: list[Pair] = [(expert, size) for size in sizes for expert in vectors]
    found = index.rank([_query(vectors, scope, pair, limit) for pair in asked]) if asked else []
    lists = dict(zip(asked, found, strict=True))
    pairs = {}
    for (expert, size), scores in lists.items():
        # A sparse list ends where no term is shared; the windows behind it are candidates that score 0.
        fellows = max(len(lists[other, size]) for other in vectors)
        pairs[expert, size] = Hits(scores, fellows - len(scores) if scores else 0)
    return pairs


def _query(vectors: Vectors, scope: Scope, pair: Pair, limit: int) -> VectorQuery:
    expert, size = pair
    narrowed = scope.and_(Match(field="granularity", any_of=(size,)))
    vector = next(v for method, v in vectors.items() if method == expert)
    if isinstance(vector, SparseVector):
        return VectorQuery(sparse=vector, scope=narrowed, limit=limit)
    return VectorQuery(dense=vector, scope=narrowed, limit=limit)


def _parents(scores: Mapping[str, float], windows: Mapping[str, Window], sizes: Sequence[int]) -> list[str]:
    """Parents that no pair found by itself, those with the best sums."""
    sums = parents_of(scores, windows, sizes)
    return sorted((i for i in sums if i not in windows), key=lambda i: (-sums[i], i))[:MOST_PARENTS]


def _candidate(
    ranked: Ranked, place: int, best: Ranked, chunk: Chunk, document: Document, pairs: Mapping[Pair, Hits]
) -> Candidate:
    share = ranked.utility / best.utility if best.utility > 0 else 0.0
    scores: dict[str, Score] = {"umg": Score(raw=ranked.utility, normalised=share, rank=place)}
    methods: list[Method] = ["umg"]
    expert: Method
    for expert in ("dense", "bm25"):
        found = [h.scores[m] for (e, _), h in pairs.items() if e == expert for m in ranked.members if m in h.scores]
        if found:
            methods.append(expert)
            scores[expert] = Score(raw=max(found), normalised=0.0)
    return Candidate(
        candidate_id=chunk.chunk_id,
        chunk=chunk,
        doc_name=document.name,
        doc_type=document.doc_type,
        period=document.period,
        scores=scores,
        methods=tuple(methods),
        fused=share,
    )


def _reports(mixture: Mixture, pairs: Mapping[Pair, Hits], kept: Sequence[Ranked]) -> tuple[PairReport, ...]:
    members = {m for r in kept for m in r.members}
    chosen = sum(mixture.scores[m] for m in members) or 1.0
    reports = []
    for pair, hits in pairs.items():
        found, weight = mixture.distributions[pair], mixture.weights[pair]
        own = sum(p for i, p in zip(hits.scores, found.probabilities, strict=True) if i in members)
        reports.append(
            PairReport(
                expert=pair[0],
                granularity=pair[1],
                candidates=len(hits.scores) + hits.zeros,
                entropy=round(found.entropy, 6),
                confidence=round(found.confidence, 6),
                weight=round(weight, 6),
                contribution=round(weight * own / chosen, 6),
                degenerate=found.degenerate,
            )
        )
    return tuple(reports)
