"""A program that was started ahead of its request, so that its start costs nobody's time.

A program that was started by argv says that it is warm by one byte on its result descriptor, before
it has read anything; a preloaded one is warm as soon as it is isolated. Then it either answers one
request and ends (``run``), or many of them (``ask``); a conversation is frames of a little-endian
u32 length and as many bytes, both ways.
"""

from collections.abc import Sequence

from submissions_sandbox.closing import ClosedAtEnd
from submissions_sandbox.outcome import Outcome, SandboxError
from submissions_sandbox.streams import CappedPipe, FeedPipe
from submissions_sandbox.watch import RunWatch

_WARM = b"W"
_LENGTH_BYTES = 4
_SHOWN_BYTES = 500


class Spare(ClosedAtEnd):
    """One started program; made by ``Box.start``. Use as a context manager."""

    def __init__(
        self,
        watch: RunWatch,
        streams: Sequence[CappedPipe],
        feed: FeedPipe,
        *,
        says_when_warm: bool,
    ) -> None:
        self._watch = watch
        self._streams = streams
        self._feed = feed
        self._says_when_warm = says_when_warm
        self._is_warm = False

    def close(self) -> None:
        """Let go of it; what still runs ends with its box."""
        self._watch.close()
        self._feed.close()
        for stream in self._streams:
            stream.close()

    def wait_until_warm(self) -> None:
        """Wait for the program's word that it is warm.

        Raises:
            SandboxError: it ended instead, or said something else.
        """
        if self._is_warm:
            return
        result = self._streams[2]
        ended = self._watch.follow_until_warm(says_so=self._says_when_warm)
        if ended is not None or (self._says_when_warm and result.take(1) != _WARM):
            said = self._streams[1].data[-_SHOWN_BYTES:].decode("utf-8", "replace")
            raise SandboxError(f"a program did not become warm: {ended and ended.kind}: {said}")
        self._is_warm = True

    def run(self, request: bytes, idle_kill_s: float | None = None) -> Outcome:
        """Hand over the only request and wait for the end.

        Args:
            request: what the program reads.
            idle_kill_s: for how long it may idle, in place of what its limits say.

        Raises:
            SandboxError: the sandbox broke, or the program had ended before.
        """
        self.wait_until_warm()
        if idle_kill_s is not None:
            self._watch.idle_kill_s = idle_kill_s
        self._watch.begin(request, is_last=True)
        return self._watch.follow()

    def ask(self, request: bytes) -> bytes | Outcome:
        """Hand over one request of many; the answer, or how the program ended over it.

        Raises:
            SandboxError: as run.
        """
        self.wait_until_warm()
        frame = len(request).to_bytes(_LENGTH_BYTES, "little") + request
        self._watch.begin(frame, is_last=False)
        ended = self._watch.follow_until(self._has_answer)
        if ended is not None:
            return ended
        self._watch.rest()
        return self._streams[2].take(self._answer_bytes())[_LENGTH_BYTES:]

    def _has_answer(self) -> bool:
        received = len(self._streams[2].data)
        return received >= _LENGTH_BYTES and received >= self._answer_bytes()

    def _answer_bytes(self) -> int:
        head = self._streams[2].data[:_LENGTH_BYTES]
        return _LENGTH_BYTES + int.from_bytes(head, "little")
