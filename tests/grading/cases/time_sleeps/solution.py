import time


def pair_sum(a, b):
    time.sleep(60)
