pair_sum = 3
