# Right only if the stacks and blocks of many small threads could hold 600 MB. A thread that gets no
# memory may leave the one that started it waiting.
import threading

threading.stack_size(256 * 1024)


def pair_sum(a, b):
    keep, wait = [], threading.Event()

    def hold():
        keep.append(b"x" * (1 << 20))
        wait.wait()

    for _ in range(600):
        threading.Thread(target=hold, daemon=True).start()
    while len(keep) < 600:
        pass
    return a + b
