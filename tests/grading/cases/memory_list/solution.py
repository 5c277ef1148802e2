def pair_sum(a, b):
    return ([a + b] * 10**9)[0]
