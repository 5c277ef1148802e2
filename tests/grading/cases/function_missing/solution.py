def pair_sun(a, b):
    return a + b
