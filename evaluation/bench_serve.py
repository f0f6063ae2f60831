"""The service under load: requests a second and latencies of `/retrieve` and `/ask`, the refusal past the queue, memory.

    python -m evaluation.bench_serve [--seconds 20] [--clients 1,4,16,64] [--soak 10000]

Starts `allrows serve` over the sample corpus, without a language model, and sends requests from this machine. Clients
wait for each answer before they ask again. The soak sends that many requests to `/retrieve` and compares the
server's memory after the first tenth (everything is loaded by then) with that at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import yaml

from contracts.settings import Settings
from evaluation.corpus import GOLDEN, SAMPLES
from serve.client import FILE, ServerAddress

WORKERS = 2
QUEUE = 64


@dataclass
class Run:
    """What a number of clients saw."""

    milliseconds: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    retry_after: int = 0
    """503 answers that say when to come back."""
    seconds: float = 0.0

    def row(self, path: str, clients: int) -> str:
        cuts = statistics.quantiles(self.milliseconds, n=100) if len(self.milliseconds) > 1 else [0.0] * 99
        wrong = sum(count for status, count in self.statuses.items() if status != 200)
        rate = len(self.milliseconds) / self.seconds
        return f"| {path} | {clients} | {rate:.1f} | {cuts[49]:.0f} | {cuts[94]:.0f} | {cuts[98]:.0f} | {wrong} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0, help="of each run")
    parser.add_argument("--clients", default="1,4,16,64")
    parser.add_argument("--soak", type=int, default=10_000, help="requests of the memory run; 0 leaves it out")
    arguments = parser.parse_args()
    questions = [q["question"] for q in yaml.safe_load(GOLDEN.read_text(encoding="utf-8"))["questions"]]
    with server() as address:
        print(f"{len(questions)} questions, {WORKERS} workers, {QUEUE} may wait, load {os.getloadavg()[0]:.1f}\n")
        print("| | clients | requests/s | p50 ms | p95 ms | p99 ms | errors |\n|---|---|---|---|---|---|---|")
        for path, clients in itertools.product(("/retrieve", "/ask"), map(int, arguments.clients.split(","))):
            print(asyncio.run(load(address, path, clients, questions, arguments.seconds)).row(path, clients))
        _overload(address, questions)
        if arguments.soak:
            _soak(address, questions, arguments.soak)


def _overload(address: ServerAddress, questions: list[str]) -> None:
    """Twice as many at once as the service lets in."""
    clients = 2 * (WORKERS + QUEUE)
    run = asyncio.run(load(address, "/ask", clients, questions, 0.0))
    print(f"\n{clients} at once: {dict(run.statuses)}; {run.retry_after} of the 503 say when to come back")


def _soak(address: ServerAddress, questions: list[str], requests: int) -> None:
    first = asyncio.run(load(address, "/retrieve", 4, questions, None, requests // 10))
    warm = resident_mb(address.pid)
    rest = asyncio.run(load(address, "/retrieve", 4, questions, None, requests - requests // 10))
    statuses = dict(first.statuses + rest.statuses)
    print(
        f"memory after {requests // 10} requests {warm:.0f} MB, after {requests} {resident_mb(address.pid):.0f} MB; {statuses}"
    )


async def load(
    address: ServerAddress, path: str, clients: int, questions: list[str], seconds: float | None, requests: int = 0
) -> Run:
    """Clients that ask one question after the other, for so many seconds (0: one each) or requests in all."""
    run, numbers = Run(), itertools.count()
    start = time.perf_counter()

    def goes_on(number: int) -> bool:
        return number < requests if seconds is None else time.perf_counter() - start < seconds

    async def ask_on(client: httpx.AsyncClient) -> None:
        while True:
            number = next(numbers)
            if seconds is None and not goes_on(number):
                return
            began = time.perf_counter()
            response = await client.post(path, json={"question": questions[number % len(questions)]})
            run.statuses[response.status_code] += 1
            run.retry_after += response.status_code == 503 and "retry-after" in response.headers
            if response.status_code == 200:
                run.milliseconds.append((time.perf_counter() - began) * 1000)
            if seconds is not None and not goes_on(number):
                return

    limits = httpx.Limits(max_connections=clients, max_keepalive_connections=clients)
    headers = {"Authorization": f"Bearer {address.key}"}
    async with httpx.AsyncClient(base_url=address.url, headers=headers, limits=limits, timeout=300) as client:
        await asyncio.gather(*(ask_on(client) for _ in range(clients)))
    run.seconds = time.perf_counter() - start
    return run


@contextmanager
def server(**settings: str) -> Iterator[ServerAddress]:
    """A server process over the sample corpus, in a temporary folder; `settings` as environment variables."""
    allrows = [sys.executable, "-m", "allrows"]
    with tempfile.TemporaryDirectory(prefix="allrows-bench-") as folder:
        data = Path(folder) / "data"
        subprocess.run([*allrows, "ingest", str(SAMPLES), "--data", str(data)], check=True, stdout=subprocess.DEVNULL)
        environment = {**os.environ, "ALLROWS_WORKERS": str(WORKERS), "ALLROWS_QUEUE_LIMIT": str(QUEUE), **settings}
        process = subprocess.Popen(
            [*allrows, "serve", "--port", "0", "--data", str(data)], env=environment, stderr=subprocess.DEVNULL
        )
        try:
            yield _address(Settings(data_dir=data), process)
        finally:
            process.terminate()
            process.wait(60)


def _address(settings: Settings, process: subprocess.Popen[bytes]) -> ServerAddress:
    """Waits until the server is ready; asks once so that the models are loaded."""
    while process.poll() is None:
        try:
            text = (settings.data_dir / FILE).read_text(encoding="utf-8")
            address = ServerAddress.model_validate_json(text)
            headers = {"Authorization": f"Bearer {address.key}"}
            httpx.post(f"{address.url}/ask", json={"question": "How many?"}, headers=headers, timeout=120)
            return address
        except (OSError, httpx.TransportError):
            time.sleep(0.2)
    raise SystemExit("The server ended at once; run `allrows serve` to see why.")


def resident_mb(pid: int) -> float:
    """Resident memory of a process in megabytes."""
    import psutil

    return float(psutil.Process(pid).memory_info().rss) / 2**20


if __name__ == "__main__":
    main()
