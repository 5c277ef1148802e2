def pair_sum(a, b):
    keep = [b"x" * (1 << 20) for _ in range(600)]
    return a + b + len(keep) - 600
