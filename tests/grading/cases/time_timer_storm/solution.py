# Signals interrupt whatever is interrupted by them, ten thousand times a second.
import signal


def pair_sum(a, b):
    for timer, number in ((signal.ITIMER_REAL, signal.SIGALRM), (signal.ITIMER_PROF, signal.SIGPROF)):
        signal.signal(number, lambda *_: None)
        signal.setitimer(timer, 0.0001, 0.0001)
    while True:
        pass
