def pair_sum(a, b):
    raise KeyboardInterrupt
