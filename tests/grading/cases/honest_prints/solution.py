import sys


def pair_sum(a, b):
    print("sum of", a, b, "→ được")
    print("to stderr", file=sys.stderr)
    return a + b
