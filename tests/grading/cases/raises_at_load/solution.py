import numpy

numpy.no_such_name


def pair_sum(a, b):
    return a + b
