"""Pipes that a program writes and the supervisor reads, with a cap.

The read end never blocks. Bytes past the cap are counted and thrown away, so the supervisor's
memory stays flat whatever the program prints.
"""

import os

_READ_BYTES = 1 << 16


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
