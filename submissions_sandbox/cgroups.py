"""The control groups of one process: whether they can be had, and a pool of them.

Used by the supervisor, never inside a box. ``Groups.find`` tries it once with a real group; then
each box takes a ``Group``, moves its box init in, and gives it back at its end.

What an earlier run left charged (cached files) is in the figure that ``Group.begin`` returns: the
caller subtracts it from the peak, and adds it to a limit that is to hold for the run alone.
"""

import errno
import logging
import os
import threading
import time
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from submissions_sandbox.cgroup import Group
from submissions_sandbox.cgroup_place import (
    DELEGATE,
    MEMORY,
    PREFIX,
    Place,
    Unusable,
    find_place,
    remove_stale,
)
from submissions_sandbox.closing import ClosedAtEnd
from submissions_sandbox.outcome import SandboxError

__all__ = ["Group", "Groups", "Lacking"]

_LOG = logging.getLogger(__name__)
_REMOVE_WALL_S = 2.0
_REMOVE_AGAIN_S = 0.01


@dataclass(frozen=True)
class Lacking:
    """Why there are no groups, and one line that would fix it."""

    detail: str
    fix: str


class Groups(ClosedAtEnd):
    """Makes groups and lends them; thread-safe. Use as a context manager.

    Attributes:
        source: of the figures, to be shown to people.
        controllers: which can be used; memory always is, pids may be missing.
        resets: whether a group serves any number of runs. Where not, each run needs a group of its
            own, and ``open`` makes a new one every time.
    """

    @staticmethod
    def find(root: Path = Path("/sys/fs/cgroup"), proc: Path = Path("/proc")) -> "Groups | Lacking":
        """Find out by trying; whatever was made for that is gone afterwards.

        Args:
            root: only control groups that are mounted here or below are used.
            proc: where the proc file system is.
        """
        try:
            place = find_place(root, proc)
            place.prepare()
        except Unusable as lacking:
            return Lacking(lacking.detail, lacking.fix)
        remove_stale(place.folders.values(), proc)
        memory_alone = {MEMORY: place.folders[MEMORY]}
        refusal = OSError()
        for folders in (place.folders, memory_alone):
            try:
                return Groups(replace(place, folders=folders))
            except OSError as error:
                refusal = error
        place.undo()
        return Lacking(f"{refusal.filename}: {refusal.strerror}", _fix(place, refusal))

    def __init__(self, place: Place) -> None:
        """Make one group and remove it; ``find`` knows the place.

        Raises:
            OSError: as the kernel refuses it.
        """
        self.source = f"cgroup v{place.version}"
        self.controllers = tuple(place.folders)
        self._place = place
        self._lock = threading.Lock()
        self._numbers = count()
        self._is_closed = False
        self._made: list[Group] = []
        self._free: list[Group] = []
        # Given back, but of no use any more, and not to be removed yet.
        self._spent: list[Group] = []
        group = self._make()
        self.resets = group.resets
        self._discard([group])

    def open(self) -> Group:
        """Take a free group without processes, or make one.

        Raises:
            SandboxError: the kernel refuses, or these groups are closed.
        """
        with self._lock:
            if self._is_closed:
                raise SandboxError("the control groups of this process are closed")
            self._spent = self._discard(self._spent)
            for group in self._free:
                if group.is_empty():
                    self._free.remove(group)
                    return group
            try:
                return self._make()
            except OSError as error:
                raise SandboxError(f"no control group can be made: {error}") from error

    def close(self) -> None:
        """Remove every group; one whose processes have not ended in two seconds is left behind."""
        deadline_s = time.monotonic() + _REMOVE_WALL_S
        with self._lock:
            self._is_closed = True
            left = self._discard(self._made)
            while left and time.monotonic() < deadline_s:
                time.sleep(_REMOVE_AGAIN_S)
                left = self._discard(left)
        for group in left:
            _LOG.warning("a control group with processes is left behind: %s", group)

    def _make(self) -> Group:
        while True:
            name = f"{PREFIX}{os.getpid()}-{next(self._numbers)}"
            try:
                group = Group(self._place, name, self._take_back)
            except FileExistsError:
                # Of an earlier process with this pid, and not empty.
                continue
            self._made.append(group)
            return group

    def _take_back(self, group: Group) -> None:
        with self._lock:
            if self._is_closed or group in self._free:
                return
            if self.resets:
                self._free.append(group)
            else:
                self._spent = self._discard([*self._spent, group])

    def _discard(self, groups: list[Group]) -> list[Group]:
        """Remove groups; those that have to be tried again."""
        left = [group for group in groups if not group.remove()]
        self._made = [group for group in self._made if group in left or group not in groups]
        return left


def _fix(place: Place, refusal: OSError) -> str:
    if place.version == 1:
        folders = " and ".join(str(folder) for folder in place.folders.values())
        return f"as root: let the user of the judge write to {folders}; better, boot with version 2"
    if refusal.errno == errno.ENOENT:
        return "Linux 5.19 or later, which has memory.peak"
    return DELEGATE
