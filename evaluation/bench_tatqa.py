"""TAT-QA: evidence recall and MRR by fusion, gold cells in the prompt, and cells that survive compression.

    make bench-tatqa TATQA=path/to/tatqa_dataset_dev.json
    python -m evaluation.bench_tatqa FILE [--limit CONTEXTS] [--cache FOLDER]

The contexts are rendered to PDF, ingested once into the cache folder and searched as one corpus. The data set is
not part of the project (TAT-QA, CC BY 4.0).
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from contracts.chunks import Chunk
from contracts.settings import Settings, load_settings
from evaluation.corpus import ingested
from evaluation.metrics.ranking import rank_metrics
from evaluation.outcomes import Metric
from evaluation.tatqa.data import TatQuestion, load_tatqa
from evaluation.tatqa.prompts import CachedCrossEncoder, Kept, compressed_cells, own_chunks, prompt_cells
from evaluation.tatqa.relevance import relevant
from evaluation.tatqa.render import render_contexts
from evaluation.tatqa.search import Pool, Ranker, document_ids, pools, rankers, rrf, weighted
from serve.services import Services

SWEEP = tuple(n / 10 for n in range(11))
RRF_SWEEP = (10, 30, 60, 100)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="tatqa_dataset_dev.json")
    parser.add_argument("--limit", type=int, help="contexts at most; all of them by default")
    parser.add_argument("--cache", type=Path, default=Path(".bench/tatqa"), help="PDFs, index and scores")
    parser.add_argument("--no-prompts", action="store_true", help="leave out the part with the cross-encoder")
    arguments = parser.parse_args()
    contexts, questions = load_tatqa(arguments.file)
    contexts = contexts[: arguments.limit]
    cache = arguments.cache / (f"first-{arguments.limit}" if arguments.limit else "all")
    render_contexts(contexts, cache / "pdf")
    names = {c.uid for c in contexts}
    asked = [q for q in questions if q.context in names and q.needles]
    total = sum(q.context in names for q in questions)
    print(f"{len(contexts)} contexts, {total} questions, {len(asked)} with gold evidence that stands in the context\n")
    with ingested([cache / "pdf"], load_settings(environ={})[0], cache / "index") as services:
        _report(asked, services, cache, prompts=not arguments.no_prompts)


def _report(questions: Sequence[TatQuestion], services: Services, cache: Path, prompts: bool) -> None:
    chunks = _chunks_by_context(services)
    found = [q for q in questions if relevant(q, chunks[q.context])]
    print(f"{len(found)} of them have their evidence in a chunk of the index; they count below\n")
    open_pools, own_pools = pools(found, services), pools(found, services, document_ids(services))
    qrels = {q.uid: dict.fromkeys(relevant(q, chunks[q.context]), 1) for q in found}
    for title, searched in (("All documents searched", open_pools), ("The question's document searched", own_pools)):
        print(f"## {title}\n")
        _print_recall(searched, qrels, {**rankers(services), **_sweep(services.settings)})
    _print_survival(own_pools, services)
    if prompts:
        encoder = services.reranker()
        assert encoder is not None
        cached = CachedCrossEncoder(encoder, cache / "scores.json")
        _print_prompts("all documents searched", open_pools, services, cached)
        _print_prompts("the question's document searched", own_pools, services, cached)
        cached.save()


def _chunks_by_context(services: Services) -> dict[str, list[Chunk]]:
    by_document = {doc_id: uid for uid, doc_id in document_ids(services).items()}
    chunks: dict[str, list[Chunk]] = {uid: [] for uid in by_document.values()}
    for chunk in services.index.chunks():
        chunks[by_document[chunk.doc_id]].append(chunk)
    return chunks


def _sweep(settings: Settings) -> dict[str, Ranker]:
    """Other weights, and other constants of RRF."""
    weights = {f"weighted {w:g}/{1 - w:g}": weighted(w) for w in SWEEP if w != settings.weight_dense}
    return weights | {f"RRF, k = {k}": rrf(k) for k in RRF_SWEEP if k != settings.rrf_k}


def _print_recall(searched: Sequence[Pool], qrels: dict[str, dict[str, int]], ways: Mapping[str, Ranker]) -> None:
    print("| ranking | recall@1 | recall@3 | recall@5 | MRR |\n|---|---|---|---|---|")
    for name, ranker in ways.items():
        runs = {
            p.question.uid: {c.candidate_id: -float(n) for n, c in enumerate(ranker(p.candidates))} for p in searched
        }
        print(f"| {name} | {' | '.join(_figure(m) for m in rank_metrics(qrels, runs))} |")
    print()


def _figure(metric: Metric) -> str:
    if metric.value is None:
        return metric.note
    return (
        f"{metric.value:.3f} [{metric.low:.3f}, {metric.high:.3f}]" if metric.low is not None else f"{metric.value:.3f}"
    )


def _print_survival(own: Sequence[Pool], services: Services) -> None:
    """Compression alone: every chunk of the question's document goes in."""
    print("## Gold cells through compression of the whole document (prose and table mixed)\n")
    print("| compression | cells in | cells kept | share | characters kept |\n|---|---|---|---|---|")
    order = next(iter(rankers(services).values()))
    for name, flag in (("rows are structure (default)", False), ("top-N sentences (before)", True)):
        results = [compressed_cells(p.question, own_chunks(p, order), services, flag) for p in own if p.question.cells]
        mixed = [r for r in results if r.mixed]
        before, after = sum(r.before for r in mixed), sum(r.after for r in mixed)
        size = sum(r.chars_after for r in mixed) / sum(r.chars_before for r in mixed)
        print(f"| {name} | {before} | {after} | {after / before:.2%} | {size:.1%} |")
    print()


def _print_prompts(title: str, searched: Sequence[Pool], services: Services, encoder: CachedCrossEncoder) -> None:
    print(f"## Questions whose gold cells all reach the prompt, {title}\n")
    print("| pipeline | questions | all cells in the prompt |\n|---|---|---|")
    tabular = [p for p in searched if p.question.cells]
    for name, ranker in rankers(services).items():
        _print_row(f"{name} + rerank", [prompt_cells(p, ranker, services, encoder) for p in tabular])
    default = next(iter(rankers(services).values()))
    _print_row(
        "default + rerank, top-N sentences", [prompt_cells(p, default, services, encoder, True) for p in tabular]
    )
    print()


def _print_row(name: str, results: Sequence[Kept]) -> None:
    whole = sum(r.after == r.cells for r in results)
    print(f"| {name} | {len(results)} | {whole / len(results):.1%} |")


if __name__ == "__main__":
    main()
