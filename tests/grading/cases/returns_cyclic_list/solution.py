def pair_sum(a, b):
    loop = []
    loop.append(loop)
    return loop
