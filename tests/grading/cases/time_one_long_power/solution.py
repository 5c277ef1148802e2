# One call into C that never comes back and never lets another thread run.
def pair_sum(a, b):
    return (3 ** (10**8)) % 7 + a + b
