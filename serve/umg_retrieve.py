"""Retrieval by UMG and UMGP: every expert at every granularity in one batched search, then one pool.

Rows are structure here too: a window of table rows finds the table, and the table's own chunk goes on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from contracts.base import JsonValue, Record
from contracts.chunks import Chunk, SparseVector
from contracts.documents import Document
from contracts.errors import UsageError
from contracts.evidence import Candidate, DroppedItem, Method, Score
from contracts.filters import Match, Scope
from contracts.protocols import Hit, Index, VectorQuery
from serve.umg import Hits, Mixture, Pair, Ranked, Window, mix, parents_of, promote, rank, skip_overlapping

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
    index: Index, vectors: Vectors, scope: Scope, sizes: Sequence[int], *, limit: int, keep: int, parents: bool
) -> UmgPool:
    """The best `keep` windows from `limit` candidates of each pair; with `parents` by UMGP, else by UMG."""
    hits, pairs = _search(index, vectors, scope, sizes, limit)
    mixture = mix(pairs)
    windows = {i: _window(hit.chunk) for i, hit in hits.items()}
    if parents:
        hits |= _fetch_parents(index, scope, mixture.scores, windows, hits)
        windows = {i: _window(hit.chunk) for i, hit in hits.items()}
    ranked = promote(mixture.scores, windows) if parents else rank(mixture.scores, windows)
    kept, skipped = skip_overlapping(ranked, keep)
    candidates = _with_tables(
        index, scope, [_candidate(r, place, kept[0], hits, pairs) for place, r in enumerate(kept)]
    )
    return UmgPool(
        candidates=candidates,
        pairs=_reports(mixture, pairs, kept),
        uniform=mixture.uniform,
        skipped=tuple(
            DroppedItem(item=r.window.id, reason="more than 75 % of it is in a better window", detail=holder)
            for r, holder in skipped
        ),
    )


def _search(
    index: Index, vectors: Vectors, scope: Scope, sizes: Sequence[int], limit: int
) -> tuple[dict[str, Hit], dict[Pair, Hits]]:
    asked: list[Pair] = [(expert, size) for size in sizes for expert in vectors]
    found = index.search([_query(vectors, scope, pair, limit) for pair in asked]) if asked else []
    lists = dict(zip(asked, found, strict=True))
    hits = {hit.chunk.chunk_id: hit for batch in found for hit in batch}
    pairs = {}
    for (expert, size), batch in lists.items():
        # A sparse list ends where no term is shared; the windows behind it are candidates that score 0.
        fellows = max(len(lists[other, size]) for other in vectors)
        zeros = fellows - len(batch) if batch else 0
        pairs[expert, size] = Hits({hit.chunk.chunk_id: hit.score for hit in batch}, zeros)
    return hits, pairs


def _query(vectors: Vectors, scope: Scope, pair: Pair, limit: int) -> VectorQuery:
    expert, size = pair
    narrowed = scope.and_(Match(field="granularity", any_of=(size,)))
    vector = next(v for method, v in vectors.items() if method == expert)
    if isinstance(vector, SparseVector):
        return VectorQuery(sparse=vector, scope=narrowed, limit=limit)
    return VectorQuery(dense=vector, scope=narrowed, limit=limit)


def _window(chunk: Chunk) -> Window:
    return Window(
        id=chunk.chunk_id,
        doc_id=chunk.doc_id,
        granularity=chunk.granularity,
        start=chunk.sentence_start or 0,
        end=chunk.sentence_end or 0,
        tokens=chunk.tokens,
        parent_id=chunk.parent_id,
    )


def _fetch_parents(
    index: Index, scope: Scope, scores: Mapping[str, float], windows: Mapping[str, Window], hits: Mapping[str, Hit]
) -> dict[str, Hit]:
    """Parents that no pair found by itself, with the document of the child that leads to them."""
    sums = parents_of(scores, windows)
    best = sorted((i for i in sums if i not in hits), key=lambda i: (-sums[i], i))[:MOST_PARENTS]
    children = {hit.chunk.parent_id: hit for hit in hits.values() if hit.chunk.parent_id is not None}
    found = index.chunks(scope, best) if best else ()
    return {c.chunk_id: children[c.chunk_id].model_copy(update={"chunk": c, "score": 0.0}) for c in found}


def _candidate(
    ranked: Ranked, place: int, best: Ranked, hits: Mapping[str, Hit], pairs: Mapping[Pair, Hits]
) -> Candidate:
    hit = hits[ranked.window.id]
    share = ranked.utility / best.utility if best.utility > 0 else 0.0
    scores: dict[Method, Score] = {"umg": Score(raw=ranked.utility, normalised=share, rank=place + 1)}
    methods: list[Method] = ["umg"]
    expert: Method
    for expert in ("dense", "bm25"):
        found = [h.scores[m] for (e, _), h in pairs.items() if e == expert for m in ranked.members if m in h.scores]
        if found:
            methods.append(expert)
            scores[expert] = Score(raw=max(found), normalised=0.0)
    return Candidate(
        candidate_id=hit.chunk.chunk_id,
        chunk=hit.chunk,
        doc_name=hit.doc_name,
        doc_type=hit.doc_type,
        period=hit.period,
        scores={str(m): s for m, s in scores.items()},
        methods=tuple(methods),
        fused=share,
    )


def _with_tables(index: Index, scope: Scope, candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Windows of rows give way to the chunk of the table that holds their first row; each chunk once."""
    tables = tuple({c.chunk.table_id: None for c in candidates if c.chunk.table_id is not None})
    if not tables:
        return tuple(candidates)
    whole = scope.and_(Match(field="table_id", any_of=tables), Match(field="granularity", any_of=(0,)))
    chunks = index.chunks(whole)
    placed: dict[str, Candidate] = {}
    for candidate in candidates:
        chunk = _table_chunk(candidate.chunk, chunks)
        changed = candidate.model_copy(update={"candidate_id": chunk.chunk_id, "chunk": chunk})
        placed.setdefault(chunk.chunk_id, changed)
    return tuple(placed.values())


def _table_chunk(window: Chunk, chunks: Sequence[Chunk]) -> Chunk:
    if window.table_id is None or window.row_start is None:
        return window
    for chunk in chunks:
        first, last = chunk.row_start, chunk.row_end
        holds = first is not None and last is not None and first <= window.row_start <= last
        if chunk.table_id == window.table_id and holds:
            return chunk
    return window


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
