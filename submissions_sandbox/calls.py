"""Calls of the C library that are prepared ahead of the process that makes them.

A test process is forked from a warm interpreter, and every page that it is the first to write is
copied then. So what can be done before the fork is done there, once for many runs: each call is a
function and its ready arguments, and a test process only goes down the list. The functions keep
the interpreter's lock: a test process and its parent have one thread.
"""

import ctypes
import os
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_libc = ctypes.PyDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long
_libc.signal.restype = ctypes.c_long  # the former handler's address, or -1

_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 1, 22, 38
_SECCOMP_MODE_FILTER = 2
_CAPABILITY_VERSION_3 = 0x20080522
_INSTRUCTION_BYTES = 8

duplicate: Callable[[int, int], int] = _libc.dup2
duplicate_and_flag: Callable[[int, int, int], int] = _libc.dup3
CLOSE_ON_EXEC = os.O_CLOEXEC
own_pid: Callable[[], int] = _libc.getpid


def fork() -> int:
    """Fork without what the interpreter and its modules do in a new process.

    A new process reseeds generators and makes its locks anew: 240 copied pages for a process whose
    parent has one thread and no lock taken. Who needs a fresh seed takes one.

    Raises:
        OSError: the kernel refused.
    """
    pid: int = _libc.fork()
    if pid < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"fork: {os.strerror(number)}")
    return pid


@dataclass(frozen=True)
class Call:
    """A function of the C library with its arguments; ``held`` is memory that they point to."""

    name: str
    function: Callable[..., int]
    arguments: tuple[Any, ...]
    held: tuple[Any, ...] = ()


@dataclass(frozen=True)
class FilterCall:
    """The call that loads a system call filter, and the places in it where the own pid goes."""

    call: Call
    pid_places: tuple[Any, ...]


def unshare(flags: int) -> Call:
    """Leave namespaces."""
    return Call("unshare", _libc.unshare, (ctypes.c_int(flags),))


def mount_tmpfs(target: str, flags: int, options: str) -> Call:
    """Mount a new tmpfs."""
    held = tuple(ctypes.create_string_buffer(t.encode()) for t in ("tmpfs", target, options))
    kind, where, data = (ctypes.c_void_p(ctypes.addressof(text)) for text in held)
    return Call("mount", _libc.mount, (kind, where, kind, ctypes.c_ulong(flags), data), held)


def change_folder(target: str) -> Call:
    """Go to a folder."""
    name = ctypes.create_string_buffer(target.encode())
    return Call("chdir", _libc.chdir, (ctypes.c_void_p(ctypes.addressof(name)),), (name,))


def limit(which: int, value: int) -> Call:
    """Set a resource limit, soft and hard."""
    pair = (ctypes.c_uint64 * 2)(value, value)
    pointer = ctypes.c_void_p(ctypes.addressof(pair))
    arguments = (ctypes.c_int(0), ctypes.c_int(which), pointer, ctypes.c_void_p(None))
    return Call(f"prlimit({which})", _libc.prlimit, arguments, (pair,))


def become(user: int) -> tuple[Call, ...]:
    """Take on a user and the group of the same number, and leave every other group."""
    ids = (ctypes.c_uint(user),) * 3
    no_groups = (ctypes.c_size_t(0), ctypes.c_void_p(None))
    return (
        Call("setgroups", _libc.setgroups, no_groups),
        Call("setresgid", _libc.setresgid, ids),
        Call("setresuid", _libc.setresuid, ids),
    )


def drop_capabilities() -> Call:
    """Empty the effective, permitted and inheritable sets."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    sets = (ctypes.c_uint32 * 6)()
    pointers = tuple(ctypes.c_void_p(ctypes.addressof(memory)) for memory in (header, sets))
    return Call("capset", _libc.capset, pointers, (header, sets))


def die_with_parent(signal_number: int) -> Call:
    """Be sent a signal when the parent ends; a change of user would undo it."""
    return _prctl("PDEATHSIG", _PR_SET_PDEATHSIG, ctypes.c_ulong(signal_number))


def default_action(signal_number: int) -> Call:
    """Give up a handler of the parent's."""
    arguments = (ctypes.c_int(signal_number), ctypes.c_void_p(None))
    return Call("signal", _libc.signal, arguments)


def no_new_privileges() -> Call:
    """From here on no execve can gain privileges."""
    return _prctl("NO_NEW_PRIVS", _PR_SET_NO_NEW_PRIVS, ctypes.c_ulong(1))


def restrict_paths(number: int, ruleset: int) -> Call:
    """Enter a Landlock rule set; ``number`` is that of the system call."""
    arguments = (ctypes.c_long(number), ctypes.c_int(ruleset), ctypes.c_uint32(0))
    return Call("landlock_restrict_self", _libc.syscall, arguments)


def close(descriptor: int) -> Call:
    """Close a descriptor."""
    return Call("close", _libc.close, (ctypes.c_int(descriptor),))


def load_filter(program: bytes, pid_mark: int) -> FilterCall:
    """Load a classic BPF program; wherever ``pid_mark`` stands in it, the own pid goes."""
    memory = ctypes.create_string_buffer(program, len(program))
    head = (ctypes.c_uint64 * 2)(len(program) // _INSTRUCTION_BYTES, ctypes.addressof(memory))
    mode = (ctypes.c_ulong(_SECCOMP_MODE_FILTER), ctypes.c_void_p(ctypes.addressof(head)))
    call = _prctl("SECCOMP", _PR_SET_SECCOMP, *mode, held=(memory, head))
    mark = struct.pack("<I", pid_mark)
    found = [at for at in range(0, len(program) - 3, 4) if program[at : at + 4] == mark]
    return FilterCall(call, tuple(ctypes.c_uint32.from_buffer(memory, at) for at in found))


def _prctl(name: str, option: int, *arguments: Any, held: tuple[Any, ...] = ()) -> Call:
    padding = (ctypes.c_ulong(0),) * (4 - len(arguments))
    every = (ctypes.c_int(option), *arguments, *padding)
    return Call(f"prctl({name})", _libc.prctl, every, held)
