"""UMG and UMGP against the plain strategies at equal context budgets, and what the windows cost.

    python -m evaluation.bench_umg [--hotpotqa FOLDER] [--rounds 3] [--cache .bench/vectors]

Each strategy ranks texts for a question; the context is filled in that order up to 500, 1,000 and 2,000 model tokens
(a sentence counts once, the last one is cut) and looked through for the supporting facts and the answer. FOLDER defaults to `hotpotqa` in
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
from dataclasses import dataclass
from pathlib import Path

from contracts.chunks import Chunk, EmbeddedChunk, SparseVector
from contracts.documents import ParsedDocument
from contracts.evidence import Candidate, Method
from contracts.filters import Match, Scope
from contracts.protocols import Index, SparseEncoder
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
from serve.umg_windows import WindowPlaces
from store.open import open_index

SIZES = (2, 4, 8, 16, 32)
BUDGETS = (500, 1000, 2000)
KEEP = 100
"""Texts ranked, so that every strategy can fill the largest budget."""

Vectors = dict[Method, tuple[float, ...] | SparseVector]
Strategy = Callable[["Bench", Vectors, int], Sequence[Candidate]]
"""Ranks so many texts for a question's vectors."""
CHUNKS = Scope(must=(Match(field="granularity", any_of=(0,)),))


@dataclass(frozen=True)
class Bench:
    """What is measured, and on what."""

    index: Index
    settings: Settings
    encoder: CachedDense
    sparse: SparseEncoder
    places: WindowPlaces

    def vectors(self, question: str) -> Vectors:
        encoded, _ = self.encoder.encode([question])
        return {"dense": tuple(encoded[0].tolist()), "bm25": self.sparse.encode_query(question)}


def dense(bench: Bench, vectors: Vectors, keep: int) -> Sequence[Candidate]:
    return search(bench.index, {"dense": vectors["dense"]}, CHUNKS, keep)


def bm25(bench: Bench, vectors: Vectors, keep: int) -> Sequence[Candidate]:
    return search(bench.index, {"bm25": vectors["bm25"]}, CHUNKS, keep)


def hybrid(bench: Bench, vectors: Vectors, keep: int) -> Sequence[Candidate]:
    pool = fill_missing(bench.index, vectors, CHUNKS, search(bench.index, vectors, CHUNKS, keep))
    return fuse(pool, {"dense": bench.settings.weight_dense, "bm25": bench.settings.weight_bm25}).candidates


def rrf(bench: Bench, vectors: Vectors, keep: int) -> Sequence[Candidate]:
    return fuse_by_rank(search(bench.index, vectors, CHUNKS, keep), bench.settings.rrf_k).candidates


def umg(bench: Bench, vectors: Vectors, keep: int, parents: bool = False) -> Sequence[Candidate]:
    pool = retrieve_umg(
        bench.index,
        vectors,
        Scope(),
        bench.index.documents(),
        SIZES,
        limit=bench.settings.umg_candidates,
        keep=keep,
        parents=parents,
        places=bench.places,
    )
    return pool.candidates


def umgp(bench: Bench, vectors: Vectors, keep: int) -> Sequence[Candidate]:
    return umg(bench, vectors, keep, parents=True)


STRATEGIES: dict[str, Strategy] = {
    "dense": dense, "bm25": bm25, "hybrid": hybrid, "rrf": rrf, "umg": umg, "umgp": umgp,
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hotpotqa", type=Path, default=_from_environment())
    parser.add_argument("--rounds", type=int, default=3, help="for the times")
    parser.add_argument("--cache", type=Path, default=Path(".bench/vectors"))
    parser.add_argument("--documents", type=int, help="of HotpotQA, for a quick look; default all")
    arguments = parser.parse_args()
    settings, _ = load_settings()
    encoder = CachedDense(load_dense(settings), arguments.cache)
    corpora = {"sample corpus": load_samples}
    if arguments.hotpotqa is None:
        print("HotpotQA is not measured: give its folder with --hotpotqa or set ALLROWS_BENCH_DATA.\n")
    else:
        corpora["HotpotQA"] = lambda: load_hotpot(arguments.hotpotqa, arguments.documents)
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
        bench = Bench(index, where, encoder, sparse, WindowPlaces())
        try:
            _ingest(bench, documents)
            _times(bench, questions, rounds)
            _recalls(bench, questions)
        finally:
            index.close()


def _ingest(bench: Bench, documents: Sequence[ParsedDocument]) -> None:
    """Chunks first, then the windows of each size, as an ingestion that adds one size after the other would."""
    print("| ingested | points | model tokens | embedded now | s | index MB |\n|---|---|---|---|---|---|")
    for size in (0, *SIZES):
        start, before = time.perf_counter(), bench.encoder.embedded
        points = tokens = 0
        for document in documents:
            chunks = list(_embedded(bench, document, size))
            points += len(chunks)
            tokens += sum(c.chunk.tokens for c in chunks)
            if size == 0:
                bench.index.put(document, chunks)
            else:
                bench.index.add_chunks(document.document.doc_id, chunks, (size,))
        bench.index.finish()
        seconds = time.perf_counter() - start
        new = bench.encoder.embedded - before
        label = f"windows of {size}" if size else "chunks"
        print(f"| {label} | {points} | {tokens} | {new} | {seconds:.1f} | {_megabytes(bench.settings.data_dir):.1f} |")
    print()


def _megabytes(folder: Path) -> float:
    return sum(f.stat().st_blocks * 512 for f in folder.rglob("*") if f.is_file()) / 1e6


def _embedded(bench: Bench, document: ParsedDocument, size: int) -> Iterator[EmbeddedChunk]:
    chunks: list[Chunk]
    if size == 0:
        chunks = make_chunks(document, bench.settings)
    else:
        windows = make_windows(document, SIZES, bench.settings.chunk_size)
        chunks = [window for window in windows if window.granularity == size]
    return embed(chunks, bench.encoder, bench.sparse)


def _recalls(bench: Bench, questions: Sequence[Evidence]) -> None:
    print("| strategy | " + " | ".join(f"facts@{b} | answer@{b}" for b in BUDGETS) + " |")
    print("|---" * (1 + 2 * len(BUDGETS)) + "|")
    for name, strategy in STRATEGIES.items():
        found: dict[int, list[Recall]] = {budget: [] for budget in BUDGETS}
        for question in questions:
            ranked = strategy(bench, bench.vectors(question.question), KEEP)
            for budget in BUDGETS:
                context = fill([c.chunk for c in ranked], budget, bench.encoder.count_tokens)
                found[budget].append(recall(question, context))
        print(f"| {name} | " + " | ".join(_mean(found[b]) for b in BUDGETS) + " |")
    print()


def _mean(recalls: Sequence[Recall]) -> str:
    facts = [r.facts for r in recalls if r.facts is not None]
    answers = [float(r.answer) for r in recalls if r.answer is not None]
    return f"{statistics.mean(facts):.3f} | {statistics.mean(answers):.3f}"


def _times(bench: Bench, questions: Sequence[Evidence], rounds: int) -> None:
    """As `ask` runs them. The strategies take turns, so that a busy machine is busy for all of them alike."""
    spent: dict[str, list[list[float]]] = {name: [] for name in STRATEGIES}
    keep = bench.settings.top_k_retrieve
    bench.encoder.inner.encode([questions[0].question])
    for _ in range(rounds):
        for times in spent.values():
            times.append([])
        for question in questions:
            for name, strategy in STRATEGIES.items():
                start = time.perf_counter()
                bench.encoder.inner.encode([question.question])
                strategy(bench, bench.vectors(question.question), keep)
                spent[name][-1].append((time.perf_counter() - start) * 1e3)
    print("| strategy | first time, ms p50 | again, p50 | again, p95 | again, × hybrid |\n|---|---|---|---|---|")
    hybrid_again = statistics.median(_again(spent["hybrid"]))
    for name, times in spent.items():
        again = _again(times)
        median, p95 = statistics.median(again), statistics.quantiles(again, n=20)[-1]
        first = statistics.median(times[0])
        print(f"| {name} | {first:.1f} | {median:.1f} | {p95:.1f} | {median / hybrid_again:.2f} |")
    print()


def _again(times: Sequence[Sequence[float]]) -> list[float]:
    """All rounds but the first."""
    return [t for one in times[1:] or times for t in one]


if __name__ == "__main__":
    main()
