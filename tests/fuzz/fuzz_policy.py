"""What a box may ask of the kernel, said once more: a table that denies what it does not name.

It shares nothing with the product's lists: numbers are those of the kernel's headers
(asm/unistd_64.h, asm-generic/unistd.h), a rule is a sentence about the arguments.
"""

import errno
from collections.abc import Callable, Sequence

ALLOW, KILL = 0x7FFF0000, 0x80000000
DENY, ABSENT = 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS
NO_ATTRIBUTES = 0x50000 | errno.EOPNOTSUPP
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32_BIT = 0x40000000

# Name, number on x86_64, number on aarch64; a dash: no such call. By what it is for.
_ALWAYS = """
read 0 63, write 1 64, readv 19 65, writev 20 66, pread64 17 67, pwrite64 18 68, lseek 8 62,
close 3 57, dup 32 23, dup2 33 -, dup3 292 24, pipe 22 -, pipe2 293 59, eventfd2 290 19,
stat 4 -, lstat 6 -, fstat 5 80, newfstatat 262 79, statx 332 291, statfs 137 43, fstatfs 138 44,
access 21 -, faccessat 269 48, faccessat2 439 439, readlink 89 -, readlinkat 267 78, getcwd 79 17,
getdents 78 -, getdents64 217 61, chdir 80 49, fchdir 81 50, umask 95 166,
mkdir 83 -, mkdirat 258 34, rmdir 84 -, unlink 87 -, unlinkat 263 35,
rename 82 -, renameat 264 38, renameat2 316 276,
ftruncate 77 46, fallocate 285 47, fsync 74 82, fdatasync 75 83,
mmap 9 222, munmap 11 215, mremap 25 216, mprotect 10 226, madvise 28 233, msync 26 227, brk 12 214,
poll 7 -, ppoll 271 73, select 23 -, pselect6 270 72, epoll_create 213 -, epoll_create1 291 20,
epoll_ctl 233 21, epoll_wait 232 -, epoll_pwait 281 22, epoll_pwait2 441 441,
rt_sigaction 13 134, rt_sigprocmask 14 135, rt_sigreturn 15 139, rt_sigpending 127 136,
rt_sigtimedwait 128 137, rt_sigsuspend 130 133, sigaltstack 131 132, pause 34 -, alarm 37 -,
setitimer 38 103, getitimer 36 102, restart_syscall 219 128,
nanosleep 35 101, clock_nanosleep 230 115, clock_gettime 228 113, clock_getres 229 114,
gettimeofday 96 169, time 201 -, times 100 153,
exit 60 93, exit_group 231 94, wait4 61 260, waitid 247 95, set_tid_address 218 96,
set_robust_list 273 99, get_robust_list 274 100, rseq 334 293, membarrier 324 283, arch_prctl 158 -,
getpid 39 172, getppid 110 173, gettid 186 178, getpgid 121 155, getpgrp 111 -, getsid 124 156,
getuid 102 174, geteuid 107 175, getgid 104 176, getegid 108 177, getgroups 115 158,
getresuid 118 148, getresgid 120 150, getrusage 98 165, getrlimit 97 163, getpriority 140 141,
uname 63 160, sysinfo 99 179, getcpu 309 168, getrandom 318 278,
sched_yield 24 124, sched_getaffinity 204 123, sched_getscheduler 145 120, sched_getparam 143 121,
sched_get_priority_max 146 125, sched_get_priority_min 147 126
"""
_NO_ATTRIBUTES = """
getxattr 191 8, lgetxattr 192 9, fgetxattr 193 10, listxattr 194 11, llistxattr 195 12,
flistxattr 196 13
"""
_BY_RULE = """
clone 56 220, clone3 435 435, fork 57 -, vfork 58 -, execve 59 221, execveat 322 281,
kill 62 129, tgkill 234 131, ioctl 16 29, fcntl 72 25, prctl 157 167, prlimit64 302 261,
futex 202 98, socketpair 53 199, open 2 -, openat 257 56, truncate 76 45, utimensat 280 88
"""

Words = Sequence[int]
Rule = Callable[[Words, str, str, int], int]
NOTHING, PATH, DESCRIPTOR, PROCESSES = "nothing", "path", "descriptor", "processes"


def _allow_if(holds: bool) -> int:
    return ALLOW if holds else DENY


def _low(word: int) -> int:
    return word & 0xFFFFFFFF


def _clone(a: Words, starts: str, tier: str, pid: int) -> int:
    """Threads; processes only where the box is for that, and never a namespace."""
    if starts == PROCESSES:
        return _allow_if(not _low(a[0]) & 0x7E020000)
    thread_with_same_files = 0x10400
    return _allow_if(_low(a[0]) & thread_with_same_files == thread_with_same_files)


def _of_processes(a: Words, starts: str, tier: str, pid: int) -> int:
    return _allow_if(starts == PROCESSES)


def _execveat(a: Words, starts: str, tier: str, pid: int) -> int:
    """The binary at its own descriptor, nothing by a path."""
    return _allow_if(starts == DESCRIPTOR and _low(a[0]) == 5 and _low(a[4]) == 0x1000)


def _signal(a: Words, starts: str, tier: str, pid: int) -> int:
    return _allow_if(_low(a[0]) == pid)


def _futex(a: Words, starts: str, tier: str, pid: int) -> int:
    """Private ones; others may be waited for where a program is of many processes or a JVM."""
    operation = _low(a[1])
    waits = starts != NOTHING and operation in (0, 9, 256, 265)
    return _allow_if(bool(operation & 128) or waits)


def _of_own_files(a: Words, starts: str, tier: str, pid: int) -> int:
    """In tier B files are the host's."""
    return _allow_if(tier == "A")


def _opens(flags_at: int) -> Rule:
    """In tier B a file of the host is not emptied by opening it, nor opened for neither use."""

    def decide(a: Words, starts: str, tier: str, pid: int) -> int:
        empties, for_neither = a[flags_at] & 0o1000, a[flags_at] & 3 == 3
        is_harmless = not for_neither and (starts == PROCESSES or not empties)
        return _allow_if(tier == "A" or is_harmless)

    return decide


def _second_is(*values: int) -> Rule:
    return lambda a, starts, tier, pid: _allow_if(_low(a[1]) in values)


_RULES: dict[str, Rule] = {
    "clone": _clone,
    "clone3": lambda a, starts, tier, pid: ABSENT,
    "fork": _of_processes,
    "vfork": _of_processes,
    "execve": lambda a, starts, tier, pid: _allow_if(starts in (PATH, PROCESSES)),
    "execveat": _execveat,
    "kill": _signal,
    "tgkill": _signal,
    # TCGETS, FIONREAD, FIONCLEX, FIOCLEX
    "ioctl": _second_is(0x5401, 0x541B, 0x5450, 0x5451),
    # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC
    "fcntl": _second_is(0, 1, 2, 3, 4, 1030),
    # PR_SET_NAME, PR_GET_NAME
    "prctl": lambda a, starts, tier, pid: _allow_if(_low(a[0]) in (15, 16)),
    "prlimit64": lambda a, starts, tier, pid: _allow_if(a[0] == 0 and a[2] == 0),
    "futex": _futex,
    "socketpair": lambda a, starts, tier, pid: _allow_if(starts == PATH and _low(a[0]) == 1),
    "open": _opens(1),
    "openat": _opens(2),
    "truncate": _of_own_files,
    "utimensat": _of_own_files,
}


def _numbers(text: str, machine: str) -> dict[str, int]:
    column = 1 + list(ARCHITECTURES).index(machine)
    rows = [row.split() for row in text.split(",")]
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}


class Policy:
    """The table for one machine type, one kind of box and one tier."""

    def __init__(self, machine: str, starts: str, tier: str) -> None:
        self.architecture = ARCHITECTURES[machine]
        self.machine = machine
        self._setting = (str(starts), str(tier))
        self._always = set(_numbers(_ALWAYS, machine).values())
        self._no_attributes = set(_numbers(_NO_ATTRIBUTES, machine).values())
        by_rule = _numbers(_BY_RULE, machine)
        self._rules = {number: _RULES[name] for name, number in by_rule.items()}
        self.numbers = _numbers(_ALWAYS, machine) | _numbers(_NO_ATTRIBUTES, machine) | by_rule

    def decide(self, number: int, architecture: int, arguments: Words, own_pid: int) -> int:
        """What the filter has to answer to a call; ``number`` is 32 bits wide."""
        if architecture != self.architecture:
            return KILL
        if self.machine == "x86_64" and number & X32_BIT:
            return KILL
        if number in self._always:
            return ALLOW
        if number in self._no_attributes:
            return NO_ATTRIBUTES
        rule = self._rules.get(number)
        return DENY if rule is None else rule(arguments, *self._setting, own_pid)
