"""Turning a freshly forked process into a test process: the last trusted steps of a run.

The order matters. Everything that needs a privilege comes first; then identity, capabilities and
new privileges go; the system call filter is loaded last, and only behind it are the request's
bytes read. A step that fails ends the process before it has seen any of them.
"""

import os
import struct
from dataclasses import dataclass

from submissions_sandbox.kernel import (
    CLONE_NEWNS,
    drop_capabilities,
    load_seccomp,
    no_new_privileges,
    unshare,
)
from submissions_sandbox.limits import RunLimits, apply_rlimits
from submissions_sandbox.namespaces import become_box_user
from submissions_sandbox.profile import Starts
from submissions_sandbox.rootfs import mount_private_tmp
from submissions_sandbox.seccomp import build_filter

STACK_BYTES = 64 * 1024 * 1024
_PID_MARK = 0x5AFEB0C5


@dataclass(frozen=True)
class Isolation:
    """What every run of one zygote has in common, prepared once."""

    filter_template: bytes
    own_user: bool
    base_address_space_bytes: int

    @staticmethod
    def prepare(
        machine_type: str, *, starts: Starts, own_user: bool, base_address_space_bytes: int
    ) -> "Isolation":
        """Assemble the filter with a mark where each run's own pid goes."""
        template = build_filter(machine_type, _PID_MARK, starts)
        return Isolation(template, own_user, base_address_space_bytes)

    def enter(self, limits: RunLimits) -> None:
        """Isolate the calling process; it keeps descriptors 0 to 4 only."""
        unshare(CLONE_NEWNS)
        mount_private_tmp(limits.tmp_bytes, limits.tmp_files)
        apply_rlimits(limits, self.base_address_space_bytes, STACK_BYTES)
        if self.own_user:
            become_box_user()
        drop_capabilities()
        no_new_privileges()
        load_seccomp(self._filter_for(os.getpid()))

    def _filter_for(self, pid: int) -> bytes:
        return self.filter_template.replace(struct.pack("<I", _PID_MARK), struct.pack("<I", pid))
