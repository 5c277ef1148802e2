# A pipe that keeps the borders of what is written, does not wait, and signals.
import fcntl
import os

O_DIRECT, O_ASYNC = {"x86_64": 0o40000, "aarch64": 0o200000}[os.uname().machine], 0o20000


def pair_sum(a, b):
    for descriptor in (1, 2, 3):
        try:
            fcntl.fcntl(descriptor, fcntl.F_SETFL, O_DIRECT | O_ASYNC | os.O_NONBLOCK | os.O_APPEND)
        except OSError:
            pass
    os.write(1, b"one")
    os.write(1, b"two")
    return a + b
