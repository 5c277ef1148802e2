# Asks for a core file.
import os
import resource
import signal


def pair_sum(a, b):
    if resource.getrlimit(resource.RLIMIT_CORE) != (0, 0):
        return a + b
    os.kill(os.getpid(), signal.SIGQUIT)
