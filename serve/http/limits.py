"""How much one caller may send: requests a minute, and bytes a request."""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable

from contracts.errors import TooManyRequests

MINUTE = 60.0


class RateLimiter:
    """A sliding window of one minute for each name; 0 means no limit."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_minute = per_minute
        self._clock = clock
        self._lock = threading.Lock()
        self._calls: dict[str, deque[float]] = {}

    def check(self, name: str) -> None:
        """Counts a request.

        Raises:
            TooManyRequests: the window is full; it says when the next one is free. Refused requests do not count.
        """
        if self.per_minute == 0:
            return
        now = self._clock()
        with self._lock:
            calls = self._calls.setdefault(name, deque())
            while calls and now - calls[0] >= MINUTE:
                calls.popleft()
            if len(calls) >= self.per_minute:
                raise TooManyRequests(
                    f"More than {self.per_minute} requests in a minute.",
                    "Wait for the time given.",
                    retry_after=max(1, math.ceil(MINUTE - (now - calls[0]))),
                )
            calls.append(now)
