"""What the program in the box says of each call, found among whatever else it wrote.

Nothing of it is believed for more than a comparison: a program that was made to write nonsense only
says less.
"""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

TOKEN_BYTES = 8
_BEFORE = struct.Struct("<IIQ6Q")
_AFTER = struct.Struct("<IIq")
_OPEN = struct.Struct("<IIQQ")
_PID = struct.Struct("<I")
_LAYOUTS = {b"p": _PID, b"b": _BEFORE, b"a": _AFTER, b"f": _OPEN}


@dataclass(frozen=True)
class Made:
    """One call that a thread was about to make, and what came of it; None: it did not come back."""

    index: int
    thread: int
    number: int
    words: tuple[int, ...]
    result: int | None


@dataclass(frozen=True)
class Opened:
    """A descriptor that was open at the end."""

    descriptor: int
    flags: int
    device: int
    inode: int


@dataclass(frozen=True)
class Said:
    """All that a program said: its pid, calls in about the order of their ends, what was open."""

    own_pid: int
    made: list[Made]
    opened: list[Opened]


def read_records(said: bytes, token: bytes) -> Said:
    """What the program said; a call without an end stands last."""
    own_pid = 0
    begun: dict[tuple[int, int], Made] = {}
    made: list[Made] = []
    opened: list[Opened] = []
    for kind, fields in _records(said, token):
        if kind == b"f":
            opened.append(Opened(*fields))
            continue
        if kind == b"p":
            own_pid = own_pid or fields[0]
            continue
        key = fields[:2]
        if key in begun:
            made.append(begun.pop(key))
        if kind == b"b":
            begun[key] = Made(key[0], key[1], fields[2], tuple(fields[3:]), None)
        elif made and (made[-1].index, made[-1].thread) == key:
            last = made.pop()
            made.append(Made(last.index, last.thread, last.number, last.words, fields[2]))
    return Said(own_pid, made + list(begun.values()), opened)


def _records(said: bytes, token: bytes) -> Iterator[tuple[bytes, tuple[int, ...]]]:
    for match in re.finditer(re.escape(token) + b"([pbaf])", said):
        layout = _LAYOUTS[match[1]]
        if match.end() + layout.size <= len(said):
            yield match[1], layout.unpack_from(said, match.end())
