# One call into C: a million times a million products.
import numpy as np


def pair_sum(a, b):
    ones = np.ones(10**6)
    return int(np.correlate(ones, ones, "full")[0]) + a + b
