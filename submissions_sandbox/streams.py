"""Pipes between the supervisor and a program; the supervisor's ends never block.

Of what a program writes, bytes past a cap are counted and thrown away, so the supervisor's memory
stays flat whatever the program prints.
"""

import fcntl
import os
from contextlib import suppress

_READ_BYTES = 1 << 16
# Most requests then go into the pipe in one piece; an unprivileged user may ask for as much.
_FEED_PIPE_BYTES = 1 << 20


class CappedPipe:
    """One pipe: give ``write_end`` to the program, then call ``close_write_end``."""

    def __init__(self, cap_bytes: int) -> None:
        self.read_end, self.write_end = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(self.read_end, False)
        self._cap_bytes = cap_bytes
        self._kept = bytearray()
        self.dropped = 0
        self.open = True

    @property
    def over(self) -> bool:
        """Whether the program wrote more than the cap."""
        return self.dropped > 0

    @property
    def data(self) -> bytes:
        """What was kept: the head of the stream."""
        return bytes(self._kept)

    def take(self, size: int) -> bytes:
        """Take the first bytes of what was kept away, so that their room is free again."""
        head = bytes(self._kept[:size])
        del self._kept[:size]
        return head

    def close_write_end(self) -> None:
        """Close the supervisor's copy of the program's end."""
        os.close(self.write_end)
        self.write_end = -1

    def read_some(self) -> None:
        """Take one chunk of what is there; marks the pipe closed at its end."""
        try:
            chunk = os.read(self.read_end, _READ_BYTES)
        except BlockingIOError:
            return
        if not chunk:
            self.open = False
            return
        room = self._cap_bytes - len(self._kept)
        self._kept += chunk[:room]
        self.dropped += max(0, len(chunk) - room)

    def drain(self) -> None:
        """Take all that is there, up to the cap; for after the program's end."""
        while self.open and not self.over:
            before = len(self._kept)
            self.read_some()
            if len(self._kept) == before and not self.over:
                return

    def close(self) -> None:
        """Close both ends."""
        for descriptor in (self.read_end, self.write_end):
            if descriptor >= 0:
                os.close(descriptor)
        self.read_end = self.write_end = -1


class FeedPipe:
    """A program's standard input where the request follows later: give it ``read_end``."""

    def __init__(self) -> None:
        self.read_end, self.write_end = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(self.write_end, False)
        with suppress(OSError):
            fcntl.fcntl(self.write_end, fcntl.F_SETPIPE_SZ, _FEED_PIPE_BYTES)
        self._waiting = memoryview(b"")
        self._is_last = False

    @property
    def pending(self) -> bool:
        """Whether bytes wait to be written."""
        return len(self._waiting) > 0

    def put(self, content: bytes, *, is_last: bool) -> None:
        """Write what fits now, the rest by ``write_some``; the last content ends the input."""
        self._waiting, self._is_last = memoryview(content), is_last
        self.write_some()

    def write_some(self) -> None:
        """Write what fits; a program that does not listen any more loses the rest."""
        try:
            while self.pending:
                self._waiting = self._waiting[os.write(self.write_end, self._waiting) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._waiting = memoryview(b"")
        if self._is_last:
            self.close_write_end()

    def close_write_end(self) -> None:
        """End the program's input."""
        if self.write_end >= 0:
            os.close(self.write_end)
            self.write_end = -1

    def close_read_end(self) -> None:
        """Close the supervisor's copy of the program's end."""
        if self.read_end >= 0:
            os.close(self.read_end)
            self.read_end = -1

    def close(self) -> None:
        """Close both ends."""
        self.close_read_end()
        self.close_write_end()
