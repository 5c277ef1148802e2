"""One control group: what its processes take together, limited and measured by the kernel.

It knows the files of both versions. It never decides where a group goes or who gets it next.
``begin`` and ``peak_kb`` enclose each run: they read through descriptors that stay open.
"""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from submissions_sandbox.cgroup_place import MEMORY, PIDS, Place, lock, write_once
from submissions_sandbox.closing import ClosedAtEnd
from submissions_sandbox.outcome import SandboxError

_NUMBER_BYTES = 32
_TABLE_BYTES = 4096
_FILES: Final = {
    1: ("memory.usage_in_bytes", "memory.max_usage_in_bytes", "memory.oom_control"),
    2: ("memory.current", "memory.peak", "memory.events"),
}


class Group(ClosedAtEnd):
    """One group of processes; closing it gives it back. Use as a context manager.

    Every method raises SandboxError where the kernel refuses.

    Attributes:
        resets: whether its peak can be forgotten, so that it serves any number of runs.
    """

    def __init__(self, place: Place, name: str, give_back: Callable[["Group"], None]) -> None:
        """Make it.

        Raises:
            FileExistsError: the name is taken.
            OSError: the kernel refuses. Nothing is left behind either way.
        """
        self._version = place.version
        # By controller; version 2 has one folder for both.
        self._folders = {key: folder / name for key, folder in place.folders.items()}
        self._give_back = give_back
        self._limits: tuple[int, int] | None = None
        self._has_begun = False
        self._usage = self._peak = self._events = -1
        self._locks: list[int] = []
        self.resets = False
        made: list[Path] = []
        try:
            for folder in self._distinct_folders():
                folder.mkdir()
                made.append(folder)
                self._locks.append(lock(folder))
            self._open_files()
        except OSError:
            self._close_files()
            for folder in made:
                folder.rmdir()
            raise

    def close(self) -> None:
        """Give it back; it serves again as soon as all its processes have ended."""
        self._give_back(self)

    def add(self, pid: int) -> None:
        """Move a process in, by its pid as the caller sees it; what it forks from now on follows.

        Memory that it has already stays charged to where it came from.
        """
        with _refusals():
            for folder in self._distinct_folders():
                write_once(folder / "cgroup.procs", str(pid))

    def limit(self, memory_kb: int, processes: int) -> None:
        """Set hard limits on everything in the group, box init and former charges included.

        Past ``memory_kb`` the kernel kills; swap counts where the kernel counts it (version 1) and
        is not given otherwise. ``processes`` counts threads too; a fork past it fails.
        """
        if self._limits == (memory_kb, processes):
            return
        self._limits = None
        with _refusals():
            if self._version == 1:
                self._limit_memory_v1(memory_kb * 1024)
            else:
                self._limit_memory_v2(memory_kb * 1024)
            if PIDS in self._folders:
                write_once(self._folders[PIDS] / "pids.max", str(processes))
        self._limits = (memory_kb, processes)

    def begin(self) -> int:
        """Forget the peak; what is charged now, in KiB.

        Without ``resets`` a group has one beginning, and its peak counts from when it was made.
        """
        with _refusals():
            if self.resets:
                os.pwrite(self._peak, b"0", 0)
            elif self._has_begun:
                raise SandboxError("the peak of a control group cannot be forgotten here")
            self._has_begun = True
            return _number_kb(self._usage)

    def peak_kb(self) -> int:
        """The most that was charged since ``begin``, in KiB, with what was charged then."""
        with _refusals():
            return _number_kb(self._peak)

    def oom_kills(self) -> int:
        """How many processes were killed for memory since the group was made."""
        with _refusals():
            table = os.pread(self._events, _TABLE_BYTES, 0)
        for line in table.splitlines():
            name, _, number = line.partition(b" ")
            if name == b"oom_kill":
                return int(number)
        return 0

    def is_empty(self) -> bool:
        """Whether it is there and no process is in it."""
        # Opened anew: version 1 repeats to a reader what it was told a moment ago.
        try:
            return not any((f / "cgroup.procs").read_bytes() for f in self._distinct_folders())
        except OSError:
            return False

    def remove(self) -> bool:
        """Remove it for good; False where that has to be tried again."""
        self._close_files()
        gone = True
        for folder in self._distinct_folders():
            try:
                folder.rmdir()
            except FileNotFoundError:
                continue
            except OSError:
                gone = False
        return gone

    def __str__(self) -> str:
        return str(self._folders[MEMORY])

    def _distinct_folders(self) -> list[Path]:
        return list(dict.fromkeys(self._folders.values()))

    def _open_files(self) -> None:
        usage, peak, events = (self._folders[MEMORY] / name for name in _FILES[self._version])
        self._usage = os.open(usage, os.O_RDONLY | os.O_CLOEXEC)
        self._events = os.open(events, os.O_RDONLY | os.O_CLOEXEC)
        self._open_peak(peak)

    def _open_peak(self, path: Path) -> None:
        """Version 2 resets the peak since Linux 6.12, and only for the descriptor that asks."""
        try:
            self._peak = os.open(path, os.O_RDWR | os.O_CLOEXEC)
            os.pwrite(self._peak, b"0", 0)
            self.resets = True
        except OSError:
            # Readable all the same, unless it is not there at all.
            if self._peak < 0:
                self._peak = os.open(path, os.O_RDONLY | os.O_CLOEXEC)

    def _close_files(self) -> None:
        for descriptor in (self._usage, self._peak, self._events, *self._locks):
            if descriptor >= 0:
                os.close(descriptor)
        self._usage = self._peak = self._events = -1
        self._locks = []

    def _limit_memory_v1(self, size_bytes: int) -> None:
        folder = self._folders[MEMORY]
        with_swap = folder / "memory.memsw.limit_in_bytes"
        counts_swap = with_swap.exists()
        if counts_swap:
            # Memory alone is never allowed more than memory with swap.
            write_once(with_swap, "-1")
        _lower(folder / "memory.limit_in_bytes", size_bytes)
        if counts_swap:
            _lower(with_swap, size_bytes)

    def _limit_memory_v2(self, size_bytes: int) -> None:
        folder = self._folders[MEMORY]
        write_once(folder / "memory.max", str(size_bytes))
        if (folder / "memory.swap.max").exists():
            write_once(folder / "memory.swap.max", "0")


def _lower(limit: Path, size_bytes: int) -> None:
    """Set a limit that may be below what is charged: version 1 must then be told to drop caches."""
    try:
        write_once(limit, str(size_bytes))
    except OSError as error:
        if error.errno != errno.EBUSY:
            raise
        write_once(limit.parent / "memory.force_empty", "0")
        write_once(limit, str(size_bytes))


def _number_kb(descriptor: int) -> int:
    return int(os.pread(descriptor, _NUMBER_BYTES, 0)) // 1024


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise SandboxError(f"a control group fails: {error}") from error
