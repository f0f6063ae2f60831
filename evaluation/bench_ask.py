"""Warm `ask` per stage and cold command-line `ask`, on the sample corpus, without a language model.

    python -m evaluation.bench_ask [--rounds 5] [--cold 5]

Prints percentiles over all golden questions × rounds. Cold runs start a new process each.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import yaml

from contracts.questions import AskRequest
from contracts.settings import load_settings
from serve.graph import ask
from serve.services import Services, open_services

SAMPLES = Path(__file__).with_name("samples")
GOLDEN = Path(__file__).with_name("golden.yaml")
COLD = "cold `allrows ask`"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cold", type=int, default=5)
    arguments = parser.parse_args()
    times = measure(arguments.rounds, arguments.cold)
    print(f"{len(_questions())} questions x {arguments.rounds} rounds, reranker on, no language model\n")
    print("| stage | p50 ms | p95 ms | p99 ms |\n|---|---|---|---|")
    for name, values in times.items():
        print(_row(name, values))


def _questions() -> list[str]:
    return [q["question"] for q in yaml.safe_load(GOLDEN.read_text(encoding="utf-8"))["questions"]]


def measure(rounds: int, cold: int) -> dict[str, list[float]]:
    """Milliseconds of each stage, of whole warm answers, and of `cold` new processes."""
    questions = _questions()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*_allrows(folder, "ingest"), str(SAMPLES)], check=True, stdout=subprocess.DEVNULL)
        settings, _ = load_settings(overrides={"data_dir": Path(folder)})
        services = open_services(settings)
        try:
            times = _warm(services, questions, rounds)
        finally:
            services.close()
        if cold:
            times[COLD] = [_cold(folder, questions[i % len(questions)]) for i in range(cold)]
    return times


def _allrows(folder: str, command: str) -> list[str]:
    return [sys.executable, "-m", "allrows", command, "--data", folder]


def _warm(services: Services, questions: list[str], rounds: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = defaultdict(list)
    ask(AskRequest(question=questions[0]), services)  # models load here, not in the figures
    for _ in range(rounds):
        for question in questions:
            start = time.perf_counter()
            answer = ask(AskRequest(question=question), services)
            whole = (time.perf_counter() - start) * 1000
            assert answer.pipeline is not None
            for stage in answer.pipeline.stages:
                times[stage.name].append(stage.ms)
            times["whole answer"].append(whole)
    return times


def _cold(folder: str, question: str) -> float:
    start = time.perf_counter()
    done = subprocess.run([*_allrows(folder, "ask"), question], capture_output=True, check=False)
    if done.returncode not in (0, 3):
        raise SystemExit(done.stderr.decode())
    return (time.perf_counter() - start) * 1000


def _row(name: str, times: list[float]) -> str:
    cuts = statistics.quantiles(times, n=100, method="inclusive") if len(times) > 1 else times * 99
    return f"| {name} | {cuts[49]:.1f} | {cuts[94]:.1f} | {cuts[98]:.1f} |"


if __name__ == "__main__":
    main()
