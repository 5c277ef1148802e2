# The reported peak is within 5 % of the limit of 64 MB.
def pair_sum(a, b):
    keep = []
    while True:
        keep.append(b"x" * (1 << 20))
