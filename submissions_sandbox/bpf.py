"""A small assembler for seccomp's classic BPF programs.

A program is a list of instructions of 8 bytes. Blocks are built from leaves up: a block is a list
of instructions that always ends in a return, so blocks can be put one behind the other and a jump
only needs the length of what it skips. Offsets of conditional jumps are one byte; ``branch``
uses an unconditional jump where a block is longer than that.
"""

import struct
from collections.abc import Mapping

Instruction = tuple[int, int, int, int]
Block = list[Instruction]

_LOAD_WORD = 0x20
_JUMP_EQUAL = 0x15
_JUMP_GREATER_OR_EQUAL = 0x35
_JUMP_ANY_BIT_SET = 0x45
_JUMP_ALWAYS = 0x05
_RETURN = 0x06
_LONGEST_SHORT_JUMP = 255

RETURN_ALLOW = 0x7FFF0000
RETURN_KILL_PROCESS = 0x80000000
_RETURN_ERRNO = 0x00050000

# Offsets into struct seccomp_data (linux/seccomp.h) on a little-endian machine.
OFFSET_NUMBER = 0
OFFSET_ARCHITECTURE = 4
_OFFSET_ARGUMENTS = 16


def returns(value: int) -> Block:
    """Return a fixed action."""
    return [(_RETURN, 0, 0, value)]


def returns_errno(number: int) -> Block:
    """Let the call fail with an errno."""
    return returns(_RETURN_ERRNO | number)


def load(offset: int) -> Instruction:
    """Load a 32-bit word of seccomp_data into the accumulator."""
    return (_LOAD_WORD, 0, 0, offset)


def argument_low(index: int) -> int:
    """Offset of the low word of a call's argument."""
    return _OFFSET_ARGUMENTS + 8 * index


def argument_high(index: int) -> int:
    """Offset of the high word of a call's argument."""
    return _OFFSET_ARGUMENTS + 8 * index + 4


def if_equal(value: int, then: Block, otherwise: Block) -> Block:
    """Branch on accumulator == value."""
    return branch(_JUMP_EQUAL, value, then, otherwise)


def if_any_bit(mask: int, then: Block, otherwise: Block) -> Block:
    """Branch on accumulator & mask."""
    return branch(_JUMP_ANY_BIT_SET, mask, then, otherwise)


def branch(operation: int, value: int, then: Block, otherwise: Block) -> Block:
    """Conditional jump over ``then`` to ``otherwise``; both blocks end in a return."""
    if len(then) <= _LONGEST_SHORT_JUMP:
        return [(operation, 0, len(then), value), *then, *otherwise]
    return [
        (operation, 0, 1, value),
        (_JUMP_ALWAYS, 0, 0, 1),
        (_JUMP_ALWAYS, 0, 0, len(then)),
        *then,
        *otherwise,
    ]


def dispatch(cases: Mapping[int, Block], otherwise: Block) -> Block:
    """Binary search over the accumulator: the block of the equal key, or ``otherwise``.

    Keys that follow one another with the same block become one range. Every run loads a filter and
    every call passes it, so both the length and the depth of the program matter.
    """
    ranges: list[tuple[int, Block]] = [(0, otherwise)]
    for key in sorted(cases):
        # The key just below already opened a range that starts here.
        if ranges[-1][0] == key:
            ranges.pop()
        if not ranges or ranges[-1][1] != cases[key]:
            ranges.append((key, cases[key]))
        ranges.append((key + 1, otherwise))
    return _search(ranges)


def _search(ranges: list[tuple[int, Block]]) -> Block:
    if len(ranges) == 1:
        return ranges[0][1]
    middle = len(ranges) // 2
    upper, lower = _search(ranges[middle:]), _search(ranges[:middle])
    return branch(_JUMP_GREATER_OR_EQUAL, ranges[middle][0], upper, lower)


def encode(program: Block) -> bytes:
    """The kernel's form: struct sock_filter after struct sock_filter."""
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in program)
