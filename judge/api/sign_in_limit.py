"""At most ten failed sign-ins in ten minutes for one handle from one address.

Counted in this process. Never by the handle alone: then anybody could lock anybody out.
"""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable

from judge.api.errors import HttpProblem

MAX_FAILURES = 10
WINDOW_S = 600.0
MAX_KEYS = 10_000

Key = tuple[str, str]


class SignInLimit:
    """Counts failures; safe to share between threads. ``clock`` gives monotonic seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures: OrderedDict[Key, deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def check(self, handle: str, address: str) -> None:
        """Refuse with 429 if there were too many failures.

        Raises:
            HttpProblem: 429 with Retry-After.
        """
        with self._lock:
            times = self._recent(_key(handle, address))
            if len(times) < MAX_FAILURES:
                return
            wait_s = int(times[0] + WINDOW_S - self._clock()) + 1
        raise HttpProblem(
            429,
            "too-many-sign-ins",
            headers={"Retry-After": str(wait_s)},
            seconds=wait_s,
        )

    def count_failure(self, handle: str, address: str) -> None:
        """Remember one failure."""
        key = _key(handle, address)
        with self._lock:
            times = self._recent(key)
            times.append(self._clock())
            self._failures[key] = times
            self._failures.move_to_end(key)
            if len(self._failures) > MAX_KEYS:
                self._failures.popitem(last=False)

    def forget(self, handle: str, address: str) -> None:
        """A sign-in worked: start counting anew."""
        with self._lock:
            self._failures.pop(_key(handle, address), None)

    def _recent(self, key: Key) -> deque[float]:
        times = self._failures.get(key, deque())
        while times and times[0] <= self._clock() - WINDOW_S:
            times.popleft()
        return times


def _key(handle: str, address: str) -> Key:
    return handle.lower()[:64], address
