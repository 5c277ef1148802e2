"""An interpreter of the classic BPF that filters are made of, with the kernel's checks.

Written from linux/filter.h and linux/seccomp.h, apart from the assembler that it tests.
"""

import struct

LONGEST_PROGRAM = 4096
_DATA_BYTES = 64
_LOAD, _RETURN, _JUMP, _EQUAL, _AT_LEAST, _ANY_BIT = 0x20, 0x06, 0x05, 0x15, 0x35, 0x45


class BpfMachine:
    """One program, decoded once."""

    def __init__(self, program: bytes) -> None:
        self.instructions = list(struct.iter_unpack("<HBBI", program))
        assert 0 < len(self.instructions) <= LONGEST_PROGRAM
        for place, instruction in enumerate(self.instructions):
            self._check(place, *instruction)

    def _check(self, place: int, code: int, if_true: int, if_false: int, value: int) -> None:
        """As the kernel does before it takes a program."""
        rest = len(self.instructions) - place - 1
        if code == _LOAD:
            assert value % 4 == 0
            assert value < _DATA_BYTES
            assert rest > 0
        elif code == _JUMP:
            assert value < rest
        elif code in (_EQUAL, _AT_LEAST, _ANY_BIT):
            assert max(if_true, if_false) < rest
        else:
            assert code == _RETURN

    def __call__(self, number: int, architecture: int, arguments: list[int]) -> int:
        """The filter's answer to a call."""
        data = struct.pack("<IIQ6Q", number, architecture, 0x7F00_0000_1234, *arguments)
        words = struct.unpack("<16I", data)
        place = accumulator = 0
        while True:
            code, if_true, if_false, value = self.instructions[place]
            place += 1
            if code == _RETURN:
                return int(value)
            if code == _LOAD:
                accumulator = words[value // 4]
            elif code == _JUMP:
                place += value
            else:
                place += if_true if _holds(code, accumulator, value) else if_false


def _holds(code: int, accumulator: int, value: int) -> bool:
    if code == _EQUAL:
        return accumulator == value
    return accumulator >= value if code == _AT_LEAST else bool(accumulator & value)
