import threading


def pair_sum(a, b):
    everybody = threading.Barrier(7)
    parts = []

    def add(x):
        parts.append(x)
        everybody.wait()

    threads = [threading.Thread(target=add, args=(x,)) for x in [a, b] + [0] * 4]
    for thread in threads:
        thread.start()
    everybody.wait()
    for thread in threads:
        thread.join()
    return sum(parts)
