"""Probes of what tier A stands on: each enters namespaces, so each is called in a child of its own.

They follow one another; every one does the steps of those before it anew.
"""

import os
from pathlib import Path

from submissions_sandbox.kernel import (
    CLONE_NEWUSER,
    MS_NODEV,
    MS_NOEXEC,
    MS_NOSUID,
    MS_PRIVATE,
    MS_REC,
    mount,
    unshare,
)
from submissions_sandbox.namespaces import enter_namespaces
from submissions_sandbox.probes.fixes import refusals, way_to_namespaces
from submissions_sandbox.probes.report import HOW_TO_REPORT, DidNotHold
from submissions_sandbox.probes.trial import fork, wait_within
from submissions_sandbox.rootfs import enter_root
from submissions_sandbox.syscall_numbers import machine

_STAGE = "/tmp"  # noqa: S108 - only a mount point that exists everywhere
_WALL_S = 5.0


def user_namespace() -> str:
    """Leave the user namespace."""
    with refusals(way_to_namespaces):
        unshare(CLONE_NEWUSER)
    return "can be made"


def namespaces() -> str:
    """Enter every namespace of a zygote and write the map of ids."""
    with refusals(way_to_namespaces):
        has_own_user = enter_namespaces()
    return "two ids, runs get their own" if has_own_user else "one id, the judge's own"


def mounts() -> str:
    """Mount a tmpfs where nobody else sees it."""
    with refusals(way_to_namespaces):
        enter_namespaces()
        mount(None, "/", None, MS_REC | MS_PRIVATE)
        mount("tmpfs", _STAGE, "tmpfs", MS_NOSUID | MS_NODEV, "size=4k")
    return "a tmpfs can be mounted"


def root_change() -> str:
    """Take on an empty root, as a zygote does."""
    with refusals(way_to_namespaces):
        enter_namespaces()
        enter_root((), machine())
    if Path("/usr").exists():
        raise DidNotHold("the host's files are still there", HOW_TO_REPORT)
    return "the host's files are gone behind it"


def proc_mount() -> str:
    """Mount /proc anew, which parts of it that are covered forbid; nobody needs it."""
    with refusals(way_to_namespaces):
        enter_namespaces()
    pid = fork()
    if pid == 0:
        try:
            mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
        except OSError:
            os._exit(1)
        os._exit(0)
    is_masked = wait_within(pid, _WALL_S) != 0
    return f"{'masked' if is_masked else 'not masked'}; no box has or needs it"
