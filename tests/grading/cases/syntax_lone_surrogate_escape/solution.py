def pair_sum(a, b):
    return '\ud800'
