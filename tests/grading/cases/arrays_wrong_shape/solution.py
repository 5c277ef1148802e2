import numpy as np


def scale_rows(rows, factor):
    return (rows * factor).T[:1], 20.0, [0, 1]
