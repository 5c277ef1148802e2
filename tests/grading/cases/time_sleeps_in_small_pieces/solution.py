# Never waits for long, and never computes for long.
import time


def pair_sum(a, b):
    while True:
        time.sleep(0.01)
        sum(range(100))
