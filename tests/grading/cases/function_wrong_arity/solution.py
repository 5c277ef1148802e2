def pair_sum(a):
    return a
