import threading


def pair_sum(a, b):
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
