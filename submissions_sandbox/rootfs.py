"""The read-only root file system of a zygote.

Runs inside fresh user and mount namespaces. A tmpfs is mounted over an existing folder, filled
with bind mounts, made the root by pivot_root, and the host's tree is detached. Sources are opened
before anything is mounted and then reached through /proc/self/fd, so it does not matter whether
one of them lies below the folder that is covered. There is no /proc, no /sys and no /etc.
"""

import os
import stat
from collections.abc import Sequence
from pathlib import Path

from submissions_sandbox.kernel import (
    MS_BIND,
    MS_NODEV,
    MS_NOEXEC,
    MS_NOSUID,
    MS_PRIVATE,
    MS_RDONLY,
    MS_REC,
    MS_REMOUNT,
    mount,
    pivot_root,
    umount_detached,
)
from submissions_sandbox.limits import RunLimits
from submissions_sandbox.profile import Bind

# A run's own /tmp is mounted a level deeper: Landlock sees the folder above a mount, but not the
# folder that the mount hides.
WORK = "/box"
TMP = f"{WORK}/tmp"  # noqa: S108 - the box's own private folder
TMP_FLAGS = MS_NOSUID | MS_NODEV | MS_NOEXEC
_STAGE = Path("/tmp")  # noqa: S108 - only a mount point that exists everywhere
_OLD_ROOT = "old"
_ROOT_OPTIONS = "size=64m,nr_inodes=512,mode=755"
DEVICES = ("null", "zero", "full", "random", "urandom")
_LINKS = (("tmp", "box/tmp"), ("bin", "usr/bin"), ("lib", "usr/lib"), ("lib64", "usr/lib64"))
# The kernel refuses to clear these on a mount that came from another user namespace.
_STICKY_FLAGS = (
    (os.ST_NOSUID, MS_NOSUID),
    (os.ST_NODEV, MS_NODEV),
    (os.ST_NOEXEC, MS_NOEXEC),
)


def enter_root(binds: Sequence[Bind], machine_type: str) -> None:
    """Build the root, make it the caller's root, and lose the host's tree.

    Raises:
        OSError: the kernel refused a step; its message names it.
    """
    sources = [os.open(bind.source, os.O_PATH | os.O_CLOEXEC) for bind in binds]
    devices = [os.open(f"/dev/{name}", os.O_PATH | os.O_CLOEXEC) for name in DEVICES]
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    mount("tmpfs", str(_STAGE), "tmpfs", MS_NOSUID | MS_NODEV, _ROOT_OPTIONS)
    for bind, descriptor in zip(binds, sources, strict=True):
        if bind.copied:
            _copy(descriptor, _STAGE / bind.target.lstrip("/"))
            continue
        _bind_read_only(descriptor, _STAGE / bind.target.lstrip("/"))
        for relative in bind.covered:
            _cover(_STAGE / bind.target.lstrip("/") / relative)
    (_STAGE / "dev").mkdir()
    for name, descriptor in zip(DEVICES, devices, strict=True):
        _bind_device(descriptor, _STAGE / "dev" / name)
    for descriptor in (*sources, *devices):
        os.close(descriptor)
    (_STAGE / TMP.lstrip("/")).mkdir(parents=True)
    (_STAGE / _OLD_ROOT).mkdir()
    for name, target in _LINKS:
        (_STAGE / name).symlink_to(target)
    pivot_root(str(_STAGE), str(_STAGE / _OLD_ROOT), machine_type)
    os.chdir("/")
    umount_detached(f"/{_OLD_ROOT}")
    Path(f"/{_OLD_ROOT}").rmdir()
    mount(None, "/", None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)


def tmp_options(limits: RunLimits) -> str:
    """How a run's own /tmp is mounted; nothing in it can be executed (``TMP_FLAGS``)."""
    return f"size={limits.tmp_bytes},nr_inodes={limits.tmp_files},mode=1777"


def _bind_read_only(descriptor: int, target: Path) -> None:
    if stat.S_ISDIR(os.fstat(descriptor).st_mode):
        target.mkdir(parents=True, exist_ok=True)
    elif not target.exists():  # a folder bound before may hold it
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
    mount(f"/proc/self/fd/{descriptor}", str(target), None, MS_BIND | MS_REC)
    present = os.statvfs(target).f_flag
    flags = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV
    for shown, wanted in _STICKY_FLAGS:
        if present & shown:
            flags |= wanted
    mount(None, str(target), None, flags)


def _copy(descriptor: int, target: Path) -> None:
    """Put a copy of a file into the root itself, which becomes read-only like all of it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    # Not with shutil: it loads compression libraries, which every fork of a zygote would pay for.
    target.write_bytes(Path(f"/proc/self/fd/{descriptor}").read_bytes())
    target.chmod(0o755)


def _bind_device(descriptor: int, target: Path) -> None:
    """Show one device; its node is the host's, so not even its times may be changed."""
    target.touch()
    mount(f"/proc/self/fd/{descriptor}", str(target), None, MS_BIND)
    flags = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NOEXEC
    mount(None, str(target), None, flags)


def _cover(target: Path) -> None:
    mount("tmpfs", str(target), "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV, "size=4k,nr_inodes=1")
