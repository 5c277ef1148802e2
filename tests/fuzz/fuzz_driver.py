"""Runs targets round by round, for so long or so many, and says how to repeat a finding."""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from fuzz_source import Finding, Source, source_of

Round = Callable[[Source, "Counter[str]"], None]
# Opens what a target needs, and gives its round.
Target = Callable[[], AbstractContextManager[Round]]


@dataclass
class Tried:
    """What was tried of one target."""

    name: str
    seed: int
    rounds: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        shown = ", ".join(f"{what} {count}" for what, count in sorted(self.counts.items()))
        return f"{self.name}: seed {self.seed}, {self.rounds} rounds: {shown}"


def run_rounds(name: str, target: Target, seed: int, rounds: Iterable[int]) -> Tried:
    """Run some rounds of a target.

    Raises:
        Finding: with the words that repeat it.
    """
    tried = Tried(name, seed)
    with target() as one_round:
        for number in rounds:
            try:
                one_round(source_of(seed, name, number), tried.counts)
            except Exception as error:
                again = f"tests/fuzz/run.py --only '{name}' --seed {seed} --round {number}"
                kind = "" if isinstance(error, Finding) else f"{type(error).__name__}: "
                raise Finding(f"{kind}{error}\nrepeat it: {again}") from error
            tried.rounds += 1
    return tried


def rounds_for(seconds: float) -> Iterable[int]:
    """Numbers of rounds until so much time is over; one at least."""
    end_s = time.monotonic() + seconds
    number = 0
    while number == 0 or time.monotonic() < end_s:
        yield number
        number += 1
