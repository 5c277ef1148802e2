"""Boxes that wait for a submission, each with a first process that is isolated already.

While nothing is judged a few of them are kept, so that a submission's first runs begin at once.
Made ready during a submission they would only take the time of those that run.
"""

import threading
from collections.abc import Sequence
from contextlib import suppress

from judge.grading.boxes import Boxes
from submissions_sandbox import Box, Outcome, RunLimits, SandboxError, Spare

# One a lane.
READY = 2


class PreparedBox:
    """A box, and perhaps the process that will answer its first request. A context manager."""

    def __init__(self, box: Box, spare: Spare | None = None) -> None:
        self._box = box
        self._spare = spare

    def __enter__(self) -> "PreparedBox":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def run(self, request: bytes, limits: RunLimits, idle_kill_s: float | None = None) -> Outcome:
        """Run the profile's program on a request; errors as Box.run."""
        if self._spare is None:
            return self._box.run(request, limits, idle_kill_s=idle_kill_s)
        spare, self._spare = self._spare, None
        with spare:
            return spare.run(request, idle_kill_s)

    @property
    def is_alive(self) -> bool:
        """Whether it can still be used."""
        return self._box.is_alive

    def close(self) -> None:
        """End it."""
        if self._spare is not None:
            self._spare.close()
        self._box.close()


class PreparedBoxes:
    """Keeps boxes of one kind ready; lanes take them from several threads."""

    def __init__(self, boxes: Boxes, kind: str) -> None:
        self._boxes = boxes
        self._kind = kind
        self._lock = threading.Lock()
        self._limits = RunLimits()
        self._ready: list[PreparedBox] = []

    def take(self, limits: RunLimits) -> PreparedBox:
        """One box for runs with these limits; a fresh one where none waits for them.

        Raises:
            JudgeBroken: no box can be opened.
        """
        with self._lock:
            if limits != self._limits:
                self._drop(self._ready)
                self._limits = limits
            self._drop_dead()
            if self._ready:
                return self._ready.pop()
        return PreparedBox(self._boxes.open(self._kind))

    def fill(self) -> None:
        """Make ready what is missing, for the limits that were asked for last.

        Raises:
            SandboxError: the sandbox broke.
        """
        with self._lock:
            self._drop_dead()
            while len(self._ready) < READY:
                box = self._boxes.open(self._kind)
                try:
                    self._ready.append(PreparedBox(box, box.start(self._limits)))
                except SandboxError:
                    box.close()
                    raise

    def close(self) -> None:
        """End all that wait."""
        with self._lock:
            self._drop(self._ready)

    def _drop_dead(self) -> None:
        """Let go of those whose zygote was killed while they waited."""
        self._drop([prepared for prepared in self._ready if not prepared.is_alive])

    def _drop(self, dropped: Sequence[PreparedBox]) -> None:
        self._ready = [prepared for prepared in self._ready if prepared not in dropped]
        for prepared in dropped:
            with suppress(SandboxError):
                prepared.close()
