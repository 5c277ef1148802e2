"""Programs that make random system calls in a real box, and what the kernel answers them."""

import errno
import struct
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from fuzz_calls import FORKS, Call, call_of, calls_of, deep_folders, scratch_of
from fuzz_driver import Round, Target
from fuzz_policy import ALLOW, KILL
from fuzz_records import TOKEN_BYTES, Made, Opened, Said, read_records
from fuzz_source import Source, claim
from fuzz_world import BINARY, KINDS, TOOL, World, world

from submissions_sandbox import ALL_TIERS, Box, Outcome, Tier
from submissions_sandbox.syscall_numbers import machine

_MOST_CALLS = 120
_SWEPT = 1024
_DEEPEST = 3000
_MOST_FORKS = 4
_O_PATH = 0o10000000
_INTERRUPTED = range(-516, -511)
# uretprobe (Linux 6.11) and uprobe (6.18) of x86_64: the kernel lets both pass every filter. Called
# by anything but a probe of its own, the one ends the program by SIGILL, the other is this error.
_PAST_EVERY_FILTER = {"x86_64": (335, 336), "aarch64": ()}[machine()]
_NO_PROBE = -errno.ENXIO


class CallsInBox:
    """One kind of box in one tier."""

    def __init__(self, inside: World) -> None:
        self._world = inside
        self._unswept: list[int] = []

    def round(self, source: Source, tried: Counter[str]) -> None:
        """Some lists of calls in one box, each in runs of its own until the last call is made."""
        with self._world.box() as box:
            for _ in range(source.randrange(1, 4)):
                self._make_all(source, tried, box, self._some_calls(source))
                self._world.check_home(box)

    def _some_calls(self, source: Source) -> list[Call]:
        if source.often(0.03):
            calls = deep_folders(source, self._world.policy, source.randrange(_DEEPEST))
        elif source.often(0.7):
            calls = calls_of(source, self._world.policy, source.randrange(1, _MOST_CALLS))
        else:
            calls = [call_of(source, self._world.policy, n) for n in self._next_numbers(source)]
        if self._world.kind != BINARY:
            calls = [Call(call.number, call.arguments) for call in calls]
        return self._without_forks(calls) if self._world.kind == TOOL else calls

    def _next_numbers(self, source: Source) -> list[int]:
        """Every number in its turn, so that none is left to chance."""
        if not self._unswept:
            self._unswept = source.sample(range(_SWEPT), _SWEPT)
        taken, self._unswept = self._unswept[:_MOST_CALLS], self._unswept[_MOST_CALLS:]
        return taken

    def _without_forks(self, calls: list[Call]) -> list[Call]:
        """Each of them may double the processes, which nobody bounds for root in tier B."""
        numbers = [self._world.policy.numbers.get(name) for name in FORKS]
        places = [place for place, call in enumerate(calls) if call.number in numbers]
        return [call for place, call in enumerate(calls) if place not in places[_MOST_FORKS:]]

    def _make_all(self, source: Source, tried: Counter[str], box: Box, calls: list[Call]) -> None:
        while calls:
            threads = source.pick((1, 1, 1, 2, 3))
            token = source.randbytes(TOKEN_BYTES)
            head = struct.pack("<8sII", token, threads, len(calls))
            scratch = scratch_of(source, self._world.paths)
            request = b"CALL" + head + scratch + b"".join(call.to_bytes() for call in calls)
            outcome = self._world.run(box, request)
            said = read_records(outcome.result, token)
            made = said.made
            self._check(said, calls)
            self._check_opened(said.opened)
            _count(tried, outcome, made)
            # Whatever ended the run, the calls behind it have their turn in the next one.
            begun = {each.index for each in made}
            left = [call for index, call in enumerate(calls) if index not in begun]
            calls = left if len(left) < len(calls) else calls[1:]

    def _check(self, said: Said, calls: list[Call]) -> None:
        """The kernel answered each call as the table says."""
        for each in said.made:
            if each.index >= len(calls) or each.number != calls[each.index].number:
                continue  # a program that wrote over its own memory
            gate = calls[each.index].gate
            wanted = KILL if gate else self._decide(each, said.own_pid)
            if wanted == KILL:
                claim(each.result is None, "a call came back that ends the program", each)
            elif wanted != ALLOW and each.result is not None:
                answers = [-(wanted & 0xFFFF)]
                answers += [_NO_PROBE] if each.number in _PAST_EVERY_FILTER else []
                claim(each.result in answers, "a call was not refused", each, wanted)

    def _decide(self, each: Made, own_pid: int) -> int:
        policy = self._world.policy
        number = each.number & 0xFFFFFFFF
        return policy.decide(number, policy.architecture, each.words, own_pid)

    def _check_opened(self, opened: list[Opened]) -> None:
        """Nothing of the host is open; with O_PATH it is a name, of which stat tells as much."""
        for one in opened:
            path = self._world.forbidden.get((one.device, one.inode))
            claim(path is None or one.flags & _O_PATH, "a file of the host is open", path, one)


def _count(tried: Counter[str], outcome: Outcome, made: list[Made]) -> None:
    tried["calls"] += len(made)
    tried[f"runs {outcome.kind}"] += 1
    for each in made:
        if each.result is None:
            tried["calls that did not come back"] += 1
        elif each.result in (-errno.EPERM, -errno.ENOSYS):
            tried["calls refused"] += 1
        elif each.result >= 0 or each.result in _INTERRUPTED:
            tried["calls that succeeded"] += 1


@contextmanager
def _calls_in_box(kind: str, tier: Tier) -> Iterator[Round]:
    with world(kind, tier) as inside:
        yield CallsInBox(inside).round


def targets() -> dict[str, Target]:
    """Every kind of box in every tier, by name."""
    return {
        f"calls-{kind}-{tier}".lower(): partial(_calls_in_box, kind, tier)
        for kind in KINDS
        for tier in ALL_TIERS
    }
