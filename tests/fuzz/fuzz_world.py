"""Sandboxes of the fuzzer: every kind of box in every tier, and what holds after any program."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

from fuzz_host import SHOWN_IN_BOX, Bait, Surroundings, bait
from fuzz_policy import Policy
from fuzz_source import Finding, claim
from processes import children

from submissions_sandbox import (
    Binary,
    Bind,
    Box,
    Outcome,
    OutcomeKind,
    Profile,
    RunLimits,
    Sandbox,
    SandboxError,
    SandboxUnavailable,
    Tier,
    binary_profile,
    python_profile,
    tool_profile,
)
from submissions_sandbox.syscall_numbers import machine
from submissions_sandbox.watch import pid_behind

FOLDER = Path(__file__).parent
PYTHON, BINARY, TOOL = "python", "binary", "tool"
KINDS = (PYTHON, BINARY, TOOL)
LIMITS = RunLimits(
    cpu_ms=150,
    memory_kb=96 * 1024,
    stdout_bytes=8 * 1024,
    result_bytes=1 << 20,
    tmp_bytes=1 << 20,
    tmp_files=64,
    processes=48,
)
HONEST_LIMITS = RunLimits(cpu_ms=3000, memory_kb=256 * 1024)
# A program that waits for something that does not come is stopped soon.
IDLE_KILL_S = 0.06


class Missing(Exception):
    """This machine lacks what a target needs."""


class World:
    """One sandbox; every round of a target opens a box in it."""

    def __init__(self, kind: str, sandbox: Sandbox, host: Bait, binary: Binary | None) -> None:
        self.kind = kind
        self.tier = sandbox.tier
        self.bait = host
        self.policy = Policy(machine(), sandbox.profile.starts, sandbox.tier)
        self._sandbox = sandbox
        self._binary = binary
        self.paths = host.paths(sandbox.seen_at(SHOWN_IN_BOX))
        self.forbidden = host.forbidden()
        with self.box() as box:
            self._home = self._ask(box)

    @contextmanager
    def box(self) -> Iterator[Box]:
        """A box; afterwards nothing is left of it, and the host is as it was."""
        around = Surroundings(self._sandbox)
        with self._sandbox.open_box() as box:
            yield box
        around.check()
        self.bait.check()

    def run(
        self,
        box: Box,
        request: bytes,
        limits: RunLimits = LIMITS,
        idle_kill_s: float = IDLE_KILL_S,
    ) -> Outcome:
        """Run the fuzzer's program; whatever it was made to do, the outcome is a fact about it."""
        try:
            outcome = box.run(request, limits, self._argv, self._binary, idle_kill_s=idle_kill_s)
        except SandboxError as error:
            raise Finding(f"a program broke the sandbox: {error}") from error
        check_outcome(outcome, limits)
        left = children(pid_behind(box._init_pidfd))
        claim(not left, "processes of a run are left in its box", left)
        return outcome

    def start(self, box: Box, request: bytes, limits: RunLimits) -> Outcome:
        """The same with a program that is started ahead of its request; the box is used up."""
        try:
            with box.start(limits) as spare:
                outcome = spare.run(request, IDLE_KILL_S)
        except SandboxError as error:
            raise Finding(f"a program broke the sandbox: {error}") from error
        check_outcome(outcome, limits)
        return outcome

    def check_home(self, box: Box) -> None:
        """A run that follows finds what the first one found, and computes."""
        found = self._ask(box)
        claim(found == self._home, "a run finds what another left", found, self._home)

    @property
    def _argv(self) -> tuple[str, ...]:
        return ("solution",) if self._binary is not None else ()

    def _ask(self, box: Box) -> bytes:
        outcome = box.run(b"HOME", HONEST_LIMITS, self._argv, self._binary)
        facts = (outcome.kind, outcome.exit_code, outcome.stderr)
        claim(facts == (OutcomeKind.EXITED, 0, b""), "an honest run failed", facts)
        claim(b"45" in outcome.result, "a wrong answer", outcome.result)
        return outcome.result


def check_outcome(outcome: Outcome, limits: RunLimits) -> None:
    """An outcome that can be: of a program, with figures, within its limits."""
    claim(outcome.kind is not OutcomeKind.FAILED, "a run failed", outcome)
    claim(
        outcome.cpu_ms >= 0 and outcome.wall_ms >= 0 and outcome.memory_kb >= 0, "figures below 0"
    )
    sizes = (len(outcome.stdout), len(outcome.stderr), len(outcome.result))
    caps = (limits.stdout_bytes, limits.stdout_bytes, limits.result_bytes)
    claim(all(s <= cap for s, cap in zip(sizes, caps, strict=True)), "more than was asked", sizes)
    ended = outcome.exit_code if outcome.kind == OutcomeKind.EXITED else outcome.signal
    claim(0 <= ended <= 255, "no exit status", outcome.exit_code, outcome.signal)


@contextmanager
def world(kind: str, tier: Tier) -> Iterator[World]:
    """A world of one kind.

    Raises:
        Missing: no such box can be had on this machine.
    """
    with ExitStack() as stack:
        binary = stack.enter_context(Binary(compiled())) if kind == BINARY else None
        host = stack.enter_context(bait())
        try:
            sandbox = stack.enter_context(Sandbox(_profile(kind, host), (tier,)))
        except SandboxUnavailable as error:
            raise Missing(f"missing program: tier {tier} ({error})") from error
        yield World(kind, sandbox, host, binary)


@cache
def compiled() -> bytes:
    """The fuzzer's program as a binary.

    Raises:
        Missing: there is no compiler.
    """
    compiler = shutil.which("g++")
    if compiler is None:
        raise Missing("missing program: g++")
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "program"
        argv = [compiler, "-std=c++17", "-O1", "-o", str(made), str(FOLDER / "box_program.cpp")]
        subprocess.run(argv, check=True, env={"PATH": os.environ["PATH"]})  # noqa: S603 - our own
        return made.read_bytes()


def _profile(kind: str, host: Bait) -> Profile:
    program = (FOLDER / "box_program.py").read_text()
    shown = Bind(str(host.shown), SHOWN_IN_BOX)
    if kind == TOOL:
        return tool_profile(program, (), (shown,))
    plain = python_profile(program) if kind == PYTHON else binary_profile()
    return replace(plain, binds=(*plain.binds, shown))
