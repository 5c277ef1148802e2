# Right only if standard input is at its end, however it is read, and nobody waits.
import os
import sys


def pair_sum(a, b):
    seen = [os.read(0, 100), sys.stdin.read(), sys.stdin.buffer.read(5), sys.stdin.readline(), *sys.stdin]
    seen.append(os.fdopen(os.dup(0), "rb").read())
    if any(seen):
        raise RuntimeError(seen)
    return a + b
