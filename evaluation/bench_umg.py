"""UMG and UMGP against the plain strategies at equal context budgets, and what the windows cost.

    python -m evaluation.bench_umg [--hotpotqa FOLDER] [--rounds 3] [--cache .bench/vectors]

Each strategy ranks texts for a question; the context is filled in that order up to 500, 1,000 and 2,000 model tokens
(the last text is cut) and looked through for the supporting facts and the answer. FOLDER defaults to `hotpotqa` in
$ALLROWS_BENCH_DATA; without either only the sample corpus is measured. Vectors are kept in the cache folder, so that
only the first run embeds; ingest times are those of the run that embedded.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from contracts.chunks import Chunk, EmbeddedChunk, SparseVector
from contracts.documents import ParsedDocument
from contracts.evidence import Candidate, Method
from contracts.filters import Match, Scope
from contracts.protocols import DenseEncoder, Index, SparseEncoder
from contracts.settings import Settings, load_settings
from encode.bm25 import Bm25Encoder
from encode.dense import load_dense
from evaluation.contexts import Recall, fill, recall
from evaluation.hotpot import Evidence, load_hotpot
from evaluation.sample_evidence import load_samples
from evaluation.vector_cache import CachedDense
from ingest.process import embed, make_chunks
from ingest.windows import make_windows
from serve.fuse import fuse, fuse_by_rank
from serve.retrieve import fill_missing, search
from serve.umg_retrieve import retrieve_umg
from store.open import open_index

SIZES = (2, 4, 8, 16, 32)
BUDGETS = (500, 1000, 2000)
KEEP = 100
"""Texts ranked, so that every strategy can fill the largest budget."""

Vectors = dict[Method, tuple[float, ...] | SparseVector]
Strategy = Callable[[Index, Vectors, Settings], Sequence[Candidate]]
CHUNKS = Scope(must=(Match(field="granularity", any_of=(0,)),))


def dense(index: Index, vectors: Vectors, settings: Settings) -> Sequence[Candidate]:
    return search(index, {"dense": vectors["dense"]}, CHUNKS, KEEP)


def bm25(index: Index, vectors: Vectors, settings: Settings) -> Sequence[Candidate]:
    return search(index, {"bm25": vectors["bm25"]}, CHUNKS, KEEP)


def hybrid(index: Index, vectors: Vectors, settings: Settings) -> Sequence[Candidate]:
    pool = fill_missing(index, vectors, CHUNKS, search(index, vectors, CHUNKS, KEEP))
    return fuse(pool, {"dense": settings.weight_dense, "bm25": settings.weight_bm25}).candidates


def rrf(index: Index, vectors: Vectors, settings: Settings) -> Sequence[Candidate]:
    return fuse_by_rank(search(index, vectors, CHUNKS, KEEP), settings.rrf_k).candidates


def umg(index: Index, vectors: Vectors, settings: Settings, parents: bool = False) -> Sequence[Candidate]:
    limit = settings.umg_candidates
    return retrieve_umg(
        index, vectors, Scope(), index.documents(), SIZES, limit=limit, keep=KEEP, parents=parents
    ).candidates


def umgp(index: Index, vectors: Vectors, settings: Settings) -> Sequence[Candidate]:
    return umg(index, vectors, settings, parents=True)


STRATEGIES: dict[str, Strategy] = {
    "dense": dense, "bm25": bm25, "hybrid": hybrid, "rrf": rrf, "umg": umg, "umgp": umgp,
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hotpotqa", type=Path, default=_from_environment())
    parser.add_argument("--rounds", type=int, default=3, help="for the times")
    parser.add_argument("--cache", type=Path, default=Path(".bench/vectors"))
    arguments = parser.parse_args()
    settings, _ = load_settings()
    encoder = CachedDense(load_dense(settings), arguments.cache)
    corpora = {"sample corpus": load_samples}
    if arguments.hotpotqa is None:
        print("HotpotQA is not measured: give its folder with --hotpotqa or set ALLROWS_BENCH_DATA.\n")
    else:
        corpora["HotpotQA"] = lambda: load_hotpot(arguments.hotpotqa)
    for name, load in corpora.items():
        _measure(name, *load(), settings, encoder, arguments.rounds)
    encoder.save()


def _from_environment() -> Path | None:
    folder = os.environ.get("ALLROWS_BENCH_DATA", "").strip()
    return Path(folder) / "hotpotqa" if folder else None


def _measure(
    name: str,
    documents: Sequence[ParsedDocument],
    questions: Sequence[Evidence],
    settings: Settings,
    encoder: CachedDense,
    rounds: int,
) -> None:
    print(f"## {name}: {len(documents)} documents, {len(questions)} questions\n")
    with tempfile.TemporaryDirectory() as folder:
        where = settings.model_copy(update={"data_dir": Path(folder)})
        sparse = Bm25Encoder()
        prints = {"dense": encoder.fingerprint, "dimension": str(encoder.dimension), "sparse": sparse.fingerprint}
        index = open_index(where, prints, create=True)
        try:
            _ingest(index, Path(folder), documents, settings, encoder, sparse)
            _recalls(index, questions, settings, encoder, sparse)
            _times(index, questions, settings, encoder, sparse, rounds)
        finally:
            index.close()


def _ingest(
    index: Index,
    folder: Path,
    documents: Sequence[ParsedDocument],
    settings: Settings,
    dense: CachedDense,
    sparse: SparseEncoder,
) -> None:
    """Chunks first, then the windows of each size, as an ingestion that adds one size after the other would."""
    print("| ingested | points | model tokens | embedded now | s | index MB |\n|---|---|---|---|---|---|")
    for size in (0, *SIZES):
        start, before = time.perf_counter(), dense.embedded
        points = tokens = 0
        for document in documents:
            chunks = list(_embedded(document, size, settings, dense, sparse))
            points += len(chunks)
            tokens += sum(c.chunk.tokens for c in chunks)
            if size == 0:
                index.put(document, chunks)
            else:
                index.add_chunks(document.document.doc_id, chunks, (size,))
        index.finish()
        seconds = time.perf_counter() - start
        megabytes = sum(f.stat().st_blocks * 512 for f in folder.rglob("*") if f.is_file()) / 1e6
        label = f"windows of {size}" if size else "chunks"
        print(f"| {label} | {points} | {tokens} | {dense.embedded - before} | {seconds:.1f} | {megabytes:.1f} |")
    print()


def _embedded(
    document: ParsedDocument, size: int, settings: Settings, dense: DenseEncoder, sparse: SparseEncoder
) -> Iterator[EmbeddedChunk]:
    chunks: list[Chunk]
    if size == 0:
        chunks = make_chunks(document, settings)
    else:
        chunks = [w for w in make_windows(document, SIZES, settings.chunk_size) if w.granularity == size]
    return embed(chunks, dense, sparse)


def _vectors(question: str, dense: DenseEncoder, sparse: SparseEncoder) -> Vectors:
    encoded, _ = dense.encode([question])
    return {"dense": tuple(encoded[0].tolist()), "bm25": sparse.encode_query(question)}


def _recalls(
    index: Index, questions: Sequence[Evidence], settings: Settings, dense: DenseEncoder, sparse: SparseEncoder
) -> None:
    print("| strategy | " + " | ".join(f"facts@{b} | answer@{b}" for b in BUDGETS) + " |")
    print("|---" * (1 + 2 * len(BUDGETS)) + "|")
    for name, strategy in STRATEGIES.items():
        found: dict[int, list[Recall]] = {budget: [] for budget in BUDGETS}
        for question in questions:
            ranked = strategy(index, _vectors(question.question, dense, sparse), settings)
            for budget in BUDGETS:
                context = fill([c.chunk.text for c in ranked], budget, dense.count_tokens)
                found[budget].append(recall(question, context))
        print(f"| {name} | " + " | ".join(_mean(found[b]) for b in BUDGETS) + " |")
    print()


def _mean(recalls: Sequence[Recall]) -> str:
    facts = [r.facts for r in recalls if r.facts is not None]
    answers = [float(r.answer) for r in recalls if r.answer is not None]
    return f"{statistics.mean(facts):.3f} | {statistics.mean(answers):.3f}"


def _times(
    index: Index,
    questions: Sequence[Evidence],
    settings: Settings,
    dense: CachedDense,
    sparse: SparseEncoder,
    rounds: int,
) -> None:
    """The strategies take turns, so that a busy machine is busy for all of them."""
    spent: dict[str, list[float]] = {name: [] for name in STRATEGIES}
    encoding: list[float] = []
    for _ in range(rounds):
        for question in questions:
            start = time.perf_counter()
            dense.inner.encode([question.question])
            encoding.append(time.perf_counter() - start)
            vectors = _vectors(question.question, dense, sparse)
            for name, strategy in STRATEGIES.items():
                start = time.perf_counter()
                strategy(index, vectors, settings)
                spent[name].append(time.perf_counter() - start)
    print("| strategy | ms p50 | ms p95 | with the question's embedding, p50 |\n|---|---|---|---|")
    embedding = statistics.median(encoding)
    for name, times in spent.items():
        p95 = statistics.quantiles(times, n=20)[-1]
        median = statistics.median(times)
        print(f"| {name} | {median * 1e3:.1f} | {p95 * 1e3:.1f} | {(median + embedding) * 1e3:.1f} |")
    print()


if __name__ == "__main__":
    main()
