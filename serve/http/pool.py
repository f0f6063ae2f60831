"""A bounded pool: so many questions at once, so many waiting, and a clear no to the rest."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from contracts.errors import Busy

T = TypeVar("T")


class Pool:
    """Runs blocking work on `workers` threads; at most `queue_limit` more may wait.

    The event loop is never blocked, so health, metrics and a refusal are always answered at once.
    """

    def __init__(self, name: str, workers: int, queue_limit: int) -> None:
        self.workers = workers
        self.queue_limit = queue_limit
        self._executor = ThreadPoolExecutor(workers, thread_name_prefix=name)
        self._lock = threading.Lock()
        self._inside = 0
        self._seconds = 0.5
        self._stopping = False

    @property
    def inside(self) -> int:
        """Work that runs or waits."""
        return self._inside

    def submit(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """Starts the work or queues it.

        Raises:
            Busy: the queue is full, or the service is stopping; at once, so that the caller can answer 503.
        """
        with self._lock:
            if self._stopping:
                raise Busy("The service is stopping.", "Try again in a moment.", retry_after=5)
            if self._inside >= self.workers + self.queue_limit:
                raise Busy(
                    f"{self._inside} questions are being answered or wait; the limit is reached.",
                    "Try again after the time given, or raise ALLROWS_WORKERS or ALLROWS_QUEUE_LIMIT.",
                    retry_after=self._wait(),
                )
            self._inside += 1
        return asyncio.wrap_future(self._executor.submit(self._timed, work))

    async def run(self, work: Callable[[], T]) -> T:
        """`submit` and wait. A caller that goes away does not stop the work."""
        return await asyncio.shield(self.submit(work))

    def _timed(self, work: Callable[[], T]) -> T:
        start = time.perf_counter()
        try:
            return work()
        finally:
            with self._lock:
                self._inside -= 1
                self._seconds += 0.1 * (time.perf_counter() - start - self._seconds)

    def _wait(self) -> int:
        """Seconds until a place should be free, from the moving average of recent work."""
        return max(1, math.ceil(self._seconds * self._inside / self.workers / 2))

    def drain(self) -> None:
        """Refuses new work and waits for what is inside."""
        self._stopping = True
        self._executor.shutdown(wait=True)
