import ctypes


def pair_sum(a, b):
    return ctypes.string_at(0)
