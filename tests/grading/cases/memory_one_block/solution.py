def pair_sum(a, b):
    bytearray(2**31)
    return a + b
