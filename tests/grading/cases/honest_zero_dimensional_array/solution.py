import numpy as np


def pair_sum(a, b):
    return np.array(a) + np.array(b)
