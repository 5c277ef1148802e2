import numpy as np


def scale_rows(rows, factor):
    return rows * factor, np.float64('nan'), np.argsort(rows[:, 0])
