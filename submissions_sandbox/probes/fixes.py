"""What to type or to set where something is missing: one line, for the cause found here.

Reads the kernel's switches and says which of them stands in the way; changes none.
"""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from submissions_sandbox.probes.report import NotThere

PROC = Path("/proc")
CONTAINER = (
    "in a container: the three lines of security_opt of the worker in docker-compose.yml, with "
    "the seccomp profile submissions_sandbox/docker-seccomp.json"
)
_ANOTHER_USER = (
    "run the judge as another user than root, as the images of the Dockerfile do: a root without "
    "capabilities cannot be mapped"
)
_NO_CAUSE = (
    "a kernel with CONFIG_USER_NS=y whose security module lets this user make user namespaces, "
    "mount and pivot_root"
)
_LANDLOCK = "Linux 5.13 or later with landlock in the list of its boot parameter lsm="
_LANDLOCK_CONTAINER = (
    "in a container: the seccomp profile submissions_sandbox/docker-seccomp.json, which allows "
    "Landlock; on the host: Linux 5.13 or later with landlock in its boot parameter lsm="
)
SECCOMP = (
    "a kernel with CONFIG_SECCOMP_FILTER=y; in a container: the seccomp profile "
    "submissions_sandbox/docker-seccomp.json, which allows prctl"
)
PIDFD = (
    "Linux 5.4 or later; in a container: the seccomp profile "
    "submissions_sandbox/docker-seccomp.json, which allows pidfd_open and pidfd_send_signal"
)


@dataclass(frozen=True)
class Switch:
    """A setting of the kernel that can keep a user from making user namespaces.

    Attributes:
        name: as sysctl writes it.
        off: the value that forbids.
        on: the value to be set instead.
        where: the systems that have it.
    """

    name: str
    off: str
    on: str
    where: str

    def value(self, proc: Path = PROC) -> str:
        """What it stands at; empty where this kernel does not have it."""
        try:
            return (proc / "sys" / self.name.replace(".", "/")).read_text().strip()
        except OSError:
            return ""

    def fix(self) -> str:
        """What root types on the host."""
        return f"as root on the host: sysctl -w {self.name}={self.on}"


SWITCHES = (
    Switch("kernel.unprivileged_userns_clone", "0", "1", "Debian"),
    Switch("kernel.apparmor_restrict_unprivileged_userns", "1", "0", "Ubuntu"),
    Switch("user.max_user_namespaces", "0", "10000", "any Linux"),
)


def way_to_namespaces(error: OSError, proc: Path = PROC) -> str:
    """The line that should let the refused step through."""
    for switch in SWITCHES:
        if switch.value(proc) == switch.off:
            return switch.fix()
    is_map = str(error.filename).endswith(("uid_map", "gid_map", "setgroups"))
    if is_map and error.errno == errno.EPERM and os.geteuid() == 0:
        return _ANOTHER_USER
    return CONTAINER if is_confined(proc) else _NO_CAUSE


def way_to_landlock(proc: Path = PROC) -> str:
    """The line that should make Landlock work."""
    return _LANDLOCK_CONTAINER if is_confined(proc) else _LANDLOCK


def is_confined(proc: Path = PROC) -> bool:
    """Whether a system call filter of somebody else holds this process, as in a container."""
    try:
        lines = (proc / "self/status").read_text().splitlines()
    except OSError:
        return False
    return any(line.split() == ["Seccomp:", "2"] for line in lines)


@contextmanager
def refusals(fix: Callable[[OSError], str]) -> Iterator[None]:
    """Turn the kernel's refusal into what this machine lacks."""
    try:
        yield
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise NotThere(f"{where}{error.strerror}", fix(error)) from error
