import sys

sys.stdout = None


def pair_sum(a, b):
    return a + b
