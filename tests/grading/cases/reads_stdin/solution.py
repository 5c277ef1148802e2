def pair_sum(a, b):
    return int(input())
