# Asks a library that was loaded before the fork for threads of its own.
import ctypes
import glob

import numpy as np


def pair_sum(a, b):
    for path in glob.glob("/python/packages/numpy.libs/*blas*"):
        library = ctypes.CDLL(path)
        for name in ("scipy_openblas_set_num_threads64_", "openblas_set_num_threads64_", "openblas_set_num_threads"):
            if hasattr(library, name):
                getattr(library, name)(8)
    block = np.ones((400, 400))
    for _ in range(5):
        block = block @ np.ones((400, 400)) / 400
    return a + b + round(float(block[0, 0])) - 1
