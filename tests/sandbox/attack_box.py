"""The program of the sandbox tests: it executes its request as Python.

So an attack is plain source. ``report`` writes to the result descriptor, ``attempt`` and
``syscall`` say whether an act was done or with which errno it was refused.
"""

import os
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from processes import children

from submissions_sandbox import (
    Box,
    Outcome,
    Profile,
    RunLimits,
    Sandbox,
    SandboxUnavailable,
    Tier,
    python_profile,
)
from submissions_sandbox.cgroups import Groups
from submissions_sandbox.reports import Ready, decode
from submissions_sandbox.syscall_numbers import machine

PROGRAM = """
import ctypes, errno, os, sys, threading, time

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def report(value):
    os.write(3, str(value).encode())


def attempt(act, *arguments, **options):
    try:
        act(*arguments, **options)
    except OSError as error:
        return errno.errorcode[error.errno]
    return "done"


def syscall(number, *arguments):
    plain = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    if libc.syscall(ctypes.c_long(number), *plain) >= 0:
        return "done"
    return errno.errorcode[ctypes.get_errno()]


def preload():
    pass


def main(request):
    tools = (report, attempt, syscall, libc, ctypes, os, sys, threading, time)
    names = ("report", "attempt", "syscall", "libc", "ctypes", "os", "sys", "threading", "time")
    exec(compile(request, "attack", "exec"), {"__name__": "attack", **dict(zip(names, tools))})
"""

HONEST = "report(sum(range(10)))"
LIMITS = {"cpu_ms": 300, "memory_kb": 128 * 1024}
REFUSALS = ("EPERM", "ENOSYS")
# What an act by path meets: the filter, Landlock, a read-only mount, or nothing to act on.
REFUSED_PATHS = (*REFUSALS, "EACCES", "EROFS", "ENOENT", "EXDEV")


def numbers_here(x86_64: int, aarch64: int) -> int:
    """Of a system call's two numbers, the one of this machine."""
    return x86_64 if machine() == "x86_64" else aarch64


def start(
    program: str | Profile = PROGRAM, tier: Tier = Tier.A, groups: Groups | None = None
) -> Sandbox:
    """A sandbox, or a visible skip where this machine cannot isolate (a failure in CI)."""
    needs = "user namespaces" if tier is Tier.A else "Landlock"
    profile = program if isinstance(program, Profile) else python_profile(program)
    try:
        return Sandbox(profile, (tier,), groups)
    except SandboxUnavailable as error:
        reason = f"missing program: {needs} ({error})"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)


def outer_pid(sandbox: Sandbox) -> int:
    """The process that the supervisor started; below it is everything."""
    return sandbox._zygote.process.pid


def zygote_pid(sandbox: Sandbox) -> int:
    """The process that boxes are forked from: in tier A a child that is pid 1 of its namespace."""
    outer = outer_pid(sandbox)
    return outer if sandbox.tier is Tier.B else children(outer)[0]


@dataclass(frozen=True)
class Runner:
    """Runs attacks in one box."""

    box: Box
    tier: Tier = Tier.A

    def __call__(self, code: str, **limits: Any) -> Outcome:
        """What became of an attack; ``limits`` differ from the small ones of these tests."""
        source = textwrap.dedent(code).encode()
        return self.box.run(source, RunLimits(**{**LIMITS, **limits}))

    def report(self, code: str, **limits: Any) -> str:
        """What an attack that ends by itself reported."""
        outcome = self(code, **limits)
        assert (outcome.kind, outcome.exit_code, outcome.stderr) == ("exited", 0, b"")
        return outcome.result.decode()


def when_ready(box: Box, act: Callable[[], object]) -> None:
    """Do something at the moment at which a run of this box starts its program."""
    channel: Any = box._channel
    receive = channel.receive_bytes

    def receive_and_act() -> Any:
        datagram, descriptors = receive()
        if isinstance(decode(datagram), Ready):
            act()
        return datagram, descriptors

    channel.receive_bytes = receive_and_act
