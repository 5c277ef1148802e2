"""At most ten failed sign-ins in ten minutes for one handle from one address (IPv6: one /64).

Counted in this process. Never by the handle alone: then anybody could lock anybody out.
"""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from judge.api.errors import HttpProblem
from judge.api.networks import household_of
from judge.errors import Unauthenticated

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

    @contextmanager
    def attempt(
        self,
        handle: str,
        address: str,
        is_failure: Callable[[Exception], bool],
        *,
        forgets: bool = True,
    ) -> Iterator[None]:
        """Around an attempt: it counts before it is made, so that many at once are no way round.

        Args:
            handle: whose password, or what else is tried.
            address: from where.
            is_failure: whether an error is one; every other end gives the attempt back.
            forgets: whether an attempt that works wipes earlier failures out.

        Raises:
            HttpProblem: 429 with Retry-After after too many failures; nothing is tried then.
        """
        key = _key(handle, address)
        at = self._begin(key)
        try:
            yield
        except Exception as error:
            if not is_failure(error):
                self._give_back(key, at)
            raise
        if forgets:
            with self._lock:
                self._failures.pop(key, None)
        else:
            self._give_back(key, at)

    def _begin(self, key: Key) -> float:
        with self._lock:
            moment = self._clock()
            times = self._recent(key)
            if len(times) >= MAX_FAILURES:
                wait_s = int(times[0] + WINDOW_S - moment) + 1
                headers = {"Retry-After": str(wait_s)}
                raise HttpProblem(429, "too-many-sign-ins", headers=headers, seconds=wait_s)
            times.append(moment)
            self._failures[key] = times
            self._failures.move_to_end(key)
            if len(self._failures) > MAX_KEYS:
                self._failures.popitem(last=False)
        return moment

    def _give_back(self, key: Key, at: float) -> None:
        with self._lock, suppress(ValueError):
            self._failures.get(key, deque()).remove(at)

    def _recent(self, key: Key) -> deque[float]:
        times = self._failures.get(key, deque())
        while times and times[0] <= self._clock() - WINDOW_S:
            times.popleft()
        return times


def is_wrong_password(error: Exception) -> bool:
    """Whether an attempt with a password failed because of it."""
    return isinstance(error, Unauthenticated)


def _key(handle: str, address: str) -> Key:
    return handle.lower()[:64], household_of(address)
