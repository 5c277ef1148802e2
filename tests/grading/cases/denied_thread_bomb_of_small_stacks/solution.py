# Right only if ten thousand threads can be had.
import _thread
import threading

threading.stack_size(32768)


def pair_sum(a, b):
    stop = _thread.allocate_lock()
    stop.acquire()
    for _ in range(10_000):
        _thread.start_new_thread(stop.acquire, ())
    return a + b
