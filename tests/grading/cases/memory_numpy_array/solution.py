import numpy as np


def pair_sum(a, b):
    return int(np.ones(10**9)[0]) + a + b - 1
