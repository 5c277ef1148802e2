import sys

sys.setrecursionlimit(10**9)


def deeper(_):
    return sorted([0], key=deeper)[0]


def pair_sum(a, b):
    return deeper(a) + b
