# Much to decode and compare, within the cap on bytes.
import numpy as np


def scale_rows(rows, factor):
    return rows * factor, float(rows.sum()), np.arange(900_000)
