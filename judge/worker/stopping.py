"""When a process has to stop.

Owns the signals SIGTERM and SIGINT of the process and, for a supervised worker, its standard
input: the supervisor holds the other end of that pipe and writes nothing, so its end of file means
that the supervisor is gone, however it died. Nobody is left then who would restart the worker.

How it works: the kernel may deliver a signal to any thread, while Python runs its handler in the
main thread only, and a main thread that waits for a lock does not wake up for it. The byte that the
interpreter writes to the wake-up descriptor (signal.set_wakeup_fd) comes at once whatever the
main thread does. So a thread of its own waits for that byte and sets the event; the handlers do
nothing but take the place of the default action.
"""

import os
import select
import signal
import socket
import threading

SIGNALS = (signal.SIGTERM, signal.SIGINT)
# The descriptor itself: the buffered sys.stdin must not be locked when Python ends.
_STANDARD_INPUT = 0


def stop_event(*, supervised: bool = False) -> threading.Event:
    """An event that is set when this process has to stop; call it once, from the main thread.

    Args:
        supervised: whether the end of standard input means it too.
    """
    stop = threading.Event()
    ours, interpreters = socket.socketpair()
    interpreters.setblocking(False)
    signal.set_wakeup_fd(interpreters.fileno(), warn_on_full_buffer=False)
    for number in SIGNALS:
        signal.signal(number, _do_nothing)
    threading.Thread(
        target=_watch, args=(stop, ours, interpreters, supervised), name="stop-watch", daemon=True
    ).start()
    return stop


def _do_nothing(_number: int, _frame: object) -> None:
    """The wake-up descriptor has told the watching thread already."""


def _watch(
    stop: threading.Event, ours: socket.socket, interpreters: socket.socket, supervised: bool
) -> None:
    poller = select.poll()
    poller.register(ours, select.POLLIN)
    if supervised:
        poller.register(_STANDARD_INPUT, select.POLLIN)
    # For ever, because this thread holds the interpreter's end of the pair open: a signal that
    # comes while the process is already stopping is written there too.
    while interpreters.fileno() >= 0:
        ready = [descriptor for descriptor, _ in poller.poll()]
        if ours.fileno() in ready and set(ours.recv(64)) & set(SIGNALS):
            stop.set()
        if _STANDARD_INPUT in ready and not os.read(_STANDARD_INPUT, 4096):
            poller.unregister(_STANDARD_INPUT)
            stop.set()
