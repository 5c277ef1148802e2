import numpy as np


def scale_rows(rows, factor):
    return np.full_like(rows, np.inf), -np.inf, [0] * len(rows)
