def pair_sum(a, b):
    a + b
