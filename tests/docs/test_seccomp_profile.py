"""The seccomp profile of docker-compose.yml: enough for tier A, and nothing that reaches the host.

First the table itself, read as a container engine reads it; then one process below it.
"""

import ctypes.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from seccomp_table import SeccompTable

from submissions_sandbox.syscall_numbers import AUDIT_ARCHITECTURES, numbers

ROOT = Path(__file__).resolve().parents[2]
PROFILE = ROOT / "submissions_sandbox" / "docker-seccomp.json"
BELOW_PROFILE = Path(__file__).with_name("below_profile.py")

# Flags of clone and unshare, and what fork and a thread of the C library ask for.
NAMESPACES = {
    "cgroup": 0x02000000, "uts": 0x04000000, "ipc": 0x08000000, "user": 0x10000000,
    "pid": 0x20000000, "net": 0x40000000, "mount": 0x00020000,
}  # fmt: skip
ALL_NAMESPACES = sum(NAMESPACES.values())
SIGCHLD, THREAD = 17, 0x3D0F00
AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16

# What the supervisor, the zygote and box init need for tier A, the CPU clock of a process included.
FOR_TIER_A = (
    "unshare", "setns", "mount", "umount2", "pivot_root", "clone", "clone3", "prctl", "seccomp",
    "landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self", "capget", "capset",
    "pidfd_open", "pidfd_send_signal", "kill", "wait4", "waitid", "memfd_create", "execve",
    "execveat", "close_range", "prlimit64", "setrlimit", "getrlimit", "setgroups", "setresuid",
    "setresgid", "clock_gettime", "clock_getres", "getrusage", "sched_setaffinity", "openat2",
    "statfs", "mkdir", "symlink", "socketpair", "sendmsg", "recvmsg", "poll", "flock", "ftruncate",
)  # fmt: skip
# By name, so that a slip in the table does not pass: kernel code, other processes' memory, host
# state, and doors into the kernel that neither the judge nor a box has a use for.
NEVER = (
    "init_module", "finit_module", "delete_module", "create_module", "kexec_load",
    "kexec_file_load", "reboot", "swapon", "swapoff", "bpf", "perf_event_open", "ptrace", "kcmp",
    "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "userfaultfd",
    "io_uring_setup", "io_uring_enter", "io_uring_register", "io_setup", "io_submit", "keyctl",
    "add_key", "request_key", "open_by_handle_at", "name_to_handle_at", "fsopen", "fsconfig",
    "fsmount", "fspick", "move_mount", "open_tree", "open_tree_attr", "mount_setattr", "umount",
    "chroot", "quotactl", "quotactl_fd", "acct", "syslog", "settimeofday", "clock_settime",
    "clock_adjtime", "adjtimex", "sethostname", "setdomainname", "iopl", "ioperm", "modify_ldt",
    "vm86", "vm86old", "personality", "fanotify_init", "fanotify_mark", "lookup_dcookie",
    "nfsservctl", "uselib", "ustat", "sysfs", "_sysctl", "vhangup", "move_pages", "migrate_pages",
    "remap_file_pages", "memfd_secret", "mknod", "mknodat", "shmget", "msgget", "semget",
    "mq_open", "vmsplice", "tee", "sync", "syncfs", "listmount", "statmount", "lsm_set_self_attr",
    "sched_setscheduler", "sched_setattr", "ioprio_set", "process_mrelease", "socketcall", "ipc",
)  # fmt: skip


@pytest.fixture(scope="module")
def table() -> SeccompTable:
    return SeccompTable.read(PROFILE)


def test_what_nobody_named_is_refused_with_an_ordinary_error(table: SeccompTable) -> None:
    assert table.content["defaultAction"] == "SCMP_ACT_ERRNO"
    assert table.content["defaultErrnoRet"] == 1
    assert not table.allows("a_call_of_some_later_kernel")


def test_no_foreign_machine_type_is_named(table: SeccompTable) -> None:
    """Without these, engines end a program that calls through another ABI."""
    assert table.content.keys().isdisjoint({"architectures", "archMap"})


def test_every_rule_allows_and_no_name_stands_twice(table: SeccompTable) -> None:
    assert {rule["action"] for rule in table.content["syscalls"]} == {"SCMP_ACT_ALLOW"}
    plain = [name for name in table.names() if name != "socket"]
    assert len(plain) == len(set(plain))


@pytest.mark.parametrize("name", FOR_TIER_A)
def test_what_tier_a_needs_is_allowed(table: SeccompTable, name: str) -> None:
    assert table.allows(name)


@pytest.mark.parametrize("flag", NAMESPACES.values(), ids=NAMESPACES.keys())
def test_every_namespace_can_be_made_in_both_ways(table: SeccompTable, flag: int) -> None:
    for flags in (flag, ALL_NAMESPACES):
        assert table.allows("unshare", flags)
        assert table.allows("clone", flags | SIGCHLD)


def test_processes_and_threads_can_be_made(table: SeccompTable) -> None:
    for flags in (SIGCHLD, THREAD, 0x01200000 | SIGCHLD, 0x4100 | SIGCHLD):
        assert table.allows("clone", flags)


@pytest.mark.parametrize("machine", AUDIT_ARCHITECTURES)
def test_it_forbids_nothing_that_the_filter_of_a_box_lets_through(
    table: SeccompTable, machine: str
) -> None:
    """Both filters act on a test case, and the table of numbers holds what the inner one knows."""
    assert [name for name in numbers(machine) if not table.allows(name)] == []


@pytest.mark.parametrize("name", NEVER)
def test_what_is_dangerous_is_refused_whatever_its_arguments(
    table: SeccompTable, name: str
) -> None:
    assert name not in table.names()
    for arguments in ((), (1,), (16,), (2**64 - 1,) * 6):
        assert not table.allows(name, *arguments)


def test_sockets_are_made_to_the_database_and_to_neighbours_only(table: SeccompTable) -> None:
    wanted = {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK}
    assert {family for family in range(64) if table.allows("socket", family, 1)} == wanted
    assert not table.allows("socket", AF_INET + 2**32)


class TestReadingATable:
    """The reader above is not believed either."""

    def table(self, tmp_path: Path, **changes: object) -> SeccompTable:
        path = tmp_path / "table.json"
        rule = {"names": ["clone"], "action": "SCMP_ACT_ALLOW", **changes}
        path.write_text(json.dumps({"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [rule]}))
        return SeccompTable.read(path)

    def test_a_condition_that_it_does_not_know_is_no_condition_met(self, tmp_path: Path) -> None:
        for key in ("includes", "excludes", "errnoRet"):
            with pytest.raises(AssertionError, match=key):
                self.table(tmp_path, **{key: {"caps": ["CAP_SYS_ADMIN"]}})

    def test_namespaces_can_be_masked_out_as_the_stock_profile_does(self, tmp_path: Path) -> None:
        masked = {"index": 0, "value": ALL_NAMESPACES, "op": "SCMP_CMP_MASKED_EQ"}
        table = self.table(tmp_path, args=[masked])
        assert table.allows("clone", SIGCHLD)
        assert not table.allows("clone", NAMESPACES["user"] | SIGCHLD)

    def test_all_conditions_of_a_rule_must_hold(self, tmp_path: Path) -> None:
        conditions = [
            {"index": 0, "value": 3, "op": "SCMP_CMP_GT"},
            {"index": 1, "value": 9, "op": "SCMP_CMP_NE"},
        ]
        table = self.table(tmp_path, args=conditions)
        seen = {(a, b): table.allows("clone", a, b) for a in (3, 4) for b in (8, 9)}
        assert seen == {(3, 8): False, (3, 9): False, (4, 8): True, (4, 9): False}


@pytest.fixture
def readable_folder() -> Iterator[Path]:
    """The sandbox and the script where every user may read them."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        hidden = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "submissions_sandbox", folder / "submissions_sandbox", ignore=hidden)
        shutil.copy(BELOW_PROFILE, folder)
        yield folder


def run_below(folder: Path, python: str, *profile: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - fixed arguments
        [python, str(folder / BELOW_PROFILE.name), *profile],
        capture_output=True,
        cwd=folder,
        env={"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(folder)},
        text=True,
        timeout=60,
        check=False,
    )


def find_python(folder: Path) -> str:
    """An interpreter that a user without privileges may start here."""
    for python in (sys.executable, "/usr/bin/python3"):
        if Path(python).exists() and run_below(folder, python).returncode == 0:
            return python
    pytest.skip("a user without privileges gets no sandbox here, profile or not")


def test_below_the_profile_a_box_has_every_layer_that_it_has_without(
    readable_folder: Path,
) -> None:
    if ctypes.util.find_library("seccomp") is None:
        pytest.skip("missing program: libseccomp2")
    python = find_python(readable_folder)
    without = run_below(readable_folder, python)
    below = run_below(
        readable_folder, python, str(readable_folder / "submissions_sandbox" / PROFILE.name)
    )
    assert below.returncode == 0, below.stderr
    assert json.loads(below.stdout) == json.loads(without.stdout)
