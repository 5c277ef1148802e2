def pair_sum(a, b):
    return 'x' * (1 << 24)
