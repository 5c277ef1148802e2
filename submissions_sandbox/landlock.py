"""Landlock: rules on paths that a process puts on itself and that no exec or fork takes off.

In a box with a root of its own they are a second wall behind the mount namespace; where there are
no namespaces they are the first. A rule set is made once a zygote and entered by every test
process. A rule on a folder holds for everything below it, mounts included. Numbers and structures
are those of linux/landlock.h; a right that this kernel does not know is left out, and ``abi`` says
how much it knows: 1 paths, 2 renames between folders, 3 truncation, 4 TCP, 5 device ioctls,
6 abstract sockets and signals of others.
"""

import ctypes
import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from submissions_sandbox.kernel import system_call

_CREATE_RULESET, _ADD_RULE, RESTRICT_SELF = 444, 445, 446
_CREATE_VERSION = 1
_PATH_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE, _MAKE_CHAR, _MAKE_DIR, _MAKE_REG = (1 << n for n in range(4, 9))
_MAKE_SOCK, _MAKE_FIFO, _MAKE_BLOCK, _MAKE_SYM, _REFER = (1 << n for n in range(9, 14))
_TRUNCATE, _IOCTL_DEV = 1 << 14, 1 << 15
_ABI_1 = (1 << 13) - 1
# What each version of the interface adds to the rights on paths.
_ADDED = ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL_DEV))
_NET_TCP = 0b11
_SCOPES = 0b11
_ABI_NET, _ABI_SCOPES = 4, 6

READ_TREE = EXECUTE | READ_FILE | READ_DIR
READ_WRITE_FILE = READ_FILE | WRITE_FILE
# All that a private folder is for; nothing in it can be executed.
SCRATCH = (
    READ_FILE | READ_DIR | WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE
    | _MAKE_DIR | _MAKE_REG | _MAKE_FIFO | _REFER | _TRUNCATE
)  # fmt: skip
_FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | _TRUNCATE | _IOCTL_DEV


@dataclass(frozen=True)
class Allowed:
    """Rights on a path and all below it; a path that does not exist allows nothing."""

    path: str
    rights: int


def abi() -> int:
    """The version that this kernel offers; 0 where it offers none."""
    try:
        return system_call(
            _CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_CREATE_VERSION)
        )
    except OSError:
        return 0


def make_ruleset(allowed: Sequence[Allowed], version: int) -> int:
    """A rule set that denies everything but what is allowed; returns its descriptor.

    Raises:
        OSError: the kernel refused.
    """
    handled = _ABI_1
    for since, rights in _ADDED:
        handled |= rights if version >= since else 0
    attributes = struct.pack(
        "<QQQ",
        handled,
        _NET_TCP if version >= _ABI_NET else 0,
        _SCOPES if version >= _ABI_SCOPES else 0,
    )
    # An older kernel takes a longer structure whose tail is zero.
    ruleset = system_call(
        _CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0)
    )
    os.set_inheritable(ruleset, False)
    for one in allowed:
        if Path(one.path).exists():
            _allow(ruleset, one, handled)
    return ruleset


def _allow(ruleset: int, allowed: Allowed, handled: int) -> None:
    descriptor = os.open(allowed.path, os.O_PATH | os.O_CLOEXEC)
    try:
        is_folder = Path(allowed.path).is_dir()
        rights = allowed.rights & handled & (~0 if is_folder else _FILE_RIGHTS)
        rule = struct.pack("<Qi", rights, descriptor)
        system_call(
            _ADD_RULE,
            ctypes.c_int(ruleset),
            ctypes.c_int(_PATH_BENEATH),
            rule,
            ctypes.c_uint32(0),
        )
    finally:
        os.close(descriptor)
