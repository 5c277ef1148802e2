"""What the kernel offers this process, tried out step by step; each probe in a child of its own.

Nothing is concluded from version numbers. The first four follow one another: a step is only tried
where the one before it was allowed.
"""

import ctypes
import errno
import os
import select
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from submissions_sandbox import calls, landlock
from submissions_sandbox.bpf import (
    OFFSET_NUMBER,
    RETURN_ALLOW,
    encode,
    if_equal,
    load,
    returns,
    returns_errno,
)
from submissions_sandbox.calls import Call
from submissions_sandbox.kernel import system_call
from submissions_sandbox.probes import tier_a
from submissions_sandbox.probes.fixes import (
    PIDFD,
    PROC,
    SECCOMP,
    SWITCHES,
    Switch,
    refusals,
    way_to_landlock,
)
from submissions_sandbox.probes.report import (
    Decides,
    DidNotHold,
    NotThere,
    Probe,
    State,
    attempt,
    not_tried,
)
from submissions_sandbox.probes.trial import fork, in_child
from submissions_sandbox.syscall_numbers import machine, numbers

_IO_URING_SETUP = 425  # on every machine type
_IO_URING_PARAMS_BYTES = 120
_NO_MARK = 0xFFFFFFFF
_STEP_WALL_S = 5.0


@dataclass(frozen=True)
class Step:
    """One probe; ``needs`` names another that must have been ok."""

    name: str
    decides: Decides
    act: Callable[[], str]
    needs: str = ""


def landlock_rules() -> str:
    """Enter a rule set that allows one folder, and look into another."""
    version = landlock.abi()
    if version == 0:
        raise NotThere("this kernel offers none, or it is not allowed here", way_to_landlock())
    with refusals(lambda _: way_to_landlock()):
        ruleset = landlock.make_ruleset((landlock.Allowed("/usr", landlock.READ_TREE),), version)
        _make(calls.no_new_privileges())
        _make(calls.restrict_paths(landlock.RESTRICT_SELF, ruleset))
    try:
        list(Path("/").iterdir())
    except PermissionError:
        return f"version {version} holds"
    raise DidNotHold(f"version {version} is entered and does not hold", way_to_landlock())


def call_filter() -> str:
    """Load a filter that refuses one call, and make that call."""
    refused = numbers(machine())["getppid"]
    rule = if_equal(refused, returns_errno(errno.EXDEV), returns(RETURN_ALLOW))
    program = encode([load(OFFSET_NUMBER), *rule])
    with refusals(lambda _: SECCOMP):
        _make(calls.no_new_privileges())
        _make(calls.load_filter(program, _NO_MARK).call)
    try:
        system_call(refused)
    except OSError as error:
        if error.errno == errno.EXDEV:
            return "a filter is loaded and holds"
    raise DidNotHold("a filter is loaded and does not hold", SECCOMP)


def process_descriptor() -> str:
    """End a child through a pidfd and see its end there."""
    pid = fork()
    if pid == 0:
        signal.pause()
        os._exit(0)
    try:
        with refusals(lambda _: PIDFD):
            pidfd = os.pidfd_open(pid)
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)
        if not select.select([pidfd], [], [], _STEP_WALL_S)[0]:
            raise DidNotHold("the end of a process is not told", PIDFD)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return "signals and waits"


def io_uring() -> str:
    """Ask for a ring; only told, a box is not allowed to ask."""
    parameters = ctypes.create_string_buffer(_IO_URING_PARAMS_BYTES)
    try:
        os.close(system_call(_IO_URING_SETUP, ctypes.c_uint(1), parameters))
    except OSError as error:
        return f"not offered here ({error.strerror})"
    return "offered by this kernel; the filter keeps boxes from it"


def switch_probe(switch: Switch, *, works: bool, proc: Path = PROC) -> Probe:
    """Where a setting stands that can forbid user namespaces; ``works`` says whether it does."""

    def look() -> str:
        value = switch.value(proc)
        if value != switch.off:
            return value or f"not there ({switch.where} has it)"
        if works:
            return f"{value}, which does not concern this user"
        raise NotThere(f"{value} forbids user namespaces", switch.fix())

    return attempt(switch.name, Decides.TIER_A, look)


STEPS = (
    Step("user namespace", Decides.TIER_A, tier_a.user_namespace),
    Step("namespaces and id map", Decides.TIER_A, tier_a.namespaces, "user namespace"),
    Step("mount", Decides.TIER_A, tier_a.mounts, "namespaces and id map"),
    Step("pivot_root", Decides.TIER_A, tier_a.root_change, "mount"),
    Step("/proc", Decides.NOTHING, tier_a.proc_mount, "namespaces and id map"),
    Step("Landlock", Decides.TIER_B, landlock_rules),
    Step("seccomp filter", Decides.EVERY_TIER, call_filter),
    Step("pidfd", Decides.EVERY_TIER, process_descriptor),
    Step("io_uring", Decides.NOTHING, io_uring),
)


def probe_machine(steps: tuple[Step, ...] = STEPS) -> list[Probe]:
    """A line for every step, then one for every switch."""
    by_name: dict[str, Probe] = {}
    for step in steps:
        needed = by_name.get(step.needs)
        if needed is not None and needed.state is not State.OK:
            by_name[step.name] = not_tried(step.name, needed, step.decides)
        else:
            by_name[step.name] = _tried(step)
    works = all(p.state is State.OK for p in by_name.values() if p.decides is Decides.TIER_A)
    return [*by_name.values(), *(switch_probe(one, works=works) for one in SWITCHES)]


def _tried(step: Step) -> Probe:
    return attempt(step.name, step.decides, lambda: in_child(step.act))


def _make(call: Call) -> None:
    if call.function(*call.arguments) < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{call.name}: {os.strerror(number)}")
