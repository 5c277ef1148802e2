def pair_sum(a, b):
    return pair_sum(a, b)
