"""How often who may call: a number of requests in a window of a minute, by policy.

Counted in this process: several servers before one database allow that much each. A window begins
with its first request, so that what a 429 says of the time to wait is true. Who is counted, and for
which policy, is decided in judge.api.counting.
"""

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from judge.settings import Settings

WINDOW_S = 60
MAX_KEYS = 50_000
READ, SUBMIT, RUN, CHANGE, SIGN_IN = "read", "submit", "run", "change", "sign-in"


@dataclass(frozen=True)
class Policy:
    """At most so many requests in a window."""

    name: str
    most: int


def policies(settings: Settings) -> tuple[Policy, ...]:
    """The policies as the operator has set them."""
    return (
        Policy(READ, settings.reads_per_minute),
        Policy(SUBMIT, settings.submits_per_minute),
        Policy(RUN, settings.runs_per_minute),
        Policy(CHANGE, settings.changes_per_minute),
        Policy(SIGN_IN, settings.sign_ins_per_minute),
    )


@dataclass
class _Window:
    end: float
    used: int = 0


@dataclass(frozen=True)
class Counted:
    """One request that was counted; what its answer says of the policy.

    Attributes:
        policy: which one it counts for.
        rest: how many more the window takes.
        seconds: whole seconds to the end of the window, rounded up.
        refund: gives this request back.
    """

    policy: Policy
    rest: int
    seconds: int
    refund: Callable[[], None] = field(repr=False)

    def headers(self, status: int) -> Mapping[str, str]:
        """RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers); 304 is free."""
        rest = self.rest
        if status == 304:
            self.refund()
            rest += 1
        name = self.policy.name
        return {
            "RateLimit-Policy": f'"{name}";q={self.policy.most};w={WINDOW_S}',
            "RateLimit": f'"{name}";r={rest};t={self.seconds}',
        }


class Rates:
    """Counts requests; safe to share between threads. ``clock`` gives monotonic seconds."""

    def __init__(
        self, known: Iterable[Policy], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._policies = {policy.name: policy for policy in known}
        self._clock = clock
        # In the order of their ends: all windows are equally long.
        self._windows: OrderedDict[tuple[str, str], _Window] = OrderedDict()
        self._lock = threading.Lock()

    def count(self, name: str, who: str) -> tuple[Counted, bool]:
        """Count a request, and whether it may be answered; one too many is not counted."""
        policy = self._policies[name]
        with self._lock:
            now = self._clock()
            window = self._window((name, who), now)
            is_allowed = window.used < policy.most
            window.used += is_allowed
            rest, seconds = policy.most - window.used, math.ceil(window.end - now)
        return Counted(policy, rest, max(1, seconds), lambda: self._refund(window)), is_allowed

    def _refund(self, window: _Window) -> None:
        with self._lock:
            window.used -= 1

    def _window(self, key: tuple[str, str], now: float) -> _Window:
        while self._windows and next(iter(self._windows.values())).end <= now:
            self._windows.popitem(last=False)
        window = self._windows.get(key)
        if window is None:
            if len(self._windows) >= MAX_KEYS:
                self._windows.popitem(last=False)
            window = self._windows[key] = _Window(now + WINDOW_S)
        return window
