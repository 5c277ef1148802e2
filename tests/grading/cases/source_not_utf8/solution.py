def pair_sum(a, b):
    # ÿ
    return a + b
