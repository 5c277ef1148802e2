"""Control groups: whether they can be had here, and whether they count and limit.

They are never needed: without them limits on address space and a look from outside take their
place, which see less.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from submissions_sandbox.cgroups import Group, Groups, Lacking
from submissions_sandbox.probes.report import Decides, DidNotHold, NotThere, Probe, attempt
from submissions_sandbox.probes.trial import fork, wait_within

_TAKEN_KB = 24 * 1024
_LIMIT_KB = 64 * 1024
_TOO_MUCH_KB = 160 * 1024
# What a process has besides, and what the kernel charges in advance.
_ROOM_KB = 12 * 1024
_PROCESSES = 16
_WALL_S = 10.0
_SWAP = "as root on the host: swapoff -a; or boot with swapaccount=1"
_COUNTERS = "Linux 5.19 or later with control groups version 2"


def probe_groups() -> tuple[Groups | None, list[Probe]]:
    """The groups of this process if it may make any, to be closed by the caller; and the lines."""
    found: list[Groups] = []

    def find() -> str:
        groups = Groups.find()
        if isinstance(groups, Lacking):
            raise NotThere(groups.detail, groups.fix)
        found.append(groups)
        use = "one for many runs" if groups.resets else "one for each run"
        return f"version {groups.source[-1]}, writable: {', '.join(groups.controllers)}; {use}"

    lines = [attempt("control groups", Decides.NOTHING, find)]
    if not found:
        return None, lines
    lines.append(attempt("memory counters", Decides.NOTHING, lambda: memory_counters(found[0])))
    return found[0], lines


def memory_counters(groups: Groups) -> str:
    """Have one process take what it may, and another one more than its group may."""
    with groups.open() as group:
        group.limit(_LIMIT_KB, _PROCESSES)
        before_kb, kills = group.begin(), group.oom_kills()
        with _taker(group, _TAKEN_KB) as pid:
            wait_within(pid, _WALL_S)
        peak_kb = group.peak_kb() - before_kb
        if not _TAKEN_KB <= peak_kb <= _TAKEN_KB + _ROOM_KB:
            raise DidNotHold(f"{_TAKEN_KB} KiB were taken, {peak_kb} KiB told", _COUNTERS)
        with _taker(group, _TOO_MUCH_KB) as pid:
            status = wait_within(pid, _WALL_S)
        if os.waitstatus_to_exitcode(status) != -signal.SIGKILL:
            raise NotThere("what is over the limit goes to swap", _SWAP)
        if group.oom_kills() <= kills:
            raise DidNotHold("the end of a process for memory is not told", _COUNTERS)
    return f"peak and kills are told ({groups.source})"


@contextmanager
def _taker(group: Group, size_kb: int) -> Iterator[int]:
    """A process that touches so much memory as soon as it is in the group; waits for nobody."""
    gate, opener = os.pipe()
    pid = fork()
    if pid == 0:
        os.close(opener)
        os.read(gate, 1)
        taken = bytearray(size_kb * 1024)
        os._exit(0 if taken else 1)
    os.close(gate)
    try:
        group.add(pid)
    except BaseException:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        raise
    finally:
        os.close(opener)
    yield pid
