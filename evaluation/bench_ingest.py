"""Ingest speed with 1 and 2 processes, where the time goes, and peak memory with few and many documents.

    python -m evaluation.bench_ingest [--pages 96] [--few 20] [--many 200] [--file-pages 0] [--repeat 3] [--price 0.04]

Makes registers and policies with reportlab in a temporary folder; every measurement is a process of its own with an
empty embedded index. Memory is the sum of the resident sets of that process and its children, every 20 ms. Speed is
the best of `--repeat` runs, because other programs on the machine can only slow a run down; CPU seconds include the
start of every process (imports and models). `--file-pages 2000` also
measures one file of that many pages.

Costs of 1,000 pages are in proportion to the speed run with 2 processes: CPU seconds of all processes, the machine's
seconds, what lies on disk at the end, and money as CPU hours × `--price`.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

_PAGES = 8
"""Pages of a document in the speed run."""


def main() -> None:
    if sys.argv[1:2] == ["measure"]:
        print(json.dumps(_measure(Path(sys.argv[2]), int(sys.argv[3]))))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=96, help="pages of the speed run")
    parser.add_argument("--few", type=int, default=20, help="documents of the small memory run; 0: no memory runs")
    parser.add_argument("--many", type=int, default=200, help="documents of the large memory run")
    parser.add_argument("--file-pages", type=int, default=0, help="pages of one large file; 0: none")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--price", type=float, default=0.04, help="money for an hour of one core, in any currency")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run = _speed(Path(folder), arguments.pages, arguments.repeat)
        _cost(run, arguments.pages, arguments.price)
        if arguments.few:
            _memory(Path(folder), [arguments.few, arguments.many])
        if arguments.file_pages:
            _one_file(Path(folder), arguments.file_pages)


def _speed(folder: Path, pages: int, repeat: int) -> dict[str, Any]:
    """Prints; the best run with the most processes."""
    documents = _make(folder / "speed", pages // _PAGES, _PAGES)
    print(f"Speed: {pages} pages in {pages // _PAGES} documents, best of {repeat}\n")
    print(
        "| processes | seconds | pages/s | against 1 | parse s | chunk s | embed s | store s | CPU s: workers, parent |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    base = 0.0
    for workers in (1, 2):
        best = min((_run(documents, workers) for _ in range(repeat)), key=lambda run: run["seconds"])
        base = base or best["seconds"]
        stages = " | ".join(f"{best['stages'].get(stage, 0):.1f}" for stage in ("parse", "chunk", "embed", "store"))
        rate, gain = pages / best["seconds"], base / best["seconds"]
        print(f"| {workers} | {best['seconds']:.1f} | {rate:.1f} | {gain:.2f} | {stages} | {best['cpu']} |")
    return best


def _cost(run: dict[str, Any], pages: int, price: float) -> None:
    times = 1000 / pages
    hours = run["cpu_s"] * times / 3600
    print(f"\n1,000 pages, in proportion to {pages}, at {price:g} for an hour of one core\n")
    print(
        "| CPU s | seconds with 2 processes | chunks | disk, MB | peak memory, MB | money |\n|---|---|---|---|---|---|"
    )
    print(
        f"| {run['cpu_s'] * times:.0f} | {run['seconds'] * times:.0f} | {run['chunks'] * times:.0f} "
        f"| {run['disk_mb'] * times:.0f} | {run['peak_mb']:.0f} | {hours * price:.4f} |"
    )


def _memory(folder: Path, counts: list[int]) -> None:
    print("\nPeak memory, 2 processes, documents of 1 page\n\n| documents | peak MB | pages/s |\n|---|---|---|")
    for count in counts:
        run = _run(_make(folder / f"memory{count}", count, 1), 2)
        print(f"| {count} | {run['peak_mb']:.0f} | {count / run['seconds']:.1f} |")


def _one_file(folder: Path, pages: int) -> None:
    run = _run(_make(folder / "large", 1, pages), 2)
    print(f"\nOne file of {pages} pages: {run['seconds']:.0f} s, peak {run['peak_mb']:.0f} MB, {run['chunks']} chunks")


def _run(documents: Path, workers: int) -> dict[str, Any]:
    """One ingestion in a process of its own, watched from here."""
    import psutil

    command = [sys.executable, "-m", "evaluation.bench_ingest", "measure", str(documents), str(workers)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        watched = psutil.Process(process.pid)
        peak = 0
        while process.poll() is None:
            peak = max(peak, _resident(watched))
            time.sleep(0.02)
        assert process.stdout is not None
        output = process.stdout.read()
    if process.returncode:
        raise SystemExit(process.returncode)
    result: dict[str, Any] = json.loads(output)
    return {**result, "peak_mb": peak / 1e6}


def _resident(process: Any) -> int:
    import psutil

    total = 0
    try:
        for one in (process, *process.children(recursive=True)):
            total += one.memory_info().rss
    except psutil.Error:
        return 0  # one of them has just ended
    return total


def _measure(documents: Path, workers: int) -> dict[str, Any]:
    from contracts.settings import load_settings
    from ingest.pipeline import ingest
    from ingest.process import load_encoders
    from store.open import open_index

    with tempfile.TemporaryDirectory() as data:
        settings, _ = load_settings({}, overrides={"data_dir": data})
        dense, sparse = load_encoders(settings)
        index = open_index(settings, {"dimension": str(dense.dimension)}, create=True)
        report = ingest([documents], settings, index, dense=dense, sparse=sparse, workers=workers)
        index.close()
        disk = sum(f.stat().st_blocks * 512 for f in Path(data).rglob("*") if f.is_file()) / 1e6
    if report.exit_code:
        raise SystemExit("\n".join(d.detail for d in report.documents if d.status == "failed"))
    stages: dict[str, float] = {}
    for document in report.documents:
        for name, seconds in document.stages.items():
            stages[name] = stages.get(name, 0.0) + seconds
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    workers_s, parent_s = used.ru_utime + used.ru_stime, time.process_time()
    return {
        "seconds": report.seconds,
        "stages": stages,
        "chunks": report.totals.chunks,
        "cpu": f"{workers_s:.1f}, {parent_s:.1f}",
        "cpu_s": workers_s + parent_s,
        "disk_mb": disk,
    }


def _make(folder: Path, documents: int, pages: int) -> Path:
    """Documents of pages that hold half a page of clauses and a register of 24 rows each."""
    from reportlab.pdfgen.canvas import Canvas

    folder.mkdir()
    for document in range(documents):
        canvas = Canvas(str(folder / f"Register_{document:04d}.pdf"), invariant=1)
        for page in range(pages):
            _draw_page(canvas, document, page)
        canvas.save()
    return folder


def _draw_page(canvas: Any, document: int, page: int) -> None:
    for n in range(12):
        text = (
            f"Clause {page}.{n}: unit {document} pays {1000 + n} rupees within thirty days of a notice by the employee."
        )
        canvas.drawString(72, 780 - 16 * n, text)
    header = ("Emp ID", "Name", "Basic", "Allowances", "Deductions", "Net pay")
    for row in range(25):
        pay = 20_000 + 137 * row + 11 * page + document
        cells = (f"E{page:04d}{row:02d}", f"Person {row}", f"{pay:,}.00", "3,000.00", "500.00", f"{pay + 2500:,}.00")
        for x, cell in zip((72, 140, 230, 310, 400, 480), cells if row else header, strict=True):
            canvas.drawString(x, 540 - 18 * row, cell)
    for line in range(26):
        canvas.line(70, 554 - 18 * line, 560, 554 - 18 * line)
    for x in (70, 137, 227, 307, 397, 477, 560):
        canvas.line(x, 554, x, 554 - 18 * 25)
    canvas.showPage()


if __name__ == "__main__":
    main()
