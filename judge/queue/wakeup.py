"""The bell: a wake-up between processes of one machine, over Unix datagram sockets.

Owns the folder ``bell/`` of the data directory. Never carries truth: a message only says that it is
worth looking at the database now, so every listener also looks by itself from time to time, and a
message that is lost, doubled or forged costs at most one query.

How it works: who listens binds a datagram socket with a random name inside the folder; who rings
sends its message to every socket that it finds there. Nothing blocks: a listener whose buffer is
full already has a reason to wake up, so its copy is dropped. A socket whose owner is dead answers
ECONNREFUSED and is removed by whoever rings next. Listeners bind before they look at the database,
so nothing falls between the look and the wait.

A Unix socket's address holds 108 bytes (unix(7)) while a data directory may lie deeper. Sockets are
therefore addressed through ``/proc/self/fd/<open folder>/<name>``, which is short at any depth.

Messages::

    lane:<name>             a lane, a language's or the verifier's, has work
    submission:<id>         the row of a submission changed
    revision:<id>           the verification of a revision ended
    run:<id>                the row of a run changed
    worker:<id>             the row of a worker changed
"""

import contextlib
import os
import secrets
import socket
from collections.abc import Iterator
from pathlib import Path

MAX_MESSAGE_BYTES = 256


class Bell:
    """Rings and listens in one folder. Holds no open file, so it may be shared by threads."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def ring(self, message: str) -> None:
        """Send ``message`` to everybody who listens; never waits and never fails."""
        payload = message.encode()[:MAX_MESSAGE_BYTES]
        # Whatever goes wrong here (no folder yet, no descriptor left), the caller's work is
        # committed and the listeners' own look at the database finds it.
        with contextlib.suppress(OSError), _opened(self._directory) as folder, _socket() as sender:
            for path in self._directory.iterdir():
                _send(sender, payload, path, _address(folder, path.name))

    def open(self) -> socket.socket:
        """A non-blocking socket that receives every message from now on.

        Raises:
            OSError: the folder cannot be made or written.
        """
        self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        listener = _socket()
        try:
            with _opened(self._directory) as folder:
                listener.bind(_address(folder, secrets.token_hex(8)))
        except OSError:
            listener.close()
            raise
        return listener

    def close(self, listener: socket.socket) -> None:
        """Stop listening; closing twice is harmless."""
        if listener.fileno() < 0:
            return
        name = Path(listener.getsockname()).name
        listener.close()
        (self._directory / name).unlink(missing_ok=True)


def drain(listener: socket.socket) -> tuple[str, ...]:
    """All messages that wait in the socket, oldest first, without waiting for more."""
    messages = []
    with contextlib.suppress(BlockingIOError):
        while True:
            messages.append(listener.recv(MAX_MESSAGE_BYTES).decode(errors="replace"))
    return tuple(messages)


def _socket() -> socket.socket:
    return socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)


def _send(sender: socket.socket, payload: bytes, path: Path, address: str) -> None:
    with contextlib.suppress(OSError):
        try:
            sender.sendto(payload, address)
        except ConnectionRefusedError:
            # Files of other kinds answer the same.
            if path.is_socket():
                path.unlink()


def _address(folder: int, name: str) -> str:
    return f"/proc/self/fd/{folder}/{name}"


@contextlib.contextmanager
def _opened(directory: Path) -> Iterator[int]:
    folder = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield folder
    finally:
        os.close(folder)
