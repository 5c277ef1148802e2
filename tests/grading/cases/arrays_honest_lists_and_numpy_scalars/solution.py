import numpy as np


def scale_rows(rows, factor):
    scaled = rows * factor
    return [scaled.tolist(), scaled.sum(), np.argsort(scaled[:, 0])]
