import os


def pair_sum(a, b):
    while True:
        os.write(2, b'x' * 4096)
