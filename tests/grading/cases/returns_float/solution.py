def pair_sum(a, b):
    return float(a + b)
