import os


def pair_sum(a, b):
    os.abort()
