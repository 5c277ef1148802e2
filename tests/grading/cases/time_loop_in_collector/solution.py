# Loops in a callback of the collector and in a finalizer, not in the function.
import gc


class Last:
    def __del__(self):
        while True:
            pass


def pair_sum(a, b):
    gc.callbacks.append(lambda phase, info: Last())
    gc.collect()
    return a + b
