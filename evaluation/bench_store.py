"""Speed, size and recall of the index over the number of points: `make bench-store`.

Each size is measured in a process of its own, so that memory is that size's alone. Times are of the
whole call as the service makes it: control points, engine, payloads read into records. The processor time
beside them holds on a busy machine too, and growth is told in it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from contracts.filters import Match, Scope
from contracts.protocols import VectorQuery
from contracts.settings import Settings, load_settings
from evaluation.synthetic import DOC_TYPES, QUERY_TOKENS, World, points, tokens
from store.engine import Catalogue
from store.index import StoreIndex
from store.memory import MemoryCatalogue
from store.open import catalogue_of, new_collection

LIMIT = 20
FILTERED = Scope(must=(Match(field="doc_type", any_of=(DOC_TYPES[3],)),))
SIZES = {
    "build_s": "upserting, s",
    "optimise_s": "optimising, s",
    "cpu_s": "CPU to make, upsert and optimise the points, s",
    "disk_mb": "disk, MB",
    "memory_mb": "memory, MB",
    "queries_s": "all queries of this table, s",
}
KINDS = ("dense", "dense, 1 of 10 types", "sparse", "sparse, 1 of 10 types", "hybrid pool, both scores")


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    if options.one:
        print(json.dumps(measure(options.one, options.engine, options.quantization, options.queries)))
        return 0
    runs = [(size, "memory", "none", min(options.queries, 10)) for size in options.local]
    runs += [(size, options.engine, options.quantization, options.queries) for size in sorted(options.points)]
    results: list[dict[str, Any]] = []
    failed = []
    for run in runs:
        try:
            results.append(_in_process(*run))
        except subprocess.CalledProcessError as error:  # out of memory, mostly; the smaller sizes still count
            failed.append(f"{run[0]:,} points on {run[1]}: exit code {error.returncode}\n{error.stderr.strip()[-400:]}")
        if options.out:  # after each, because the next may take long
            options.out.parent.mkdir(parents=True, exist_ok=True)
            options.out.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    shown = sorted(results, key=lambda r: r["engine"] == "memory")
    print(table(shown))
    print("\n" + costs(shown, options.price))
    print("".join(f"\nnot measured: {why}" for why in failed), file=sys.stderr)
    return 1 if failed else 0


def measure(size: int, engine: str, quantization: str, queries: int) -> dict[str, Any]:
    """Builds an index of `size` points and measures it. Times in milliseconds, sizes in MB."""
    with tempfile.TemporaryDirectory() as folder:
        settings, _ = load_settings({}, overrides={"data_dir": Path(folder), "quantization": quantization})
        catalogue: Catalogue = MemoryCatalogue() if engine == "memory" else catalogue_of(settings, create=True)
        before = _resident_mb()
        world = World.make()
        used = time.process_time()
        build_s, optimise_s = _build(catalogue, settings, world, size)
        cpu_s = time.process_time() - used
        start = time.perf_counter()
        index = StoreIndex(catalogue, settings.collection)
        dice = np.random.default_rng(99)
        asked = [_query(world, dice) for _ in range(queries)]
        found: dict[str, Any] = {
            "points": size,
            "engine": engine,
            "quantization": quantization,
            "build_s": round(build_s, 1),
            "optimise_s": round(optimise_s, 1),
            "cpu_s": round(cpu_s, 1),
            "disk_mb": round(sum(f.stat().st_blocks * 512 for f in Path(folder).rglob("*") if f.is_file()) / 1e6),
            "ms": _times(index, asked),
            "recall": {"all": _recall(index, asked, Scope()), "filtered": _recall(index, asked, FILTERED)},
        }
        found["queries_s"] = round(time.perf_counter() - start, 1)
        found["memory_mb"] = round(_resident_mb() - before)
        index.close()
        return found


def table(results: Sequence[dict[str, Any]]) -> str:
    """Markdown, one column for each measured index, and the growth between them."""
    heads = [f"{r['points']:,} {r['engine']}" + _suffix(r["quantization"]) for r in results]
    rows = [("p50 / p95 (CPU of all threads), ms", *heads), ("---", *("---:" for _ in heads))]
    for kind in KINDS:
        rows.append((kind, *("{p50:.2f} / {p95:.2f} ({cpu:.2f})".format(**r["ms"][kind]) for r in results)))
    rows.append(("recall@20", *(f"{r['recall']['all']:.4f}" for r in results)))
    rows.append(("recall@20, 1 of 10 types", *(f"{r['recall']['filtered']:.4f}" for r in results)))
    rows += [(name, *(f"{r[key]:,}" for r in results)) for key, name in SIZES.items()]
    grown = [r for r in results if r["engine"] == results[0]["engine"]]
    for small, large in pairwise(grown):
        times = large["points"] / small["points"]
        growth = {k: large["ms"][k]["cpu"] / small["ms"][k]["cpu"] for k in KINDS}
        told = ", ".join(f"{k} × {g:.1f}" for k, g in growth.items())
        rows.append((f"points × {times:.0f}, CPU", told, *("" for _ in heads[1:])))
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def costs(results: Sequence[dict[str, Any]], price: float) -> str:
    """Markdown: what a million chunks cost to store and keep, in proportion to what was measured."""
    rows: list[tuple[str, ...]] = [
        ("a million chunks, in proportion to", "CPU h", f"money at {price:g} a CPU h", "disk, GB", "memory, GB")
    ]
    rows.append(("---", *("---:" for _ in rows[0][1:])))
    for r in results:
        times = 1_000_000 / r["points"]
        hours = r["cpu_s"] * times / 3600
        sizes = (f"{r[key] * times / 1000:.1f}" for key in ("disk_mb", "memory_mb"))
        rows.append((f"{r['points']:,} {r['engine']}", f"{hours:.2f}", f"{hours * price:.3f}", *sizes))
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _build(catalogue: Catalogue, settings: Settings, world: World, size: int) -> tuple[float, float]:
    engine = new_collection(catalogue, settings, {})
    catalogue.assign({settings.collection: engine.collection})
    written = 0.0
    for batch in points(world, size):
        start = time.perf_counter()
        engine.upsert(batch)
        written += time.perf_counter() - start
    start = time.perf_counter()
    engine.finish()
    return written, time.perf_counter() - start


def _query(world: World, dice: np.random.Generator) -> tuple[VectorQuery, VectorQuery]:
    dense = tuple(world.vectors(dice, 1)[0].tolist())
    return VectorQuery(dense=dense, limit=LIMIT), VectorQuery(sparse=tokens(dice, QUERY_TOKENS), limit=LIMIT)


def _times(index: StoreIndex, asked: Sequence[tuple[VectorQuery, VectorQuery]]) -> dict[str, dict[str, float]]:
    def narrowed(query: VectorQuery) -> VectorQuery:
        return query.model_copy(update={"scope": FILTERED})

    calls: tuple[Callable[[VectorQuery, VectorQuery], object], ...] = (
        lambda d, s: index.search([d]),
        lambda d, s: index.search([narrowed(d)]),
        lambda d, s: index.search([s]),
        lambda d, s: index.search([narrowed(s)]),
        lambda d, s: _pool(index, d, s),
    )
    found = {}
    for kind, call in zip(KINDS, calls, strict=True):
        call(*asked[0])
        taken = []
        used = time.process_time()
        for dense, sparse in asked:
            start = time.perf_counter()
            call(dense, sparse)
            taken.append((time.perf_counter() - start) * 1000)
        found[kind] = {
            "p50": float(np.percentile(taken, 50)),
            "p95": float(np.percentile(taken, 95)),
            "cpu": (time.process_time() - used) * 1000 / len(asked),
        }
    return found


def _pool(index: StoreIndex, dense: VectorQuery, sparse: VectorQuery) -> None:
    """The union of both lists, then both scores for every member, as retrieval does it."""
    lists = index.search([dense, sparse])
    ids = tuple({hit.chunk.chunk_id for hits in lists for hit in hits})
    index.search([q.model_copy(update={"ids": ids, "limit": len(ids)}) for q in (dense, sparse)])


def _recall(index: StoreIndex, asked: Sequence[tuple[VectorQuery, VectorQuery]], scope: Scope) -> float:
    """Share of the exact 20 best that the approximate search finds."""
    queries = [dense.model_copy(update={"scope": scope}) for dense, _ in asked]
    approximate = index.search(queries)
    exact = index.search([q.model_copy(update={"exact": True}) for q in queries])
    shares = [
        len({h.chunk.chunk_id for h in a} & {h.chunk.chunk_id for h in e}) / max(1, len(e))
        for a, e in zip(approximate, exact, strict=True)
    ]
    return float(np.mean(shares))


def _resident_mb() -> float:
    import psutil

    return float(psutil.Process().memory_info().rss / 1e6)


def _in_process(size: int, engine: str, quantization: str, queries: int) -> dict[str, Any]:
    print(f"measuring {size:,} points on {engine} …", file=sys.stderr, flush=True)
    command = [sys.executable, "-W", "ignore", "-m", "evaluation.bench_store", "--one", str(size), "--engine", engine]
    command += ["--quantization", quantization, "--queries", str(queries)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def _suffix(quantization: str) -> str:
    return "" if quantization == "none" else f", {quantization}"


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, nargs="+", default=[10_000, 100_000], help="sizes to measure")
    parser.add_argument(
        "--local", type=int, nargs="*", default=[10_000], help="sizes for the Python client's local mode"
    )
    parser.add_argument("--engine", choices=("embedded", "memory"), default="embedded")
    parser.add_argument("--quantization", choices=("none", "scalar", "binary"), default="none")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--out", type=Path, help="also write the figures as JSON, after each size")
    parser.add_argument("--price", type=float, default=0.04, help="money for an hour of one core, in any currency")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
