"""A bounded pool: so many questions at once, so many waiting, and a clear no to the rest.

Work that waits for another machine (a language model) does so outside: it gives up its place for that time, so
slow calls elsewhere never stop the questions that need none.
"""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from contracts.errors import Busy

T = TypeVar("T")


class Slots:
    """A fair semaphore: a freed place goes to whoever has waited longest, never to a latecomer."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: deque[threading.Event] = deque()
        self._lock = threading.Lock()

    def take(self) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            mine = threading.Event()
            self._waiting.append(mine)
        mine.wait()

    def give_back(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()  # handed over: the place is never free in between
            else:
                self._free += 1


class Pool:
    """Runs blocking work in `workers` places; at most `queue_limit` more may wait, and `outside_limit` be outside.

    The event loop is never blocked, so health, metrics and a refusal are always answered at once. There are
    threads for all that is outside, so `workers` of them are always left for the rest.
    """

    def __init__(self, name: str, workers: int, queue_limit: int, outside_limit: int = 0) -> None:
        self.workers = workers
        self.queue_limit = queue_limit
        self.outside_limit = outside_limit
        self._executor = ThreadPoolExecutor(workers + outside_limit, thread_name_prefix=name)
        self._slots = Slots(workers)
        self._lock = threading.Lock()
        self._inside = 0
        self._outside = 0
        self._seconds = 0.5
        self._stopping = False
        self._mine = threading.local()

    @property
    def inside(self) -> int:
        """Work that runs or waits for a place."""
        return self._inside

    @property
    def outside(self) -> int:
        """Work that waits for another machine."""
        return self._outside

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
        return asyncio.wrap_future(self._executor.submit(self._placed, work))

    async def run(self, work: Callable[[], T]) -> T:
        """`submit` and wait. A caller that goes away does not stop the work."""
        return await asyncio.shield(self.submit(work))

    @contextmanager
    def step_outside(self) -> Iterator[None]:
        """The calling work gives its place to others while the block waits for another machine, and takes one again
        afterwards. On a thread that has no place here nothing happens.

        Raises:
            Busy: `outside_limit` are outside already.
        """
        if not getattr(self._mine, "place", False):
            yield
            return
        with self._lock:
            if self._outside >= self.outside_limit:
                raise Busy(f"{self._outside} questions wait for another machine already.", "Try again later.")
            self._outside += 1
            self._inside -= 1
        self._leave()
        try:
            yield
        finally:
            self._enter()
            with self._lock:
                self._outside -= 1
                self._inside += 1

    def _placed(self, work: Callable[[], T]) -> T:
        self._enter()
        try:
            return work()
        finally:
            self._leave()
            with self._lock:
                self._inside -= 1

    def _enter(self) -> None:
        self._slots.take()
        self._mine.place, self._mine.since = True, time.perf_counter()

    def _leave(self) -> None:
        self._mine.place = False
        with self._lock:
            self._seconds += 0.1 * (time.perf_counter() - self._mine.since - self._seconds)
        self._slots.give_back()

    def _wait(self) -> int:
        """Seconds until a place should be free, from the moving average of the times in a place."""
        return max(1, math.ceil(self._seconds * self._inside / self.workers / 2))

    def drain(self) -> None:
        """Refuses new work and waits for what is inside and outside."""
        self._stopping = True
        self._executor.shutdown(wait=True)
