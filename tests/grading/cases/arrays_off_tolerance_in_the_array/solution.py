import numpy as np


def scale_rows(rows, factor):
    scaled = rows * factor
    scaled[1, 0] += 1
    return scaled, rows.sum() * factor, np.argsort(rows[:, 0])
