# Right only if no pipe grows, and all pipes together hold no more than 8 MB.
import fcntl
import os


def pair_sum(a, b):
    held = 0
    pipes = []
    try:
        while True:
            pipes.append(os.pipe())
    except OSError:
        pass
    for _, into in pipes:
        try:
            fcntl.fcntl(into, fcntl.F_SETPIPE_SZ, 1 << 20)
        except OSError:
            pass
        else:
            raise RuntimeError("a larger pipe")
        fcntl.fcntl(into, fcntl.F_SETFL, os.O_NONBLOCK)
        try:
            while True:
                held += os.write(into, bytes(4096))
        except BlockingIOError:
            pass
    if held > 8 << 20:
        raise RuntimeError(held)
    return a + b
