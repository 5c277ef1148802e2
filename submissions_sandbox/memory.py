"""How much memory one run holds, and when that is too much.

With a control group the kernel counts what the run is charged with, shared and temporary memory
included, and kills past the limit. Without one the figure is the peak of the resident set, and the
supervisor looks at it from time to time: limits on address space or data stop most programs before
that, but a JVM's do not count memory that is shared.

A test process is forked from a warm zygote, whose pages are not its own: every figure is what came
on top of what was there when the request was read.
"""

import os
from contextlib import suppress
from pathlib import Path

from submissions_sandbox.cgroups import Group
from submissions_sandbox.limits import RunLimits

SOURCE_RESIDENT = "rusage"
# A group is charged for a test process before its request is read: copied pages, page tables, the
# filter. Measured on a run that does nothing.
_SET_UP_KB = 2048
# Above the program's own limit, which should fail first: an allocation that fails can be reported.
_ROOM_KB = 16 * 1024
_STEP_KB = 4 * 1024
_PAGE_KB = os.sysconf("SC_PAGESIZE") // 1024


class MemoryAccount:
    """The memory of one run."""

    def __init__(
        self, limits: RunLimits, group: Group | None, *, source: str, starts_afresh: bool
    ) -> None:
        """Set the group's limit; its peak counts from here.

        ``source`` names the group's kind. A program that ``starts_afresh`` shares no memory with
        the zygote.

        Raises:
            SandboxError: the control group broke.
        """
        self._limits = limits
        self._group = group
        self._source = source
        self._is_own = starts_afresh
        self._measures = group is not None
        self._baseline_kb = self._peak_at_ready_kb = self._kills = 0
        self._most_kb = limits.memory_kb + _ROOM_KB
        if group is not None:
            self._baseline_kb = group.begin()
            self._kills = group.oom_kills()
            self._limit_group(self._baseline_kb + limits.memory_kb + _ROOM_KB)

    def _limit_group(self, memory_kb: int) -> None:
        """In coarse steps: setting a limit anew takes longer than looking at it."""
        if self._group is not None:
            steps = (memory_kb + _SET_UP_KB) // _STEP_KB + 1
            processes = self._limits.processes_at_start or self._limits.processes
            # A group is one box's: box init and the threads of the run.
            most = min(processes, self._limits.threads + 1)
            self._group.limit(steps * _STEP_KB, most)

    @property
    def is_watched(self) -> bool:
        """Whether somebody has to look at it while the run goes on."""
        return self._group is None

    def started(self, pid: int) -> None:
        """The process was forked: when its group is full it is to be killed, and not box init."""
        if self._group is not None:
            with suppress(OSError):  # it has ended
                Path(f"/proc/{pid}/oom_score_adj").write_text("1000")

    def ready(self, peak_kb: int) -> None:
        """The process is isolated; all that it got until now was the zygote's."""
        self._peak_at_ready_kb = 0 if self._is_own else peak_kb

    def begin(self, pid: int) -> None:
        """A program that was started ahead gets its request: what it has until now is not counted.

        Raises:
            OSError: it is gone.
        """
        self._peak_at_ready_kb = _resident_kb(pid)
        if self._limits.growth_kb:
            self._most_kb = _written_kb(pid) + self._limits.growth_kb
        if self._group is None:
            return
        if self._group.resets:
            self._baseline_kb = self._group.begin() - _SET_UP_KB
            if self._limits.growth_kb:
                self._limit_group(self._baseline_kb + self._limits.growth_kb)
        else:
            # What it took to start cannot be told from what comes now: the group only limits.
            self._measures = False

    def is_over(self, pid: int) -> bool:
        """Whether the process holds more than it may, as far as that can be seen from outside."""
        with suppress(OSError, ValueError):  # it has ended
            if self._limits.memory_as_data:
                return _written_kb(pid) > self._most_kb
            return _resident_kb(pid) - self._peak_at_ready_kb > self._most_kb
        return False

    def was_killed(self) -> bool:
        """Whether the kernel killed for memory in this run."""
        return self._group is not None and self._group.oom_kills() > self._kills

    def was_passed(self, peak_kb: int) -> bool:
        """Whether a run that came to its own end held more than it may all the same.

        What a group counts beside the address space (temporary files, shared memory) may lie
        between the program's limit and the group's. Data alone is no figure of what is resident.
        """
        return not self._limits.memory_as_data and peak_kb > self._limits.memory_kb

    def peak(self, resident_peak_kb: int) -> tuple[int, str]:
        """The figure in KiB and where it comes from, by the peak of the resident set at the end."""
        own_kb = max(0, resident_peak_kb - self._peak_at_ready_kb)
        if self._group is None or not self._measures:
            return own_kb, SOURCE_RESIDENT
        charged_kb = max(0, self._group.peak_kb() - self._baseline_kb)
        if self._is_own:
            # It gave up what it had been set up with; its resident set is at least its starter's.
            return charged_kb, self._source
        return max(own_kb, charged_kb - _SET_UP_KB), self._source


def _resident_kb(pid: int) -> int:
    with open(f"/proc/{pid}/statm", "rb") as sizes:  # noqa: PTH123 - in a loop
        return int(sizes.read().split()[1]) * _PAGE_KB


def _written_kb(pid: int) -> int:
    """Memory that is no copy of a file: private pages, and shared ones without one."""
    text = Path(f"/proc/{pid}/status").read_text()
    return sum(
        int(line.split()[1])
        for line in text.splitlines()
        if line.startswith(("RssAnon:", "RssShmem:"))
    )
