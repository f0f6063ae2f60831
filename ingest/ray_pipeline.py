"""Documents processed on a Ray cluster: `ingest(..., run=run_on_ray)`. Needs the extra `ray`.

Ray Data moves the documents through workers on all machines and holds them back while the results of
earlier ones wait to be stored. Storing stays with the caller: it is one writer, and what the index holds
is the journal from which an interrupted run goes on, exactly as without Ray. The files must be readable
under the same paths on every machine.
"""

from __future__ import annotations

import logging
import os
import pickle
import threading
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from contracts.errors import ConfigError
from ingest.workers import MakeWork, OnStart, Outcome, run_here

T = TypeVar("T")
R = TypeVar("R")

RESTARTS = 3
"""A document whose worker died is tried again this many times, then reported; the others go on."""
DIED = (
    f"its worker died or overran its time {RESTARTS + 1} times. The file crashes the parser or needs more than there is: "
    "repair it (e.g. print it to PDF again), or give more memory or time (ALLROWS_INGEST_FILE_TIMEOUT_S)."
)


def run_on_ray(
    tasks: Sequence[T], make: MakeWork[T, R], workers: int, on_start: OnStart[T], limit_s: float
) -> Iterator[Outcome[T, R]]:
    """Outcomes as they come, one for every task. Connects to the cluster of RAY_ADDRESS, else starts one here.

    Raises:
        ConfigError: Ray is not installed.
    """
    if not tasks:
        return
    ray = _ray()
    documents = ray.data.from_items(
        [{"number": n, "task": pickle.dumps(task)} for n, task in enumerate(tasks)], override_num_blocks=len(tasks)
    )
    done = documents.map(
        _Worker,
        fn_constructor_args=(pickle.dumps(make), limit_s),
        concurrency=(1, workers),
        ray_remote_args_fn=_bounded_retries,
    )
    for task in tasks:
        on_start(task)  # Ray decides when; all of them are its own from here on
    missing = dict(enumerate(tasks))
    for row in done.iter_rows():
        outcome: Outcome[T, R] = pickle.loads(row["outcome"])
        yield Outcome(missing.pop(row["number"]), outcome.result, outcome.error)
    for task in missing.values():
        yield Outcome(task, None, DIED)


def _bounded_retries() -> dict[str, int]:
    """Ray Data's own default is to try for ever, and a file may kill its worker each time."""
    return {"max_restarts": RESTARTS, "max_task_retries": RESTARTS}


class _Worker:
    """Sets up once for each process (models loaded), then works on one document at a time."""

    def __init__(self, make: bytes, limit_s: float) -> None:
        self._work = pickle.loads(make)()
        self._limit_s = limit_s

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        watch = threading.Timer(self._limit_s, os._exit, (1,))  # native code cannot be interrupted otherwise
        watch.start()
        try:
            task = pickle.loads(row["task"])
            (outcome,) = run_here([task], lambda: self._work, 1, lambda _: None, self._limit_s)
        finally:
            watch.cancel()
        return {"number": row["number"], "outcome": pickle.dumps(outcome)}


def _ray() -> Any:
    try:
        import ray
        import ray.data
    except ImportError:
        raise ConfigError("Ray is not installed.", "pip install 'allrows[ray]'") from None
    if not ray.is_initialized():
        ray.init(log_to_driver=False, logging_level=logging.WARNING)
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.max_errored_blocks = -1  # a block is one document: it must not stop the others
    return ray
