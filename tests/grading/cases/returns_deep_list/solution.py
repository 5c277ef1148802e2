def pair_sum(a, b):
    deep = a + b
    for _ in range(100_000):
        deep = [deep]
    return deep
