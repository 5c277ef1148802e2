"""Sandboxes by kind, started when first needed and replaced after a fault.

Owns the lifetime of zygotes. Boxes may be opened from several threads; a box belongs to one.
"""

import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from types import TracebackType

from judge.domain.limits import Limits
from judge.errors import JudgeBroken
from submissions_sandbox import Box, Description, Profile, RunLimits, Sandbox, SandboxError


class Boxes:
    """One warm sandbox a kind. Use as a context manager."""

    def __init__(self, profiles: Mapping[str, Profile]) -> None:
        self._profiles = profiles
        self._sandboxes: dict[str, Sandbox] = {}
        self._lock = threading.Lock()

    def __enter__(self) -> "Boxes":
        """Start every sandbox.

        Raises:
            SandboxUnavailable: this machine cannot isolate.
        """
        with self._lock:
            for kind in self._profiles:
                self._sandbox(kind)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.restart()

    def open(self, kind: str) -> Box:
        """Open a box.

        Raises:
            JudgeBroken: the sandbox does not start, or breaks twice in a row.
        """
        with self._lock:
            with suppress(SandboxError):
                return self._sandbox(kind).open_box()
            self._end(kind)
            try:
                return self._sandbox(kind).open_box()
            except SandboxError as error:
                raise JudgeBroken(f"no box can be opened: {error}") from error

    def restart(self) -> None:
        """End every zygote; the next box starts a fresh one."""
        with self._lock:
            for kind in list(self._sandboxes):
                self._end(kind)

    def describe(self, kind: str) -> Description:
        """Tier, layers and the interpreter's versions of one kind, as it runs now."""
        with self._lock:
            return self._sandbox(kind).description

    def _end(self, kind: str) -> None:
        sandbox = self._sandboxes.pop(kind, None)
        if sandbox is not None:
            sandbox.close()

    def _sandbox(self, kind: str) -> Sandbox:
        if kind not in self._sandboxes:
            self._sandboxes[kind] = Sandbox(self._profiles[kind])
        return self._sandboxes[kind]


def run_limits(limits: Limits, time_factor: float = 1.0) -> RunLimits:
    """A test case's limits as the sandbox counts them."""
    return replace(
        RunLimits(),
        cpu_ms=round(limits.cpu_ms * time_factor),
        memory_kb=limits.memory_kb,
        stdout_bytes=limits.stdout_kb * 1024,
        result_bytes=limits.result_kb * 1024,
    )
