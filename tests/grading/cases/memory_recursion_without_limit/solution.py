import sys

sys.setrecursionlimit(10**9)


def deeper(n):
    return deeper(n + 1) + 1


def pair_sum(a, b):
    return deeper(a) + b
