import sys


def pair_sum(a, b):
    sys.stdout.write("x" * 10_000_000)
    return a + b
