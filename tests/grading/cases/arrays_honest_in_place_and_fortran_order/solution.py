import numpy as np


def scale_rows(rows, factor):
    rows *= factor
    return np.asfortranarray(rows), rows.sum(), np.argsort(rows[:, 0])
