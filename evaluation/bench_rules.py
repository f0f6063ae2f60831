"""Milliseconds that understanding and deciding add to an answer: every rule-based step on the golden questions.

make bench-rules
python -m evaluation.bench_rules
"""

from __future__ import annotations

import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import quantiles
from typing import TypeVar

from contracts.questions import AskRequest
from contracts.settings import load_settings
from evaluation.corpus import GOLDEN, SAMPLES, ingested
from evaluation.golden import load_golden
from serve.analyse import analyse
from serve.arbitrate import arbitrate
from serve.dispatch import dispatch
from serve.graph import follow
from serve.keyword_detector import absent_terms, find_cooccurrence
from serve.not_found import judge
from serve.outline_detector import find_sections
from serve.services import Services

T = TypeVar("T")


class Clock:
    """Wall-clock milliseconds by step."""

    def __init__(self) -> None:
        self.steps: defaultdict[str, list[float]] = defaultdict(list)

    def measure(self, step: str, run: Callable[[], T]) -> T:
        start = time.perf_counter()
        result = run()
        self.steps[step].append((time.perf_counter() - start) * 1000)
        return result


def main() -> None:
    questions = [q.question for q in load_golden(GOLDEN).questions]
    settings = load_settings(environ={})[0]
    with tempfile.TemporaryDirectory() as folder, ingested([SAMPLES], settings, Path(folder)) as services:
        clock = Clock()
        for text in questions:
            _time(text, services, clock)
    report(clock)


def _time(text: str, services: Services, clock: Clock) -> None:
    """Once through the graph for the candidates, then each rule-based step by itself on what it would get."""
    run = follow(AskRequest(question=text), services)
    index, sparse, scope = services.index, services.sparse, run.scope
    documents = index.documents()
    question = clock.measure("analyse", lambda: analyse(text, services.lexicon, documents))
    chosen = clock.measure("dispatch", lambda: dispatch(question, "hybrid", has_outline=True))
    sections = [(d, s) for d in documents for s in index.outline(d.doc_id)]
    clock.measure("outline titles", lambda: find_sections(question, sections))
    clock.measure("keyword co-occurrence", lambda: find_cooccurrence(question, index, scope, 20, sparse=sparse))
    pool = [c.chunk for c in run.pool]
    absent = clock.measure("absent terms", lambda: absent_terms(question, index, scope, sparse, pool))
    verdicts = clock.measure("arbitrate", lambda: arbitrate(question, run.candidates, chosen))
    clock.measure(
        "judge",
        lambda: judge(
            question, verdicts.candidates, absent=absent, computation=run.computation, quoted=run.quoted, documents=1
        ),
    )


def report(clock: Clock) -> None:
    """Per step and for all steps of a question together."""
    steps = {**clock.steps, "together": [sum(parts) for parts in zip(*clock.steps.values(), strict=True)]}
    print(f"{'step':24}{'p50 ms':>8}{'p95 ms':>8}{'max ms':>8}")
    for step, times in steps.items():
        p50, p95 = quantiles(times, n=2)[0], quantiles(times, n=20)[-1]
        print(f"{step:24}{p50:8.2f}{p95:8.2f}{max(times):8.2f}")


if __name__ == "__main__":
    main()
