"""Programs that write what they like to their descriptors, and what must arrive of it.

A plan is a list of steps (box_program.py follows it). What each stream must bring, and how the run
must end, follows from the plan alone.
"""

import signal
import struct
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from fuzz_driver import Round, Target
from fuzz_source import Source, claim
from fuzz_world import BINARY, LIMITS, PYTHON, World, world

from submissions_sandbox import ALL_TIERS, Outcome, OutcomeKind, Tier

WRITE, CLOSE, COPY, WAIT, EXIT, SIGNAL, SPIN, SLEEP, FAIL, NO_WAIT, PACKETS = range(1, 12)
_STEP = struct.Struct("<BBHIQ")
_STREAMS = ("stdout", "stderr", "result")
_LIMITS = replace(LIMITS, stdout_bytes=4096, result_bytes=32 * 1024)
_CAPS = {"stdout": 4096, "stderr": 4096, "result": 32 * 1024}
_PATIENT_S = 10.0
_OPEN_FILES = _LIMITS.open_files
_ARRIVES = (WRITE, CLOSE, COPY, WAIT, PACKETS)
_IGNORED = (signal.SIGCHLD, signal.SIGCONT, signal.SIGURG, signal.SIGWINCH)
# What happens at these depends on the terminal that there is none of.
_STOPPING = (signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU)


@dataclass
class Wanted:
    """What follows from a plan."""

    bytes_of: dict[str, bytearray] = field(
        default_factory=lambda: {name: bytearray() for name in _STREAMS}
    )
    is_exact: bool = True  # False: how much is written depends on when it is read
    end: tuple[int, int] = (EXIT, 0)

    def over(self) -> list[str]:
        """Streams past their caps."""
        return [name for name in _STREAMS if len(self.bytes_of[name]) > _CAPS[name]]


Step = tuple[int, int, int, int, int]


def plan_of(source: Source) -> list[Step]:
    """Some steps, and one that ends the run."""
    steps = [_step(source) for _ in range(source.randrange(14))]
    return [*steps, _end(source)]


def _step(source: Source) -> Step:
    kind = source.pick((WRITE, WRITE, WRITE, WRITE, CLOSE, COPY, COPY, WAIT, NO_WAIT, PACKETS))
    first = source.pick((1, 2, 3, 3, 3, 0, 4, 5, 6, 40, 63, 64))
    match kind:
        case 1:
            size = source.size(100_000)
            return WRITE, first, source.pick((0, 0, 1 + size // 9)), size, source.getrandbits(64)
        case 3:
            return COPY, first, source.pick((0, 1, 2, 3, 4, 5, 40, 63, 64, 1000)), 0, 0
        case 4:
            return WAIT, 0, 0, source.randrange(3000), 0
        case 10 if source.often(0.8):
            return CLOSE, first, 0, 0, 0
    return kind, first, 0, 0, 0


def _end(source: Source) -> Step:
    kind = source.pick((EXIT, EXIT, EXIT, SIGNAL, SIGNAL, SPIN, SLEEP, FAIL))
    first = 0
    if kind == EXIT:
        first = source.pick((0, 0, 1, 127, 255))
    elif kind == SIGNAL:
        first = source.randrange(1, 65)
    elif kind == FAIL:
        first = source.randrange(2)
    return kind, first, 0, 0, 0


def wanted_of(steps: list[Step]) -> Wanted:
    """Follow a plan on paper."""
    wanted = Wanted()
    places: dict[int, str] = {0: "", 1: "stdout", 2: "stderr", 3: "result"}
    for kind, first, second, size, pattern in steps[:-1]:
        name = places.get(first)
        if kind == WRITE and name:
            wanted.bytes_of[name] += (pattern.to_bytes(8, "little") * (size // 8 + 1))[:size]
        elif kind == CLOSE:
            places.pop(first, None)
        elif kind == COPY and name is not None and second < _OPEN_FILES:
            places[second] = name
        wanted.is_exact &= kind in _ARRIVES
    wanted.end = steps[-1][:2]
    return wanted


def check_end(outcome: Outcome, end: tuple[int, int], kind_of_box: str) -> None:
    """The run ended as its last step says."""
    kind, number = end
    found = (outcome.kind, outcome.detail, outcome.exit_code, outcome.signal)
    sorts: dict[int, tuple[OutcomeKind, str, int, int]] = {
        EXIT: (OutcomeKind.EXITED, "", number, 0),
        SPIN: (OutcomeKind.TIME, "cpu", -1, signal.SIGKILL),
        SLEEP: (OutcomeKind.TIME, "wall", -1, signal.SIGKILL),
        SIGNAL: (OutcomeKind.SIGNALLED, "", -1, number),
    }
    wanted = sorts.get(kind)
    if kind == FAIL:
        fault = signal.SIGSEGV if number else signal.SIGABRT
        by_signal = (OutcomeKind.SIGNALLED, "", -1, fault)
        by_error = (OutcomeKind.EXITED, "", 1, 0)
        wanted = by_error if kind_of_box == PYTHON and not number else by_signal
    elif kind == SIGNAL and number in _STOPPING:
        return
    elif kind == SIGNAL and number == signal.SIGSTOP:
        wanted = sorts[SLEEP]
    elif kind == SIGNAL and number in _IGNORED:
        wanted = (OutcomeKind.EXITED, "", 0, 0)
    elif kind == SIGNAL and number == signal.SIGSYS:
        wanted = (OutcomeKind.DENIED, "", -1, number)
    claim(found == wanted, "another end than the program's", found, wanted)


def _waits(end: tuple[int, int]) -> bool:
    return end[0] == SLEEP or (end[0] == SIGNAL and end[1] in (signal.SIGSTOP, *_STOPPING))


class PlansInBox:
    """One kind of box in one tier."""

    def __init__(self, inside: World) -> None:
        self._world = inside

    def round(self, source: Source, tried: Counter[str]) -> None:
        steps = plan_of(source)
        request = b"PLAN" + b"".join(_STEP.pack(*step) for step in steps)
        starts_ahead = self._world.kind == PYTHON and source.often(0.3)
        with self._world.box() as box:
            if starts_ahead:
                outcome = self._world.start(box, request, _LIMITS)
            else:
                outcome = self._world.run(box, request, _LIMITS)
                self._world.check_home(box)
        wanted = wanted_of(steps)
        if outcome.detail == "wall" and not _waits(wanted.end):
            # On a busy machine so short a limit may meet one who was not let run.
            with self._world.box() as box:
                outcome = self._world.run(box, request, _LIMITS, _PATIENT_S)
            tried["run again"] += 1
        self._check(outcome, wanted)
        tried[f"runs {outcome.kind}"] += 1
        tried["steps"] += len(steps)
        tried["started ahead"] += starts_ahead

    def _check(self, outcome: Outcome, wanted: Wanted) -> None:
        if not wanted.is_exact:
            return
        over = wanted.over()
        if over:
            is_over = outcome.kind is OutcomeKind.OUTPUT and outcome.detail in over
            claim(is_over, "too much output was no matter", outcome.kind, outcome.detail, over)
        elif wanted.end[0] != FAIL or outcome.kind is not OutcomeKind.OUTPUT:
            check_end(outcome, wanted.end, self._world.kind)
        if wanted.end[0] == FAIL:
            return  # the interpreter's own words come on top
        for name in _STREAMS:
            got, whole = getattr(outcome, name), bytes(wanted.bytes_of[name])
            claim(whole.startswith(got), "a stream brought other bytes", name, got[:80])
            is_whole = len(got) == min(len(whole), _CAPS[name])
            claim(over or is_whole, "bytes of a stream are lost", name, len(got), len(whole))


@contextmanager
def _plans_in_box(kind: str, tier: Tier) -> Iterator[Round]:
    with world(kind, tier) as inside:
        yield PlansInBox(inside).round


def targets() -> dict[str, Target]:
    """Python programs and binaries in every tier, by name."""
    return {
        f"streams-{kind}-{tier}".lower(): partial(_plans_in_box, kind, tier)
        for kind in (PYTHON, BINARY)
        for tier in ALL_TIERS
    }
