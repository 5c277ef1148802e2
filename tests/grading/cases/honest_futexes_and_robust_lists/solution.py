# Shared futexes, barriers of all processes, a broken robust list and a false rseq area: contained.
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
FUTEX, MEMBARRIER, ROBUST, RSEQ = {
    "x86_64": (202, 324, 273, 334),
    "aarch64": (98, 283, 99, 293),
}[os.uname().machine]
word = (ctypes.c_uint32 * 4)()
head = (ctypes.c_uint64 * 3)()


def call(number, *arguments):
    plain = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    return libc.syscall(ctypes.c_long(number), *plain)


def pair_sum(a, b):
    for operation in range(16):
        for flags in (0, 128, 256):
            if operation | flags not in (0, 6, 9, 11, 13, 128, 134, 137, 139, 141, 256, 265, 267, 269):
                call(FUTEX, word, operation | flags, 1, None, word, 0)
    for command in (0, 1, 2, 4, 8, 16, 32, 64):
        call(MEMBARRIER, command, 0, 0)
    head[0], head[1], head[2] = 1, 1 << 40, ctypes.addressof(word)
    for _ in range(64):
        call(ROBUST, head, 24)
    call(RSEQ, ctypes.byref(word, 1), 32, 0, 0)
    return a + b
