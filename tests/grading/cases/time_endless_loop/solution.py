def pair_sum(a, b):
    while True:
        pass
