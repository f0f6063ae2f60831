"""A model server that does not answer is left alone for a while, so that one dead machine costs one time-out, not
one for each question."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from contracts.errors import ModelUnavailable

FAILURES = 3
"""In a row; a single slow call says nothing."""
PAUSE_S = 30.0
"""Then one call tries again, and the others go on without the model until it has succeeded."""


class Breaker:
    """Counts failures in a row; safe to share between threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._closed_until = 0.0

    def check(self) -> None:
        """
        Raises:
            ModelUnavailable: the server failed `FAILURES` times in a row, the last time less than `PAUSE_S` ago, or
                the one call that tries again is still running.
        """
        with self._lock:
            if self._failures < FAILURES:
                return
            left = self._closed_until - self._clock()
            if left > 0:
                raise ModelUnavailable(
                    f"The language model failed {self._failures} times in a row and is left alone for {left:.0f} s.",
                    "Check the model server; answers go on without it.",
                )
            self._closed_until = self._clock() + PAUSE_S  # this call tries, the others wait for its outcome

    def rest_s(self) -> float:
        """Seconds for which the server is left alone; 0 when it is not."""
        with self._lock:
            return max(0.0, self._closed_until - self._clock()) if self._failures >= FAILURES else 0.0

    def failed(self) -> None:
        with self._lock:
            self._failures += 1
            self._closed_until = self._clock() + PAUSE_S

    def succeeded(self) -> None:
        with self._lock:
            self._failures = 0
