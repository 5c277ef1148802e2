"""The filter against the table: every number with chosen arguments, then any words at all."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from bpf_machine import BpfMachine
from fuzz_calls import arguments_of, number_of
from fuzz_driver import Round
from fuzz_policy import ARCHITECTURES, Policy
from fuzz_source import EDGES, Source, claim

from submissions_sandbox import Tier
from submissions_sandbox.profile import Starts
from submissions_sandbox.seccomp import build_filter

_PIDS = (1, 2, 255, 4321, 32768, 4_194_304)
_FOREIGN = (*ARCHITECTURES.values(), 0x40000003, 0x40000028, 0, 0xFFFFFFFF)
_CALLS_PER_ROUND = 400


class FilterAgainstTable:
    """One filter of every kind that there is."""

    def __init__(self) -> None:
        self._kinds = [(m, s, t) for m in ARCHITECTURES for s in Starts for t in Tier]

    def round(self, source: Source, tried: Counter[str]) -> None:
        machine, starts, tier = source.pick(self._kinds)
        pid = source.pick(_PIDS)
        policy = Policy(machine, starts, tier)
        run = BpfMachine(build_filter(machine, pid, starts, tier))
        for number in range(1024):
            self._ask(run, policy, (number, policy.architecture, pid), [0] * 6)
        for _ in range(_CALLS_PER_ROUND):
            number = number_of(source, policy) & 0xFFFFFFFF
            architecture = policy.architecture
            if source.often(0.05):
                architecture = source.pick(_FOREIGN)
            words = _words(source, policy, number, pid)
            answer = self._ask(run, policy, (number, architecture, pid), words)
            tried[f"answer {answer:#x}"] += 1
        tried[f"{machine} {starts} {tier}"] += 1

    def _ask(
        self, run: BpfMachine, policy: Policy, call: tuple[int, int, int], words: list[int]
    ) -> int:
        number, architecture, pid = call
        wanted = policy.decide(number, architecture, words, pid)
        got = run(number, architecture, words)
        claim(got == wanted, "the filter and the table differ", call, words, hex(got), hex(wanted))
        return got


def _words(source: Source, policy: Policy, number: int, pid: int) -> list[int]:
    """Arguments as six plain words: what stands for an address or an id becomes one."""
    words = []
    for kind, value in arguments_of(source, policy, number):
        plain = value if kind == "plain" else pid if kind == "pid" else source.pick(EDGES)
        words.append(plain & (1 << 64) - 1)
    return words


@contextmanager
def filter_against_table() -> Iterator[Round]:
    yield FilterAgainstTable().round
