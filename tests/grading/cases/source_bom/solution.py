def pair_sum(a, b):
    return a + b
