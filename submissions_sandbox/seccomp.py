"""Which system calls a box may make.

An allow-list: everything else fails with EPERM, so a program sees an ordinary error. Calls through
a foreign ABI (32-bit entry, x32) kill the process: no honest program makes them. Arguments are
checked where a call is harmless in one form only.
"""

import errno
import os

from submissions_sandbox.bpf import (
    OFFSET_ARCHITECTURE,
    OFFSET_NUMBER,
    RETURN_ALLOW,
    RETURN_KILL_PROCESS,
    Block,
    argument_high,
    argument_low,
    dispatch,
    encode,
    if_any_bit,
    if_equal,
    load,
    returns,
    returns_errno,
)
from submissions_sandbox.descriptors import BINARY
from submissions_sandbox.profile import Starts
from submissions_sandbox.syscall_numbers import AUDIT_ARCHITECTURES, numbers
from submissions_sandbox.tiers import Tier

_ALLOWED = """
    read write readv writev pread64 pwrite64 open openat close stat lstat fstat newfstatat statx
    lseek mmap munmap mremap mprotect madvise brk msync statfs fstatfs
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend
    sigaltstack pause alarm setitimer getitimer restart_syscall
    set_robust_list get_robust_list rseq set_tid_address membarrier sched_yield
    getrandom clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times
    exit exit_group getpid getppid gettid getuid geteuid getgid getegid getgroups getresuid
    getresgid getpgrp getpgid getsid getcwd getrusage getrlimit uname sysinfo getcpu
    sched_getaffinity sched_getscheduler sched_getparam sched_get_priority_max
    sched_get_priority_min getpriority arch_prctl
    access faccessat faccessat2 readlink readlinkat getdents64 getdents
    dup dup2 dup3 pipe pipe2 poll ppoll select pselect6
    epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd2
    unlink unlinkat mkdir mkdirat rename renameat renameat2 rmdir chdir fchdir
    truncate ftruncate fsync fdatasync fallocate utimensat umask wait4 waitid
""".split()  # noqa: SIM905 - a table reads better than 130 quoted lines
# Answered as by a file system without extended attributes, which every program copes with.
_UNSUPPORTED = ("getxattr", "lgetxattr", "fgetxattr", "listxattr", "llistxattr", "flistxattr")

_CLONE_THREAD, _CLONE_FILES = 0x00010000, 0x00000400
_CLONE_NAMESPACES = 0x7E020000
_AT_EMPTY_PATH = 0x1000
_AF_UNIX = 1
_FUTEX_PRIVATE, _FUTEX_REALTIME = 128, 256
_FUTEX_WAITS = (0, 9)  # FUTEX_WAIT, FUTEX_WAIT_BITSET
_X32_BIT = 0x40000000
_TCGETS, _FIONREAD, _FIONCLEX, _FIOCLEX = 0x5401, 0x541B, 0x5450, 0x5451
_PR_SET_NAME, _PR_GET_NAME = 15, 16
# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC: not F_SETPIPE_SZ (kernel memory),
# not F_SETOWN, F_SETSIG, F_SETLEASE, F_NOTIFY (signals), and no record locks: a lock on a file that
# two boxes see, /dev/null for one, carries bits from one test case to another.
_FCNTL_COMMANDS = (0, 1, 2, 3, 4, 1030)

_ALLOW = returns(RETURN_ALLOW)
_DENY = returns_errno(errno.EPERM)
_KILL = returns(RETURN_KILL_PROCESS)
_NOT_OFFERED = returns_errno(errno.EOPNOTSUPP)
_ABSENT = returns_errno(errno.ENOSYS)


def build_filter(machine_type: str, own_pid: int, starts: Starts, tier: Tier = Tier.A) -> bytes:
    """Assemble the filter of one box.

    Args:
        machine_type: as submissions_sandbox.syscall_numbers.machine.
        own_pid: pid of the process as it sees itself: the only one it may signal.
        starts: what the process may start. The filter stays in force behind an exec; a new process
            can be made only with ``Starts.PROCESSES``.
        tier: without a root of its own a box also must not touch what it only may read.
    """
    table = numbers(machine_type)
    cases = {table[name]: _ALLOW for name in _ALLOWED if name in table}
    cases |= {table[name]: block for name, block in _argument_rules(own_pid).items()}
    cases |= {table[name]: _NOT_OFFERED for name in _UNSUPPORTED}
    cases[table["futex"]] = _futex_rule(starts)
    cases[table["clone3"]] = _ABSENT
    cases |= {table[name]: block for name, block in _start_rules(starts).items() if name in table}
    if tier is Tier.B:
        on_host = _host_rules(starts)
        cases |= {table[name]: block for name, block in on_host.items() if name in table}
    by_number = dispatch(cases, _DENY)
    if machine_type == "x86_64":
        by_number = if_any_bit(_X32_BIT, _KILL, by_number)
    checked = [load(OFFSET_NUMBER), *by_number]
    program = [
        load(OFFSET_ARCHITECTURE),
        *if_equal(AUDIT_ARCHITECTURES[machine_type], checked, _KILL),
    ]
    return encode(program)


def _argument_rules(own_pid: int) -> dict[str, Block]:
    return {
        # Threads only, and with the same descriptors, so that these have one limit: glibc falls
        # back to clone when clone3 is absent.
        "clone": [
            load(argument_low(0)),
            *if_any_bit(_CLONE_THREAD, if_any_bit(_CLONE_FILES, _ALLOW, _DENY), _DENY),
        ],
        "ioctl": _one_of(1, (_TCGETS, _FIONREAD, _FIONCLEX, _FIOCLEX)),
        "fcntl": _one_of(1, _FCNTL_COMMANDS),
        "prctl": _one_of(0, (_PR_SET_NAME, _PR_GET_NAME)),
        # By equality: the pid is put in later, in place of a mark that must stand there as it is.
        "kill": [load(argument_low(0)), *if_equal(own_pid, _ALLOW, _DENY)],
        "tgkill": [load(argument_low(0)), *if_equal(own_pid, _ALLOW, _DENY)],
        # Reading limits is harmless; the call that sets them has a second pointer.
        "prlimit64": _zero(0, _zero(2, _ALLOW)),
    }


def _host_rules(starts: Starts) -> dict[str, Block]:
    """What Landlock leaves open on files that a program may read.

    Times of files are not its matter, truncation only since Linux 6.2, nor is a file that is opened
    neither to be read nor to be written, which may still wake a device. No compiler needs these by
    a path, and but for what it empties while it opens it nothing may be written here but devices.
    """
    return {
        "truncate": _DENY,
        "utimensat": _DENY,
        "open": _opens_on_host(1, starts),
        "openat": _opens_on_host(2, starts),
    }


def _opens_on_host(flags_at: int, starts: Starts) -> Block:
    may_empty = starts is Starts.PROCESSES
    for_use = _ALLOW if may_empty else if_any_bit(os.O_TRUNC, _DENY, _ALLOW)
    # Both bits of the access mode stand for neither use.
    by_mode = if_any_bit(os.O_WRONLY, if_any_bit(os.O_RDWR, _DENY, for_use), for_use)
    return [load(argument_low(flags_at)), *by_mode]


def _futex_rule(starts: Starts) -> Block:
    """Waiting and waking among the program's own threads.

    A futex that is not private is found by the file page that it lies on, so two boxes that see one
    file could wake each other: a channel from a hidden case to anybody. Nobody may wake so. Waiting
    so is how the C library joins a thread, and only a kernel that ends a thread wakes it; that can
    be bent to a wake as well, so only those may who share no file with another submission's box, or
    cannot bend it (a JVM's code makes no system call of its own).
    """
    operation = [load(argument_low(1))]
    if starts is Starts.NOTHING:
        return [*operation, *if_any_bit(_FUTEX_PRIVATE, _ALLOW, _DENY)]
    waits = dict.fromkeys((*_FUTEX_WAITS, *(w | _FUTEX_REALTIME for w in _FUTEX_WAITS)), _ALLOW)
    return [*operation, *if_any_bit(_FUTEX_PRIVATE, _ALLOW, dispatch(waits, _DENY))]


def _start_rules(starts: Starts) -> dict[str, Block]:
    """How a box starts what it is made for."""
    match starts:
        case Starts.NOTHING:
            return {}
        case Starts.PATH:
            # A pair of connected sockets of its own is what a JVM closes file channels with.
            pair: Block = [load(argument_low(0)), *if_equal(_AF_UNIX, _ALLOW, _DENY)]
            return {"execve": _ALLOW, "socketpair": pair}
        case Starts.DESCRIPTOR:
            # Only the descriptor that box init put there, which is closed by this very call.
            by_flags = [load(argument_low(4)), *if_equal(_AT_EMPTY_PATH, _ALLOW, _DENY)]
            return {"execveat": [load(argument_low(0)), *if_equal(BINARY, by_flags, _DENY)]}
        case Starts.PROCESSES:
            clone: Block = [load(argument_low(0)), *if_any_bit(_CLONE_NAMESPACES, _DENY, _ALLOW)]
            return {"execve": _ALLOW, "clone": clone, "vfork": _ALLOW, "fork": _ALLOW}


def _one_of(index: int, values: tuple[int, ...]) -> Block:
    return [load(argument_low(index)), *dispatch(dict.fromkeys(values, _ALLOW), _DENY)]


def _zero(index: int, then: Block) -> Block:
    low_is_zero = if_equal(0, [load(argument_high(index)), *if_equal(0, then, _DENY)], _DENY)
    return [load(argument_low(index)), *low_is_zero]
