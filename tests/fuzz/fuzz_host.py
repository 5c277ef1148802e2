"""The host around a sandbox: what must be the same after any program as before.

Processes and descriptors of the zygote's tree, its mounts and namespaces, System V objects, files
that a box is shown and files that it is not, names that no program may make outside.
"""

import hashlib
import os
import shutil
import stat
import struct
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from attack_box import outer_pid, zygote_pid
from fuzz_source import claim
from processes import descendants, open_descriptors, settle

from submissions_sandbox import Sandbox
from submissions_sandbox.kernel import CLONE_NEWIPC, CLONE_NEWUSER, setns

SHOWN_IN_BOX = "/shown"
_TEMPORARY = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 - looked into, not used
_OUTSIDE = (*_TEMPORARY, "/", "/usr", "/dev", "/run")
_FORBIDDEN = (*_TEMPORARY, "/", "/etc", "/etc/passwd", "/root", "/home", "/proc", "/sys")
_NAMESPACES = ("net", "ipc", "mnt", "pid", "user", "uts", "cgroup")
_SYSTEM_V = ("msg", "sem", "shm")
_MOST_TABLE_BYTES = 1 << 16


class Bait:
    """A folder that every box is shown and one that none is, both with every right.

    A program that gets past a wall meets these: no other name of the host is put into its mouth.
    """

    def __init__(self, home: Path) -> None:
        home.chmod(0o755)
        self.shown, self.hidden = home / "shown", home / "hidden"
        # A name that only a program of this fuzzer gives to anything.
        self.mark = f"fuzzed-{home.name}"
        for folder in (self.shown, self.hidden):
            (folder / "folder").mkdir(parents=True)
            (folder / "file").write_bytes(os.urandom(64))
            (folder / "folder" / "file").write_bytes(b"inner")
            shutil.copy(shutil.which("true") or sys.executable, folder / "program")
            for path in (folder, folder / "folder"):
                path.chmod(0o777)
            (folder / "file").chmod(0o666)
        self._before = self._look()

    def paths(self, shown_at: str) -> tuple[bytes, ...]:
        """Names that a program may try, with the place at which it is shown the first folder."""
        inner = ("", "/file", "/folder", "/folder/file", "/new", "/folder/../file", "/program")
        places = (shown_at, str(self.shown), str(self.hidden), f"{shown_at}/../hidden")
        outside = (f"{place}/{self.mark}" for place in (*places, *_OUTSIDE, "", "."))
        return tuple(map(os.fsencode, (*(p + name for p in places for name in inner), *outside)))

    def check(self) -> None:
        """Every file is as it was made, its times included."""
        now = self._look()
        changed = {p: now.get(p) for p in self._before | now if now.get(p) != self._before.get(p)}
        claim(not changed, "files of the host have changed", changed)
        for place in _OUTSIDE:
            made = Path(place) / self.mark
            claim(not os.path.lexists(made), "a program made a file on the host", str(made))

    def forbidden(self) -> dict[tuple[int, int], str]:
        """Device and inode of what no program may have open."""
        paths = [*_FORBIDDEN, *map(str, [self.hidden, *self.hidden.rglob("*")])]
        found = {}
        for path in paths:
            with suppress(OSError):
                facts = Path(path).stat()
                found[facts.st_dev, facts.st_ino] = path
        return found

    def _look(self) -> dict[str, tuple[Any, ...]]:
        return {
            str(path): _facts(path)
            for folder in (self.shown, self.hidden)
            for path in [folder, *folder.rglob("*")]
        }


@contextmanager
def bait() -> Iterator[Bait]:
    """Bait in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="sandbox-fuzz-") as home:
        yield Bait(Path(home))


def library_digest() -> str:
    """What the standard library that boxes share is, names, sizes and times."""
    lines = []
    home = Path(os.__file__).parent
    for folder, folders, files in os.walk(home):
        folders[:] = [name for name in folders if name not in ("__pycache__", "site-packages")]
        for name in sorted(files):
            facts = os.lstat(Path(folder) / name)
            lines.append(f"{folder}/{name} {facts.st_size} {facts.st_mtime_ns} {facts.st_mode}")
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()


class Surroundings:
    """A sandbox' processes and what they hold, as they were while no box was open."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._zygote = zygote_pid(sandbox)
        self._before = self._look(descendants(outer_pid(sandbox)))

    def check(self) -> None:
        """All as it was; processes get a moment to be gone."""
        below: list[int] = self._before["processes"]
        now = self._look(settle(outer_pid(self._sandbox), below))
        for what, before in self._before.items():
            claim(now[what] == before, f"other {what} than before", before, now[what])

    def _look(self, below: list[int]) -> dict[str, Any]:
        return {
            "zygote": zygote_pid(self._sandbox),
            "processes": below,
            "descriptors of the zygote": open_descriptors(self._zygote),
            "descriptors of the supervisor": open_descriptors(),
            "mounts": Path(f"/proc/{self._zygote}/mountinfo").read_text(),
            "namespaces": _namespaces(self._zygote),
            "System V objects": _system_v(self._zygote),
            "files in the scratch folder": _scratch(self._sandbox),
        }


def _facts(path: Path) -> tuple[Any, ...]:
    facts = path.lstat()
    content = path.read_bytes() if stat.S_ISREG(facts.st_mode) else b""
    owner = (facts.st_mode, facts.st_uid, facts.st_gid, facts.st_nlink)
    return (*owner, facts.st_mtime_ns, facts.st_ctime_ns, content)


def _namespaces(pid: int) -> dict[str, str]:
    return {name: _link(f"/proc/{pid}/ns/{name}") for name in _NAMESPACES}


def _link(path: str) -> str:
    return str(Path(path).readlink())


def _scratch(sandbox: Sandbox) -> list[str]:
    scratch = sandbox._zygote._scratch
    return sorted(path.name for path in Path(scratch).iterdir()) if scratch else []


def _system_v(pid: int) -> list[str]:
    """Objects in a process' ipc namespace, in the host's only those of users of boxes."""
    is_host = _link(f"/proc/{pid}/ns/ipc") == _link("/proc/self/ns/ipc")
    lines = _tables_of(os.getpid() if is_host else pid)
    return sorted(line for line in lines if not is_host or _is_of_box(line))


def _is_of_box(line: str) -> bool:
    """By the owner of a row of /proc/sysvipc: the columns before differ, the ids do not."""
    return any(int(field) >= 1_900_000_000 for field in line.split() if field.isdigit())


def _tables_of(pid: int) -> list[str]:
    """The rows of /proc/sysvipc in another process' namespace, read by a child that goes in."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        with suppress(OSError):
            _enter(pid)
            rows = [r for name in _SYSTEM_V for r in _rows(Path(f"/proc/sysvipc/{name}"))]
            os.write(write_end, struct.pack("<I", len(rows)) + "\n".join(rows).encode())
        os._exit(0)
    os.close(write_end)
    said = os.read(read_end, _MOST_TABLE_BYTES)
    os.close(read_end)
    os.waitpid(child, 0)
    claim(len(said) >= 4, "the zygote's ipc namespace cannot be looked at")
    return said[4:].decode().splitlines()


def _rows(table: Path) -> list[str]:
    return table.read_text().splitlines()[1:]


def _enter(pid: int) -> None:
    for name, kind in (("user", CLONE_NEWUSER), ("ipc", CLONE_NEWIPC)):
        place = f"/proc/{pid}/ns/{name}"
        if _link(place) != _link(f"/proc/self/ns/{name}"):
            descriptor = os.open(place, os.O_RDONLY)
            setns(descriptor, kind)
            os.close(descriptor)
