import numpy as np


def pair_sum(a, b):
    return np.int64(a) + np.int64(b)
