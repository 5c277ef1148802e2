"""Random system calls: which number, which arguments, and the bytes that a box reads them from.

An argument is a kind and a value, because addresses and ids are known only inside: ``plain``, an
offset into the program's scratch memory, its own pid or thread, its parent, a place in its code,
or what the last call returned.
"""

import struct
from dataclasses import dataclass

from fuzz_policy import X32_BIT, Policy
from fuzz_source import EDGES, Source

KINDS = ("plain", "scratch", "pid", "thread", "parent", "code", "last")
Argument = tuple[str, int]
_CALL = struct.Struct("<QB6Bx6Q")
PATH_BYTES, PATH_PLACES = 256, 64
# Scratch memory: the names of files first, then words that a call may take for a structure.
WORDS_AT = PATH_BYTES * PATH_PLACES
SCRATCH_BYTES = WORDS_AT + 16 * 1024
# Nothing that a host would miss: if a wall has a hole, only bait (fuzz_host) is to be lost.
_BASE_PATHS = (
    b"a", b"b", b"d", b"d/e", b"d/e/f", b".", b"..", b"../a", b"", b"/", b"/tmp/a", b"/box/tmp/b",
    b"/dev/zero", b"/dev/full", b"/dev/tty", b"/proc", b"/proc/self/mem", b"/proc/1/environ",
    b"/proc/self/fd/3", b"/sys", b"n" * 255, b"d/" * 100, b"\xff\xfe",
)  # fmt: skip

# What the arguments of a call are, a letter each (see _BY_LETTER); the rest is anything.
_HINTS = {
    "read": "ibn", "write": "ibn", "readv": "ibo", "writev": "ibo", "pread64": "ibno",
    "pwrite64": "ibno", "lseek": "ino", "close": "i", "dup": "i", "dup2": "ii", "dup3": "iif",
    "pipe": "b", "pipe2": "bf", "eventfd2": "oo", "stat": "pb", "lstat": "pb", "fstat": "ib",
    "newfstatat": "dpbA", "statx": "dpAnb", "statfs": "pb", "fstatfs": "ib", "access": "po",
    "faccessat": "dpo", "faccessat2": "dpoA", "readlink": "pbn", "readlinkat": "dpbn",
    "getcwd": "bn", "getdents": "ibn", "getdents64": "ibn", "chdir": "p", "fchdir": "i",
    "umask": "m", "mkdir": "pm", "mkdirat": "dpm", "rmdir": "p", "unlink": "p", "unlinkat": "dpA",
    "rename": "pp", "renameat": "dpdp", "renameat2": "dpdpo", "ftruncate": "in",
    "fallocate": "ionn", "fsync": "i", "fdatasync": "i", "mmap": "znqQiz", "munmap": "en",
    "mremap": "ennoe", "mprotect": "enq", "madvise": "eno", "msync": "eno", "brk": "e",
    "poll": "boo", "ppoll": "bobz", "select": "obbbb", "pselect6": "obbbbb", "epoll_create": "o",
    "epoll_create1": "f", "epoll_ctl": "ioib", "epoll_wait": "iboo", "epoll_pwait": "iboobo",
    "rt_sigaction": "sbbS", "rt_sigprocmask": "obbS", "rt_sigpending": "bS",
    "rt_sigtimedwait": "bbbS", "rt_sigsuspend": "bS", "sigaltstack": "bb", "alarm": "o",
    "setitimer": "obb", "getitimer": "ob", "nanosleep": "bb", "clock_nanosleep": "oobb",
    "clock_gettime": "ob", "wait4": "Pbob", "waitid": "oPbob", "set_robust_list": "bn",
    "get_robust_list": "Pbb", "rseq": "bnoo", "membarrier": "ooo", "arch_prctl": "oe",
    "clone": "cbbbb", "execve": "pbb", "execveat": "ipbbA", "kill": "Ps", "tgkill": "PTs",
    "ioctl": "ixb", "fcntl": "iCo", "prctl": "roooo", "prlimit64": "Pozb", "futex": "buoboo",
    "socketpair": "Foob", "open": "pfm", "openat": "dpfm", "truncate": "pn", "utimensat": "dpbA",
    "getrandom": "bno", "sysinfo": "b", "uname": "b", "getrusage": "ob", "getrlimit": "ob",
    "sched_getaffinity": "onb", "getxattr": "ppbn", "listxattr": "pbn",
}  # fmt: skip
_AT_FDCWD = (1 << 64) - 100
_OPEN_FLAGS = (
    0, 1, 2, 3, 0o4003, 0o100, 0o102, 0o101, 0o1102, 0o1002, 0o1001, 0o200000, 0o400000, 0o10000000,
    0o20200000, 0o2000000, 0o4000, 0o40000, 0o10102,
)  # fmt: skip
_CLONE_FLAGS = (
    0x3D0F00, 0x10000, 0x10900, 17, 0x11, 0x4111, 0x100, 0x10000000, 0x20000011, 0x7C020011,
    0x2000000, 0x1_0001_0000, 1 << 32, 0x1200011,
)  # fmt: skip
_PLAIN_BY_LETTER = {
    "i": (*range(9), 30, 40, 63, 64, (1 << 32) - 1),
    "d": (_AT_FDCWD, _AT_FDCWD & 0xFFFFFFFF, *range(9)),
    "f": _OPEN_FLAGS,
    "m": (0, 0o777, 0o700, 0o600, 0o300, 0o4755, 0o22, 0o777777),
    "n": (0, 1, 8, 24, 64, 4096, 65536, 1 << 20, 1 << 26, 1 << 40, (1 << 63) - 1),
    "o": (*range(12), 16, 64, 128, 256, (1 << 64) - 1),
    "s": (0, 1, 2, 6, 9, 10, 11, 13, 14, 15, 17, 18, 19, 20, 24, 25, 31, 34, 64, 65),
    "S": (8, 8, 8, 0, 128),
    "q": (0, 1, 2, 3, 4, 5, 7, 0x1000003),
    "Q": (0x22, 0x22, 0x21, 0x20022, 0x4022, 0x2022, 0x40022, 0x2, 0x1, 0x8021, 0x32),
    "A": (0, 0, 0x1000, 0x100, 0x200, 0x400),
    "c": _CLONE_FLAGS,
    "x": (0x5401, 0x541B, 0x5450, 0x5451, 0x5412, 0x541C, 0x5421, 0x80045430, 0x1_0000_5401),
    "C": (0, 1, 2, 3, 4, 1030, 5, 6, 7, 8, 10, 1024, 1026, 1031, 1033, 1034, 1 << 32),
    "r": (15, 16, 0, 1, 2, 4, 8, 22, 23, 24, 36, 38, 47, 0x53564D41, (1 << 32) | 15),
    "u": (*(o | f for o in range(14) for f in (0, 128, 256, 384)), 1 << 32),
    "F": (1, 2, 10, 16, 17, 38, 40, (1 << 32) | 1),
    "z": (0, 0, 0, 0, 1),
    "P": (0, 1, (1 << 32) - 1, (1 << 64) - 1, 2),
}
# Without these a list of calls goes on; with them it mostly ends or waits here.
_ENDERS = ("exit", "exit_group", "rt_sigreturn", "pause", "rt_sigsuspend", "rt_sigtimedwait")
_LEFT_OUT = 0.9
# In a box of many processes each of these may double them.
FORKS = ("clone", "fork", "vfork")


@dataclass(frozen=True)
class Call:
    """One call; ``gate`` 1 is the 32-bit one of x86_64."""

    number: int
    arguments: tuple[Argument, ...]
    gate: int = 0

    def to_bytes(self) -> bytes:
        kinds = (KINDS.index(kind) for kind, _ in self.arguments)
        return _CALL.pack(
            self.number, self.gate, *kinds, *(value & (1 << 64) - 1 for _, value in self.arguments)
        )


def calls_of(source: Source, policy: Policy, count: int) -> list[Call]:
    """So many random calls."""
    return [call_of(source, policy, number_of(source, policy)) for _ in range(count)]


def deep_folders(source: Source, policy: Policy, depth: int) -> list[Call]:
    """Folders in folders, each entered as soon as it is made; the name stands first in memory."""
    name, mode = ("scratch", 0), source.pick((0o777, 0o300))
    here = ("plain", _AT_FDCWD)
    nothing = (("plain", 0),) * 6
    make = (here, name, ("plain", mode), *nothing[3:])
    pair = [
        Call(policy.numbers["mkdirat"], make),
        Call(policy.numbers["chdir"], (name, *nothing[1:])),
    ]
    return pair * depth


def call_of(source: Source, policy: Policy, number: int) -> Call:
    """A call of one number."""
    gate = 1 if source.often(0.002) else 0
    return Call(number, tuple(arguments_of(source, policy, number)), gate)


def number_of(source: Source, policy: Policy) -> int:
    """Mostly a call that the table names, else any of the first thousand, at times an odd one."""
    kind = source.random()
    if kind < 0.7:
        name = source.pick(tuple(policy.numbers))
        if name in _ENDERS and source.often(_LEFT_OUT):
            return policy.numbers["read"]
        return policy.numbers[name]
    if kind < 0.996:
        return source.randrange(1024)
    odd = (X32_BIT | source.randrange(1024), source.word(), source.randrange(1 << 32), 0x3FFFFFFF)
    return source.pick(odd)


def arguments_of(source: Source, policy: Policy, number: int) -> list[Argument]:
    """Six arguments: as the call is meant, each of them at times anything."""
    names = {value: name for name, value in policy.numbers.items()}
    letters = _HINTS.get(names.get(number, ""), "") if source.often(0.92) else ""
    chosen = [
        anything(source) if source.often(0.06) else _by_letter(source, letter) for letter in letters
    ]
    return chosen + [anything(source) for _ in range(6 - len(chosen))]


def anything(source: Source) -> Argument:
    """A value of any kind."""
    kind = source.randrange(10)
    if kind < 4:
        return "plain", source.word()
    if kind < 6:
        return "plain", source.randrange(9)
    if kind < 8:
        return "scratch", source.randrange(SCRATCH_BYTES)
    return source.pick(KINDS[2:]), source.pick((0, 0, 0, 1, 4096, (1 << 64) - 1))


def _by_letter(source: Source, letter: str) -> Argument:
    match letter:
        case "p":
            return "scratch", PATH_BYTES * source.randrange(PATH_PLACES)
        case "b":
            return "scratch", WORDS_AT + 8 * source.randrange((SCRATCH_BYTES - WORDS_AT) // 8)
        case "e":
            return "last", 0
        case "T":
            return "thread", 0
        case "P" if source.often(0.5):
            return source.pick(("pid", "pid", "parent")), 0
    return "plain", source.pick(_PLAIN_BY_LETTER[letter])


def scratch_of(source: Source, paths: tuple[bytes, ...]) -> bytes:
    """The scratch memory of a program: names of files, ``paths`` among them, and words."""
    every = (*_BASE_PATHS, *paths)
    names = [b"d", *(source.pick(every)[: PATH_BYTES - 1] for _ in range(PATH_PLACES - 1))]
    words = (SCRATCH_BYTES - WORDS_AT) // 8
    # Mostly small: a time to wait, a number of entries, a descriptor.
    values = [source.pick((0, 0, 0, 0, 1, 1, 3, 8)) for _ in range(words)]
    for _ in range(words // 16):
        values[source.randrange(words)] = source.pick(EDGES)
    table = b"".join(name.ljust(PATH_BYTES, b"\0") for name in names)
    return table + struct.pack(f"<{words}Q", *values)
