"""Where this process may make control groups, and the preparation that version 2 asks for.

Mounts and the own group are read from /proc, never guessed; groups are only ever made below the
group in which this process is. It makes none for a box, and never limits anything.

Version 2 lets no group hold processes and give controllers to groups below it at once. So the
processes of a group that was delegated to us are moved into a leaf below it, ``judge-self``, before
the controllers are handed on. The leaf stays: whoever is in it cannot remove it, and a second
worker that starts in it takes the group above it. Whatever is refused is undone.
"""

import errno
import fcntl
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

MEMORY, PIDS = "memory", "pids"
PREFIX = "judge-"
_LEAF = "judge-self"
_UNIFIED = ""
_NAME = re.compile(rf"{PREFIX}(\d+)-\d+")
_ESCAPED = re.compile(r"\\([0-7]{3})")
# A process may fork while its siblings are moved: what came meanwhile is moved in another round.
_ROUNDS = 10
_MOUNT_GROUPS = "make control groups visible: mount -t cgroup2 none /sys/fs/cgroup"
DELEGATE = (
    "a group of its own that it may write to: in the service's unit Delegate=memory pids; in a "
    "container as root --security-opt writable-cgroups=true (Docker), "
    "--security-opt unmask=/sys/fs/cgroup (Podman)"
)


class Unusable(Exception):
    """Groups cannot be had here: why, and one line that would fix it."""

    def __init__(self, detail: str, fix: str = DELEGATE) -> None:
        super().__init__(detail)
        self.detail, self.fix = detail, fix


@dataclass
class Place:
    """Where groups go.

    Attributes:
        version: of control groups, 1 or 2.
        folders: by controller, the group below which ours are made.
        moved: processes that were put into the leaf, by ``prepare``.
        handed_on: controllers that groups below got, by ``prepare``.
    """

    version: int
    folders: Mapping[str, Path]
    moved: list[int] = field(default_factory=list)
    handed_on: list[str] = field(default_factory=list)

    def prepare(self) -> None:
        """Hand the controllers on to the groups below; version 1 needs none of this.

        Raises:
            Unusable: the group is not ours to divide; everything is as it was.
        """
        if self.version == 1:
            return
        base = self.folders[MEMORY]
        try:
            if not os.access(base / "cgroup.procs", os.W_OK, effective_ids=True):
                raise Unusable(f"{base / 'cgroup.procs'} is not writable")
            there = _words(base / "cgroup.subtree_control")
            missing = [name for name in self.folders if name not in there]
            if missing:
                self._hand_on(base, missing)
                self.handed_on = missing
        except OSError as error:
            self.undo()
            raise Unusable(f"{base} is not delegated: {error.strerror}") from error

    def undo(self) -> None:
        """Take back what ``prepare`` did."""
        base = self.folders[MEMORY]
        for name in self.handed_on:
            with suppress(OSError):
                write_once(base / "cgroup.subtree_control", f"-{name}")
        self.handed_on = []
        for pid in self.moved:
            with suppress(OSError):
                write_once(base / "cgroup.procs", str(pid))
        self.moved = []
        # Another worker that is in it keeps it.
        with suppress(OSError):
            (base / _LEAF).rmdir()

    def _hand_on(self, base: Path, controllers: list[str]) -> None:
        wanted = " ".join(f"+{name}" for name in controllers)
        for last in (*[False] * _ROUNDS, True):
            # The root group alone may hold processes all the same. It has no type.
            if (base / "cgroup.type").exists():
                self._move_processes(base)
            try:
                write_once(base / "cgroup.subtree_control", wanted)
            except OSError as error:
                if error.errno != errno.EBUSY or last:
                    raise
            else:
                return

    def _move_processes(self, base: Path) -> None:
        leaf = base / _LEAF
        for pid in _pids(base):
            leaf.mkdir(exist_ok=True)
            # It may have ended, and a 0 stands for one that we cannot see.
            with suppress(ProcessLookupError):
                if pid:
                    write_once(leaf / "cgroup.procs", str(pid))
                    self.moved.append(pid)


def find_place(root: Path, proc: Path) -> Place:
    """Find where groups may go; nothing is written.

    Args:
        root: only what is mounted here or below is looked at.
        proc: where the proc file system is.

    Raises:
        Unusable: this process is in no group of a mounted memory controller.
    """
    try:
        folders = _own_folders(root, proc)
    except OSError as error:
        raise Unusable(f"{proc} cannot be read: {error.strerror}", _MOUNT_GROUPS) from error
    unified = folders.pop(_UNIFIED, None)
    if unified is not None:
        base = unified.parent if unified.name == _LEAF else unified
        offered = _words(base / "cgroup.controllers")
        if MEMORY in offered:
            return Place(2, {name: base for name in (MEMORY, PIDS) if name in offered})
    if MEMORY in folders:
        return Place(1, {name: folders[name] for name in (MEMORY, PIDS) if name in folders})
    if unified is not None:
        raise Unusable(f"the memory controller is not given to {unified}")
    raise Unusable("no memory controller is mounted", _MOUNT_GROUPS)


def remove_stale(folders: Iterable[Path], proc: Path) -> None:
    """Remove empty groups whose maker is gone.

    A maker holds a lock on each of its groups: a pid may have been given to another process, and a
    maker in another pid namespace looks as if it were gone.
    """
    for folder in set(folders):
        with suppress(OSError):
            for child in list(folder.iterdir()):
                match = _NAME.fullmatch(child.name)
                if match is None:
                    continue
                if int(match[1]) == os.getpid() or not (proc / match[1]).exists():
                    _remove_unlocked(child)


def lock(folder: Path) -> int:
    """Mark a group as in use for as long as the returned descriptor is open.

    Raises:
        OSError: it is gone, or another process holds it.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _remove_unlocked(folder: Path) -> None:
    with suppress(OSError):
        descriptor = lock(folder)
        try:
            folder.rmdir()
        finally:
            os.close(descriptor)


def _own_folders(root: Path, proc: Path) -> dict[str, Path]:
    """By controller the folder of the group in which we are; version 2 has an empty name."""
    paths = dict(_own_paths(_text(proc / "self/cgroup")))
    folders = {}
    for controllers, mount_root, point in _mounts(_text(proc / "self/mountinfo")):
        for name in controllers:
            if name in paths and point.is_relative_to(root):
                below = _below(paths[name], mount_root)
                if below is not None:
                    folders[name] = point / below
    return folders


def _own_paths(text: str) -> Iterator[tuple[str, str]]:
    """Controller and path, from lines like ``4:cpu,cpuacct:/some path``."""
    for line in text.splitlines():
        _, names, path = line.split(":", 2)
        for name in names.split(","):
            yield name, path


def _mounts(text: str) -> Iterator[tuple[set[str], str, Path]]:
    """Controllers, root within the hierarchy and mount point of every mount of control groups.

    A line is ``id parent device root point options [tag...] - type source super_options``.
    """
    for line in text.splitlines():
        mount, _, kind = line.partition(" - ")
        root, point = (_unescaped(word) for word in mount.split(" ")[3:5])
        words = kind.split(" ")
        if words[0] == "cgroup2":
            yield {_UNIFIED}, root, Path(point)
        elif words[0] == "cgroup":
            yield set(words[2].split(",")), root, Path(point)


def _below(path: str, mount_root: str) -> str | None:
    """The path of a group below a mount; None where the mount does not show it."""
    prefix = mount_root.rstrip("/")
    if not f"{path}/".startswith(f"{prefix}/") or ".." in path.split("/"):
        return None
    return path[len(prefix) :].lstrip("/")


def _unescaped(word: str) -> str:
    return _ESCAPED.sub(lambda match: chr(int(match[1], 8)), word)


def _text(path: Path) -> str:
    """The names of others' mounts need not be UTF-8."""
    return path.read_text(errors="surrogateescape")


def _words(path: Path) -> list[str]:
    try:
        return path.read_text().split()
    except OSError:
        return []


def _pids(folder: Path) -> list[int]:
    return [int(word) for word in (folder / "cgroup.procs").read_text().split()]


def write_once(path: Path, text: str) -> None:
    """One write call, as the kernel's files want it; a file that is not there is not made."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
