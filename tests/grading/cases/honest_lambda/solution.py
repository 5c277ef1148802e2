pair_sum = lambda a, b: a + b
