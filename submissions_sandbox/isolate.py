"""Turning a freshly forked process into a test process: the last trusted steps of a run.

The order matters. Everything that needs a privilege comes first; then identity, capabilities and
new privileges go; the walls follow, the system call filter last, and only behind it are the
request's bytes read. A step that fails ends the process before it has seen any of them.

The steps are prepared before the fork (submissions_sandbox.calls): a zygote knows what all its
runs have in common (``Isolation``), a box init adds the limits (``Entry``), and the test process
puts its own pid in and goes down the list.
"""

import ctypes
import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from submissions_sandbox import calls, landlock
from submissions_sandbox.calls import Call, FilterCall
from submissions_sandbox.descriptors import RULESET, arrange_descriptors
from submissions_sandbox.kernel import CLONE_NEWNS
from submissions_sandbox.limits import Base, RunLimits, as_rlimits
from submissions_sandbox.profile import Starts
from submissions_sandbox.rootfs import TMP, TMP_FLAGS, tmp_options
from submissions_sandbox.seccomp import build_filter
from submissions_sandbox.tiers import Tier

STACK_BYTES = 64 * 1024 * 1024
PID_MARK = 0x5AFEB0C5


@dataclass(frozen=True)
class Isolation:
    """What every run of one zygote has in common, prepared once.

    Attributes:
        filter_template: the system call filter, with a mark where the own pid goes.
        user: the id that runs change to, or None where they keep the zygote's; without namespaces
            that of the first box, and every other has one of its own above.
        base: what is there before a run takes anything.
        landlock_abi: version of the Landlock rules that wait at their descriptor; 0 for none.
        has_namespaces: whether a run gets a mount namespace with a /tmp of its own.
        scratch: without namespaces, the folder that runs may write, and start in; empty for none.
    """

    filter_template: bytes
    user: int | None
    base: Base
    landlock_abi: int
    has_namespaces: bool
    scratch: str = ""

    def entry(self, limits: RunLimits) -> "Entry":
        """The steps of runs with these limits in the box whose box init calls this."""
        steps = list(self._steps(limits))
        filter_call = calls.load_filter(self.filter_template, PID_MARK)
        return Entry((*steps, filter_call.call), filter_call)

    def user_of_box(self, init_pid: int) -> int:
        """Processes are counted a user: without namespaces one box must not use up another's."""
        return (self.user or 0) + (0 if self.has_namespaces else init_pid)

    def _steps(self, limits: RunLimits) -> Sequence[Call]:
        steps: list[Call] = []
        if self.has_namespaces:
            steps.append(calls.unshare(CLONE_NEWNS))
            steps.append(calls.mount_tmpfs(TMP, TMP_FLAGS, tmp_options(limits)))
        steps.append(calls.change_folder(TMP if self.has_namespaces else self.scratch or "/"))
        steps += [calls.limit(which, value) for which, value in as_rlimits(limits, self.base)]
        if self.user is not None:
            steps += calls.become(self.user_of_box(os.getpid()))
        if not self.has_namespaces:
            steps.append(calls.default_action(signal.SIGTERM))
            steps.append(calls.die_with_parent(signal.SIGKILL))
        steps += [calls.drop_capabilities(), calls.no_new_privileges()]
        if self.landlock_abi:
            steps.append(calls.restrict_paths(landlock.RESTRICT_SELF, RULESET))
            steps.append(calls.close(RULESET))
        return steps


def make_filter_template(machine_type: str, starts: Starts, tier: Tier) -> bytes:
    """The filter of a zygote's runs, with a mark where each run's own pid goes."""
    return build_filter(machine_type, PID_MARK, starts, tier)


class Entry:
    """Prepared steps; a test process goes through them once."""

    def __init__(self, steps: Sequence[Call], filter_call: FilterCall) -> None:
        self._held = (tuple(steps), filter_call)
        self._names = tuple(step.name for step in steps)
        self._steps: tuple[tuple[Callable[..., int], tuple[Any, ...]], ...] = tuple(
            (step.function, step.arguments) for step in steps
        )
        self._pid_places = filter_call.pid_places

    def enter(self, control: int, descriptors: Sequence[int]) -> None:
        """Isolate the calling process; it keeps descriptors 0 to 4, or 5 with a binary.

        Raises:
            OSError: the kernel refused a step; its message names it.
        """
        arrange_descriptors(control, descriptors)
        pid = calls.own_pid()
        for place in self._pid_places:
            place.value = pid
        done = 0
        for function, arguments in self._steps:
            if function(*arguments) < 0:
                number = ctypes.get_errno()
                raise OSError(number, f"{self._names[done]}: {os.strerror(number)}")
            done += 1  # noqa: SIM113 - no object is made that the next step would not use
