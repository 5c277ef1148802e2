import os


def pair_sum(a, b):
    os._exit(7)
