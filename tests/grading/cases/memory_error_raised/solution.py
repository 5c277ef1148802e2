def pair_sum(a, b):
    raise MemoryError
