def pair_sum(a, b):
    return str(a + b)
