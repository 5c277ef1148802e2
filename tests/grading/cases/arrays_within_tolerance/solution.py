import numpy as np


def scale_rows(rows, factor):
    scaled = rows * factor * (1 + 1e-12)
    return scaled, scaled.sum(), np.argsort(scaled[:, 0])
