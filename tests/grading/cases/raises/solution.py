def pair_sum(a, b):
    return helper(a - a)


def helper(zero):
    return 1 // zero
