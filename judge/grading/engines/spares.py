"""JVMs that were started ahead, each for one test case.

Owns them until they are taken. A spare is made for one set of limits; those for others are thrown
away when a program with other limits comes.
"""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from judge.grading.boxes import Boxes
from judge.grading.engines import jvm
from judge.grading.toolchains.found import JavaToolchain
from submissions_sandbox import Box, RunLimits, Spare

SPARES = 5


class Spares:
    """A few warm JVMs; lanes take them from several threads."""

    def __init__(self, boxes: Boxes, toolchain: JavaToolchain) -> None:
        self._boxes = boxes
        self._toolchain = toolchain
        self._lock = threading.Lock()
        self._limits = RunLimits()
        self._waiting: list[tuple[ExitStack, Box, Spare]] = []

    def fill(self, limits: RunLimits | None = None) -> None:
        """Start what is missing, for these limits or the last ones; does not wait for them.

        Raises:
            SandboxError: the sandbox broke.
        """
        with self._lock:
            if limits is not None and limits != self._limits:
                self._drop()
                self._limits = limits
            self._drop_dead()
            while len(self._waiting) < SPARES:
                self._waiting.append(self._start_in_own_box())

    @contextmanager
    def take(self, limits: RunLimits, box: Box) -> Iterator[Spare]:
        """One JVM, started before or, if none is left, now in ``box``; it ends with the context."""
        with self._lock:
            self._drop_dead()
            fits = limits == self._limits and self._waiting
            waiting = self._waiting.pop(0) if fits else None
        if waiting is not None:
            stack, _, spare = waiting
            with stack:
                yield spare
            return
        with self._start(box, limits) as spare:
            yield spare

    def close(self) -> None:
        """End all that were not taken."""
        with self._lock:
            self._drop()

    def _drop(self) -> None:
        for stack, _, _ in self._waiting:
            stack.close()
        self._waiting.clear()

    def _drop_dead(self) -> None:
        """Those whose zygote has ended ended with it."""
        for stack, box, _ in self._waiting:
            if not box.is_alive:
                stack.close()
        self._waiting = [one for one in self._waiting if one[1].is_alive]

    def _start_in_own_box(self) -> tuple[ExitStack, Box, Spare]:
        with ExitStack() as stack:
            box = stack.enter_context(self._boxes.open(jvm.KIND))
            spare = stack.enter_context(self._start(box, self._limits))
            return stack.pop_all(), box, spare

    def _start(self, box: Box, limits: RunLimits) -> Spare:
        folder = jvm.folder_in_box(self._boxes)
        argv = jvm.driver_argv(self._toolchain, folder, limits.memory_kb)
        return box.start(jvm.run_limits(limits), argv)
