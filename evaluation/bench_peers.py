"""Other frameworks beside allrows in one run: same PDFs, same models, their documented settings.

    make bench-peers                                  (extra `peers`)
    python -m evaluation.bench_peers [--limit N] [--json FILE]

Prints, per pipeline: whole rows in the prompt, aggregate questions whose context holds every row, evidence
recall@1/3, characters of context, milliseconds for each question, pages per second, installed megabytes.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pypdfium2
from rich.console import Console
from rich.table import Table

from contracts.base import Record
from contracts.settings import Settings, load_settings
from evaluation.collect import collect, squeezed
from evaluation.golden import GoldenQuestion, GoldenSet
from evaluation.peers.allrows_peer import AllrowsPeer, BeforePeer
from evaluation.peers.base import Peer, Retrieved, Weights, pdfs
from evaluation.peers.corpus import make_year
from evaluation.peers.install_size import installed_mb

AGGREGATES = ("count", "sum", "number", "list")


class PeerResult(Record):
    name: str
    versions: str
    needles_in_prompt: float
    """Of the rows and figures that the answers need, the share that stands in the prompt."""
    aggregates_whole: float
    """Of the questions that count or add up rows, the share whose prompt holds every row."""
    answers_right: float | None
    """Share of right answers without a language model; None for pipelines that have none without one."""
    recall_1: float
    recall_3: float
    context_chars: float
    ms_per_question: float
    """Median."""
    pages_per_s: float | None
    installed_mb: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, help="questions at most")
    parser.add_argument("--json", type=Path, help="also write the figures there")
    arguments = parser.parse_args()
    settings = load_settings(environ={})[0]
    with tempfile.TemporaryDirectory() as folder:
        golden = make_year(Path(folder))
        questions = golden.questions[: arguments.limit] if arguments.limit else golden.questions
        results = compare(Path(folder), golden.model_copy(update={"questions": questions}), settings)
    if arguments.json is not None:
        arguments.json.write_text(json.dumps([r.model_dump() for r in results], indent=1) + "\n", encoding="utf-8")
    Console(width=160).print(as_table(results, len(questions)))


def compare(folder: Path, golden: GoldenSet, settings: Settings) -> list[PeerResult]:
    """Every pipeline over the same folder and questions, one after the other."""
    pages = sum(len(pypdfium2.PdfDocument(path)) for path in pdfs(folder))
    allrows = AllrowsPeer(settings)
    services = allrows.services
    reranker = services.reranker()
    assert reranker is not None
    weights = Weights(services.dense.get(), reranker)
    results = [_measure(allrows, folder, golden, pages), _measure(BeforePeer(allrows), folder, golden, None)]
    results += [_measure(make(weights), folder, golden, pages) for make in _peers()]
    allrows.close()
    return results


def _peers() -> Sequence[Callable[[Weights], Peer]]:
    """Imported here: each takes seconds and needs the extra."""
    try:
        from evaluation.peers.haystack_peer import HaystackPeer
        from evaluation.peers.langchain_peer import LangChainPeer
        from evaluation.peers.llama_index_peer import LlamaIndexPeer
    except ImportError as error:
        raise SystemExit(f"{error}: bench-peers needs the extra: pip install 'allrows[peers]'") from None
    return HaystackPeer, LlamaIndexPeer, LangChainPeer


def _measure(peer: Peer, folder: Path, golden: GoldenSet, pages: int | None) -> PeerResult:
    start = time.perf_counter()
    peer.index(folder)
    seconds = time.perf_counter() - start
    peer.retrieve(golden.questions[0].question)  # whatever loads late loads here
    asked = [(q, *_timed(peer, q.question)) for q in golden.questions]
    shares = [_share(q.needles, r.prompt) for q, r, _ in asked]
    whole = [_share(q.rows, r.prompt) == 1.0 for q, r, _ in asked if q.expect.kind in AGGREGATES]
    return PeerResult(
        name=peer.name,
        versions=", ".join(f"{n} {importlib.metadata.version(n)}" for n in peer.distributions),
        needles_in_prompt=round(statistics.mean(shares), 4),
        aggregates_whole=round(statistics.mean(whole), 4) if whole else 1.0,
        answers_right=_right(peer, golden),
        recall_1=round(statistics.mean(_recall(q, r, 1) for q, r, _ in asked), 4),
        recall_3=round(statistics.mean(_recall(q, r, 3) for q, r, _ in asked), 4),
        context_chars=round(statistics.mean(len(r.prompt) for _, r, _ in asked)),
        ms_per_question=round(statistics.median(ms for *_, ms in asked), 1),
        pages_per_s=round(pages / seconds, 2) if pages else None,
        installed_mb=installed_mb(peer.distributions),
    )


def _right(peer: Peer, golden: GoldenSet) -> float | None:
    if not isinstance(peer, AllrowsPeer):
        return None
    return round(statistics.mean(o.judgement.correct for o in collect(golden, peer.services)), 4)


def _timed(peer: Peer, question: str) -> tuple[Retrieved, float]:
    start = time.perf_counter()
    retrieved = peer.retrieve(question)
    return retrieved, (time.perf_counter() - start) * 1000


def _share(needles: Sequence[str], text: str) -> float:
    flat = squeezed(text)
    return sum(squeezed(n) in flat for n in needles) / len(needles) if needles else 1.0


def _recall(question: GoldenQuestion, retrieved: Retrieved, k: int) -> float:
    """Of the needles, the share within the best k passages."""
    return _share(question.needles, " ".join(retrieved.ranked[:k]))


COLUMNS: dict[str, Callable[[PeerResult], Any]] = {
    "needles in prompt": lambda r: f"{r.needles_in_prompt:.1%}",
    "aggregates whole": lambda r: f"{r.aggregates_whole:.1%}",
    "answers right": lambda r: f"{r.answers_right:.1%}" if r.answers_right is not None else "needs a model",
    "recall@1": lambda r: f"{r.recall_1:.1%}",
    "recall@3": lambda r: f"{r.recall_3:.1%}",
    "context chars": lambda r: f"{r.context_chars:.0f}",
    "ms/question": lambda r: f"{r.ms_per_question:.1f}",
    "pages/s": lambda r: f"{r.pages_per_s:.2f}" if r.pages_per_s else "same index",
    "installed MB": lambda r: f"{r.installed_mb:.0f}",
}


def as_table(results: Sequence[PeerResult], questions: int) -> Table:
    table = Table("pipeline", *COLUMNS, title=f"{questions} questions", caption="; ".join(r.versions for r in results))
    for result in results:
        table.add_row(result.name, *(str(show(result)) for show in COLUMNS.values()))
    return table


if __name__ == "__main__":
    main()
