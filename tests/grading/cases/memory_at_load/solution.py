block = bytearray(2**31)


def pair_sum(a, b):
    return a + b
