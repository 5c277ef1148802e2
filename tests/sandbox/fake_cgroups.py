"""Trees of control groups in ordinary folders, with as much of a kernel as finding them takes."""

import errno
import os
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from submissions_sandbox import cgroup_place

V1_MEMORY = {
    "memory.usage_in_bytes": "8192\n",
    "memory.max_usage_in_bytes": "8192\n",
    "memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n",
    "memory.limit_in_bytes": "",
    "memory.memsw.limit_in_bytes": "",
    "memory.force_empty": "",
}
V1_PIDS = {"pids.max": ""}
V2 = {
    "cgroup.type": "domain\n",
    "cgroup.controllers": "",
    "cgroup.subtree_control": "",
    "memory.current": "8192\n",
    "memory.peak": "8192\n",
    "memory.events": "low 0\nhigh 0\nmax 5\noom 1\noom_kill 3\noom_group_kill 0\n",
    "memory.max": "",
    "memory.swap.max": "",
    "pids.max": "",
}
Write = Callable[[Path, str], None]


def refusal(number: int, path: Path) -> OSError:
    return OSError(number, os.strerror(number), str(path))


class FakeMachine:
    """Mounted hierarchies below ``root``, and what ``proc`` says of them."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root, self.proc = folder / "cgroup", folder / "proc"
        (self.proc / "self").mkdir(parents=True)
        self.root.mkdir()
        self._say("mountinfo", "21 1 8:1 / / rw shared:1 - ext4 /dev/root rw")
        self._say("cgroup", "1:name=systemd:/")
        self._files: dict[Path, dict[str, str]] = {}
        self._real_mkdir, self._real_rmdir = os.mkdir, os.rmdir
        self._real_write = cgroup_place.write_once
        self.before_write: Write = lambda path, text: None
        self.before_mkdir: Callable[[Path], None] = lambda path: None
        self.before_rmdir: Callable[[Path], None] = lambda path: None
        monkeypatch.setattr(os, "mkdir", self._mkdir)
        monkeypatch.setattr(os, "rmdir", self._rmdir)
        monkeypatch.setattr(cgroup_place, "write_once", self._write)

    def mount_v1(
        self, controllers: str, own: str = "/", shown: str = "/", name: str | None = None
    ) -> Path:
        """Mount one hierarchy of version 1; the group in which we are."""
        files = (V1_MEMORY if "memory" in controllers.split(",") else {}) | (
            V1_PIDS if "pids" in controllers.split(",") else {}
        )
        self._say("cgroup", f"4:{controllers}:{own}")
        return self._mount(name or controllers, "cgroup", f"rw,{controllers}", own, shown, files)

    def mount_v2(
        self,
        own: str = "/service",
        shown: str = "/",
        controllers: str = "cpu memory pids",
        processes: Iterable[int] = (),
        name: str = "unified",
    ) -> Path:
        """Mount version 2; the group in which we are, and it gives these controllers."""
        self._say("cgroup", f"0::{own}")
        folder = self._mount(name, "cgroup2", "rw,nsdelegate", own, shown, V2)
        (folder / "cgroup.controllers").write_text(f"{controllers}\n")
        self.put(folder, processes)
        return folder

    @staticmethod
    def put(folder: Path, processes: Iterable[int]) -> None:
        with (folder / "cgroup.procs").open("a") as listing:
            listing.writelines(f"{pid}\n" for pid in processes)

    @staticmethod
    def processes(folder: Path) -> list[int]:
        return sorted(int(word) for word in (folder / "cgroup.procs").read_text().split())

    def snapshot(self) -> dict[str, str]:
        """Every folder and the content of every file."""
        return {
            str(path): "".join(sorted(path.read_text().splitlines(keepends=True)))
            if path.is_file()
            else "folder"
            for path in self.root.rglob("*")
        }

    def ours(self) -> list[str]:
        """Names of the groups that were made and still exist."""
        return sorted({path.name for path in self.root.rglob("judge-*")})

    def _mount(
        self, name: str, kind: str, options: str, own: str, shown: str, files: dict[str, str]
    ) -> Path:
        point = self.root / name
        escaped = str(point).replace(" ", r"\040")
        line = f"35 31 0:32 {shown} {escaped} rw,relatime shared:9 - {kind} none {options}"
        self._say("mountinfo", line)
        self._files[point] = files
        self._make_group(point)
        group = point
        for part in Path(own.removeprefix(shown.rstrip("/"))).parts:
            if part != "/":
                group = group / part
                self._make_group(group)
        return group

    def _make_group(self, folder: Path) -> None:
        self._real_mkdir(folder)
        top = next(top for top in self._files if folder.is_relative_to(top))
        for name, content in ({"cgroup.procs": ""} | self._files[top]).items():
            (folder / name).write_text(content)

    def _say(self, name: str, line: str) -> None:
        with (self.proc / "self" / name).open("a") as file:
            file.write(line + "\n")

    def _is_group(self, path: Path) -> bool:
        return any(path.is_relative_to(top) for top in self._files)

    def _mkdir(self, path: str | Path, mode: int = 0o777) -> None:
        folder = Path(path)
        if not self._is_group(folder):
            self._real_mkdir(path, mode)
            return
        self.before_mkdir(folder)
        self._make_group(folder)

    def _rmdir(self, path: str | Path) -> None:
        folder = Path(path)
        if not self._is_group(folder):
            self._real_rmdir(path)
            return
        self.before_rmdir(folder)
        if self.processes(folder) or any(child.is_dir() for child in folder.iterdir()):
            raise refusal(errno.EBUSY, folder)
        for file in folder.iterdir():
            file.unlink()
        self._real_rmdir(folder)

    def _write(self, path: Path, text: str) -> None:
        self.before_write(path, text)
        if path.name == "cgroup.procs":
            self._move(int(text), path)
        elif path.name == "cgroup.subtree_control":
            self._hand_on(path, text)
        else:
            self._real_write(path, text)

    def _move(self, pid: int, target: Path) -> None:
        for listing in self.root.rglob("cgroup.procs"):
            left = [other for other in self.processes(listing.parent) if other != pid]
            listing.write_text("".join(f"{other}\n" for other in left))
        self.put(target.parent, [pid])

    def _hand_on(self, path: Path, text: str) -> None:
        """No group but the root holds processes and hands controllers on."""
        names = set(path.read_text().split())
        for word in text.split():
            if word[0] == "-":
                names.discard(word[1:])
                continue
            if (path.parent / "cgroup.type").exists() and self.processes(path.parent):
                raise refusal(errno.EBUSY, path)
            names.add(word[1:])
        path.write_text("".join(f"{name} " for name in sorted(names)))
