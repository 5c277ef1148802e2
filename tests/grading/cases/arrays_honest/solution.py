import numpy as np


def scale_rows(rows, factor):
    scaled = rows * factor
    return scaled, float(scaled.sum()), [int(i) for i in np.argsort(scaled[:, 0])]
