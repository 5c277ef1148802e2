"""Entering the namespaces of a zygote, with and without root.

An ordinary user maps one id: its own, shown as 1000. Root maps two: itself, because only root may
reach the folders it has to show, and an id that owns nothing on any host, shown as 1000; every run
changes to that one before it reads a learner's byte. A privileged map can be written only from the
parent namespace, so a short-lived helper process, forked before the change, writes it.
"""

import os
from pathlib import Path

from submissions_sandbox.kernel import (
    CLONE_NEWCGROUP,
    CLONE_NEWIPC,
    CLONE_NEWNET,
    CLONE_NEWNS,
    CLONE_NEWPID,
    CLONE_NEWUSER,
    CLONE_NEWUTS,
    unshare,
)

BOX_ID = 1000
# Above the ranges that distributions, systemd and container tools hand out.
UNUSED_HOST_ID = 1_900_000_001
_ALL = (
    CLONE_NEWUSER
    | CLONE_NEWNS
    | CLONE_NEWPID
    | CLONE_NEWNET
    | CLONE_NEWIPC
    | CLONE_NEWUTS
    | CLONE_NEWCGROUP
)


def enter_namespaces() -> bool:
    """Move the caller into new namespaces; its next child is pid 1 of the new pid namespace.

    Returns:
        Whether runs get a user id of their own (True only for root).

    Raises:
        OSError: the kernel refused; usually user namespaces are switched off for this user.
    """
    user, group = os.geteuid(), os.getegid()
    if user == 0 and _enter_as_root():
        return True
    if user != 0:
        unshare(_ALL)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{BOX_ID} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{BOX_ID} {group} 1")
    return False


def _enter_as_root() -> bool:
    """Unshare with a helper outside that writes the two-id map; False where it may not."""
    ready_read, ready_write = os.pipe()
    target = os.getpid()
    helper = os.fork()
    if helper == 0:
        os.close(ready_write)
        os.read(ready_read, 1)
        os._exit(_write_two_id_map(target))
    os.close(ready_read)
    try:
        unshare(_ALL)
    finally:
        os.close(ready_write)
        _, status = os.waitpid(helper, 0)
    return os.waitstatus_to_exitcode(status) == 0


def _write_two_id_map(target: int) -> int:
    """Write both maps of a process; returns an exit status."""
    content = f"0 0 1\n{BOX_ID} {UNUSED_HOST_ID} 1"
    try:
        Path(f"/proc/{target}/uid_map").write_text(content)
        Path(f"/proc/{target}/gid_map").write_text(content)
    except OSError:
        return 1
    return 0
