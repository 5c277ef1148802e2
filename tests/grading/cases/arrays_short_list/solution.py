import numpy as np


def scale_rows(rows, factor):
    return rows * factor, rows.sum() * factor, [0]
