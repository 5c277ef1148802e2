import threading


def pair_sum(a, b):
    parts = []
    threads = [threading.Thread(target=parts.append, args=(x,)) for x in (a, b)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(parts)
