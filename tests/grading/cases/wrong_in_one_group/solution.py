def pair_sum(a, b):
    return int(float(a) + float(b))
