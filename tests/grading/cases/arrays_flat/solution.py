import numpy as np


def scale_rows(rows, factor):
    return (rows * factor).ravel(), 20.0, [0, 1]
