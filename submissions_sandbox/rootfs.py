"""The read-only root file system of a zygote.

Runs inside fresh user and mount namespaces. A tmpfs is mounted over an existing folder, filled
with bind mounts, made the root by pivot_root, and the host's tree is detached. Sources are opened
before anything is mounted and then reached through /proc/self/fd, so it does not matter whether
one of them lies below the folder that is covered. There is no /proc, no /sys and no /etc.
"""

import os
import shutil
import stat
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
from submissions_sandbox.profile import Bind

_STAGE = Path("/tmp")  # noqa: S108 - only a mount point that exists everywhere
_OLD_ROOT = "old"
_ROOT_OPTIONS = "size=64m,nr_inodes=512,mode=755"
_DEVICES = ("null", "zero", "full", "random", "urandom")
_LINKS = (("bin", "usr/bin"), ("lib", "usr/lib"), ("lib64", "usr/lib64"))
# The kernel refuses to clear these on a mount that came from another user namespace.
_STICKY_FLAGS = (
    (os.ST_NOSUID, MS_NOSUID),
    (os.ST_NODEV, MS_NODEV),
    (os.ST_NOEXEC, MS_NOEXEC),
)


def enter_root(binds: list[Bind], machine_type: str) -> None:
    """Build the root, make it the caller's root, and lose the host's tree.

    Raises:
        OSError: the kernel refused a step; its message names it.
    """
    sources = [os.open(bind.source, os.O_PATH | os.O_CLOEXEC) for bind in binds]
    devices = [os.open(f"/dev/{name}", os.O_PATH | os.O_CLOEXEC) for name in _DEVICES]
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
    for name, descriptor in zip(_DEVICES, devices, strict=True):
        _bind_device(descriptor, _STAGE / "dev" / name)
    for descriptor in (*sources, *devices):
        os.close(descriptor)
    (_STAGE / "tmp").mkdir()
    (_STAGE / _OLD_ROOT).mkdir()
    for name, target in _LINKS:
        (_STAGE / name).symlink_to(target)
    pivot_root(str(_STAGE), str(_STAGE / _OLD_ROOT), machine_type)
    os.chdir("/")
    umount_detached(f"/{_OLD_ROOT}")
    Path(f"/{_OLD_ROOT}").rmdir()
    mount(None, "/", None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)


def mount_private_tmp(size_bytes: int, files: int) -> None:
    """Mount the caller's own /tmp and go there; nothing in it can be executed."""
    options = f"size={size_bytes},nr_inodes={files},mode=1777"
    mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, options)  # noqa: S108
    os.chdir("/tmp")  # noqa: S108


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
    shutil.copyfile(f"/proc/self/fd/{descriptor}", target)
    target.chmod(0o755)


def _bind_device(descriptor: int, target: Path) -> None:
    """Show one device; its node is the host's, so not even its times may be changed."""
    target.touch()
    mount(f"/proc/self/fd/{descriptor}", str(target), None, MS_BIND)
    flags = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NOEXEC
    mount(None, str(target), None, flags)


def _cover(target: Path) -> None:
    mount("tmpfs", str(target), "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV, "size=4k,nr_inodes=1")
