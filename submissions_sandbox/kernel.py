"""The Linux interfaces that Python's standard library does not offer, through ctypes.

Each function is one system call that raises OSError with the call's name. No policy stands here.
"""

import ctypes
import os
from typing import Any

CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY = 1
MS_NOSUID = 2
MS_NODEV = 4
MS_NOEXEC = 8
MS_REMOUNT = 32
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18
MNT_DETACH = 2

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
M_ARENA_MAX = -8
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mount.argtypes = [ctypes.c_char_p] * 3 + [ctypes.c_ulong, ctypes.c_char_p]
_libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
_libc.syscall.restype = ctypes.c_long


def _check(result: int, name: str) -> None:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def system_call(number: int, *arguments: Any) -> int:
    """A system call that the C library has no function for; bytes are passed by address."""
    result: int = _libc.syscall(ctypes.c_long(number), *arguments)
    _check(result, f"system call {number}")
    return result


def unshare(flags: int) -> None:
    """Give the caller new namespaces."""
    _check(_libc.unshare(flags), f"unshare({flags:#x})")


def setns(descriptor: int, flags: int) -> None:
    """Join the namespace behind a descriptor."""
    _check(_libc.setns(descriptor, flags), "setns")


def mount(
    source: str | None, target: str, kind: str | None = None, flags: int = 0, data: str = ""
) -> None:
    """Mount, bind or remount."""
    result = _libc.mount(
        None if source is None else os.fsencode(source),
        os.fsencode(target),
        None if kind is None else kind.encode(),
        flags,
        data.encode() or None,
    )
    _check(result, f"mount({source} on {target})")


def umount_detached(target: str) -> None:
    """Detach a mount and everything below it."""
    _check(_libc.umount2(os.fsencode(target), MNT_DETACH), f"umount({target})")


def pivot_root(new_root: str, put_old: str, machine_type: str) -> None:
    """Make ``new_root`` the root mount and hang the old one at ``put_old``."""
    number = _PIVOT_ROOT[machine_type]
    _check(_libc.syscall(number, os.fsencode(new_root), os.fsencode(put_old)), "pivot_root")


def die_with_parent(signal_number: int) -> None:
    """Have the kernel send a signal to the caller when its parent thread ends."""
    _check(_libc.prctl(PR_SET_PDEATHSIG, signal_number, 0, 0, 0), "prctl(PDEATHSIG)")


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parent ends."""
    _check(_libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), "prctl(CHILD_SUBREAPER)")


def use_one_malloc_arena() -> None:
    """Let all threads allocate from one arena.

    glibc gives every thread an arena of its own that reserves 64 MiB of address space, so that a
    handful of threads would use up a limit on address space without using memory.
    """
    mallopt = getattr(_libc, "mallopt", None)  # other C libraries have no arenas
    if mallopt is not None:
        mallopt(M_ARENA_MAX, 1)
