"""Waiting for a verdict without holding a thread or a connection.

How it works: one socket of the bell is read by the event loop; a message ``submission:<id>``,
``revision:<id>`` or ``run:<id>`` wakes whoever waits for just that. The row is the truth: a waiter
looks at it before its first wait, after each ring, and every RECHECK_S seconds in case the bell was
deaf. The bell serves one machine; where the worker runs on another, the recheck is the way.
"""

import asyncio
import contextlib
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from starlette.concurrency import run_in_threadpool

from judge.queue.wakeup import Bell, drain

RECHECK_S = 1.0
_PREFIXES = ("submission:", "revision:", "run:")


# Nobody's waiting keeps others from it: of all places an account takes a tenth at most.
_SHARE = 10


class Waiters:
    """Everybody in this process who waits for something, by the message that tells of it."""

    def __init__(self, bell: Bell, most: int) -> None:
        self._bell = bell
        self._most = most
        self._most_each = -(-most // _SHARE)
        self._counts: Counter[str] = Counter()
        self._events: dict[str, set[asyncio.Event]] = {}
        self._count = 0
        self._listener: socket.socket | None = None

    def start(self) -> None:
        """Begin to listen; called inside the running event loop."""
        self._listener = self._bell.open()
        asyncio.get_running_loop().add_reader(self._listener, self._wake)

    def stop(self) -> None:
        """Stop listening and wake everybody."""
        if self._listener is not None:
            asyncio.get_running_loop().remove_reader(self._listener)
            self._bell.close(self._listener)
            self._listener = None
        for event in [event for events in self._events.values() for event in events]:
            event.set()

    async def wait(
        self, message: str, who: str, seconds: float, is_done: Callable[[], bool]
    ) -> None:
        """Wait until ``is_done`` holds or the time is up; ``is_done`` runs in the threadpool.

        Returns at once when as many wait as may, in all or for the account ``who``.
        """
        if seconds <= 0 or self.is_full_for(who):
            return
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        with self.listening(message, who) as event:
            while not await run_in_threadpool(is_done):
                rest = deadline - loop.time()
                if rest <= 0 or self.is_stopped:
                    return
                await wait_for_ring(event, min(rest, RECHECK_S))

    def is_full_for(self, who: str) -> bool:
        """Whether as many wait as may, in all or for an account."""
        return self._count >= self._most or self._counts[who] >= self._most_each

    @property
    def is_stopped(self) -> bool:
        """Whether nobody listens (any more): then there is nothing to wait for."""
        return self._listener is None

    @contextmanager
    def listening(self, message: str, who: str) -> Iterator[asyncio.Event]:
        """An event that is set at every ring with this message; counts as one who waits."""
        event = asyncio.Event()
        events = self._events.setdefault(message, set())
        events.add(event)
        self._count += 1
        self._counts[who] += 1
        try:
            yield event
        finally:
            self._count -= 1
            self._counts[who] -= 1
            self._counts += Counter()
            events.discard(event)
            if not events and self._events.get(message) is events:
                del self._events[message]

    def _wake(self) -> None:
        if self._listener is None:
            return
        for message in drain(self._listener):
            if message.startswith(_PREFIXES):
                for event in self._events.get(message, ()):
                    event.set()


async def wait_for_ring(event: asyncio.Event, seconds: float) -> None:
    """Wait for a ring, for so long at most, and make the event ready for the next one."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)
    event.clear()
