"""Where all chance comes from, what a finding is, and how much time one input may take.

Every round of a target has a source of its own, made of the run's seed, the target's name and the
round's number: whoever knows these three repeats the round.
"""

import random
import signal
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")
# Counts, lengths, flags and addresses at which something begins or ends.
EDGES = (
    0, 1, 2, 3, 7, 8, 16, 63, 64, 100, 255, 256, 4095, 4096, 65535, 65536, 1 << 20, (1 << 31) - 1,
    1 << 31, (1 << 32) - 1, 1 << 32, (1 << 32) + 1, 1 << 47, (1 << 63) - 1, 1 << 63, (1 << 64) - 1,
    (1 << 64) - 100, (1 << 32) - 100, (1 << 64) - 4096,
)  # fmt: skip


class Finding(AssertionError):
    """Something that must not happen has happened."""


class TooLong(Finding):
    """An input took more processor time than any input of its size may take."""


class Source(random.Random):
    """A repeatable source of choices."""

    def often(self, share: float) -> bool:
        """True in about such a share of the questions."""
        return self.random() < share

    def pick(self, choices: Sequence[T]) -> T:
        return choices[self.randrange(len(choices))]

    def some(self, choices: Sequence[T], most: int) -> list[T]:
        """Up to so many of them, one more than once perhaps."""
        return [self.pick(choices) for _ in range(self.randrange(most + 1))]

    def size(self, most: int) -> int:
        """Mostly small, at times anything up to the bound."""
        bound = self.pick((4, 16, 64, 512, most))
        return self.randrange(min(bound, most) + 1)

    def word(self) -> int:
        """Any 64 bits, mostly those at which something begins or ends."""
        kind = self.randrange(6)
        if kind < 3:
            return self.pick(EDGES)
        if kind == 3:
            return 1 << self.randrange(64)
        return self.getrandbits(32 if kind == 4 else 64)


def source_of(seed: int, name: str, round_number: int) -> Source:
    """The source of one round."""
    return Source(f"{seed}/{name}/{round_number}")


@contextmanager
def within_cpu(seconds: float) -> Iterator[None]:
    """Interrupt what takes longer; the clock is the process' own, so a busy machine is no matter.

    Raises:
        TooLong: in the middle of it.
    """

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise TooLong(f"more than {seconds} s of processor time")

    former = signal.signal(signal.SIGVTALRM, interrupt)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, former)


def peak_bytes(act: Callable[[], Any]) -> int:
    """How much memory an act needs at its peak, its own result included."""
    tracemalloc.start()
    try:
        act()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def claim(holds: object, what: str, *facts: object) -> None:
    """Say what must hold.

    Raises:
        Finding: it does not.
    """
    if not holds:
        raise Finding(f"{what}: {', '.join(map(repr, facts))}" if facts else what)
