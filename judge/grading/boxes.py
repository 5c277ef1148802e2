"""Sandboxes by kind: started together, used in turn, replaced when they are worn or broken.

Owns the lifetime of zygotes. A kind that a submission uses in two lanes at once has two of them.
One that was killed is started again at once, and one that has opened many boxes is replaced when
nobody uses it: a heap wears, and its addresses are the same in every box. Boxes may be opened from
several threads; a box belongs to one.
"""

import logging
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from types import TracebackType

from judge.domain.limits import Limits
from judge.errors import JudgeBroken
from submissions_sandbox import (
    Box,
    Description,
    Groups,
    Profile,
    RunLimits,
    Sandbox,
    SandboxError,
    Tier,
)

log = logging.getLogger(__name__)

BOXES_PER_ZYGOTE = 2000
_LOOK_EVERY_S = 0.25
_AFTER_FAULT_S = 5.0


@dataclass
class _Place:
    """One zygote's place in the pool; empty only while none can be started."""

    kind: str
    sandbox: Sandbox | None = None


class Boxes:
    """Some warm sandboxes a kind. Use as a context manager."""

    def __init__(
        self,
        profiles: Mapping[str, Profile],
        *,
        side_by_side: Iterable[str] = (),
        tier: Tier = Tier.A,
        groups: Groups | None = None,
    ) -> None:
        """``side_by_side`` are the kinds of which two are kept, for two lanes.

        ``tier`` is that of this machine; nobody judges in another.
        """
        self._profiles = profiles
        self.tier = tier
        twice = [kind for kind in profiles if kind in set(side_by_side)]
        self._places = [_Place(kind) for kind in (*profiles, *twice)]
        self._groups = groups
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._watcher: threading.Thread | None = None

    def __enter__(self) -> "Boxes":
        """Start every sandbox, and watch over them.

        Raises:
            SandboxUnavailable: this machine cannot isolate.
        """
        with self._lock:
            self._start_all(self._places)
        self._stopping.clear()
        self._watcher = threading.Thread(target=self._watch, name="zygotes", daemon=True)
        self._watcher.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stopping.set()
        if self._watcher is not None:
            self._watcher.join()
        self.restart()

    def open(self, kind: str) -> Box:
        """Open a box.

        Raises:
            JudgeBroken: the sandbox does not start, or breaks twice in a row.
        """
        with self._lock:
            place = self._least_used(kind)
            with suppress(SandboxError):
                return self._sandbox(place).open_box()
            self._end(place)
            try:
                return self._sandbox(place).open_box()
            except SandboxError as error:
                raise JudgeBroken(f"no box can be opened: {error}") from error

    def restart(self) -> None:
        """End every zygote; the next box starts a fresh one."""
        with self._lock:
            for place in self._places:
                self._end(place)

    def rest(self) -> None:
        """Nothing is being graded now: replace what has served for long.

        Raises:
            SandboxError: a fresh one does not start.
        """
        with self._lock:
            for place in self._places:
                worn = place.sandbox is not None and (
                    place.sandbox.boxes_opened >= BOXES_PER_ZYGOTE
                )
                if worn and place.sandbox is not None and not place.sandbox.is_in_use:
                    self._end(place)
                    self._sandbox(place)

    def describe(self, kind: str) -> Description:
        """Tier, layers and the interpreter's versions of one kind, as it runs now."""
        with self._lock:
            return self._sandbox(self._least_used(kind)).description

    def seen_at(self, kind: str, path: str) -> str:
        """Where a program in a box of this kind finds what its profile shows at ``path``."""
        return self._profiles[kind].seen_at(path, self.tier)

    def _watch(self) -> None:
        """Start what was killed, or ended after a fault: no submission is to wait for that."""
        pause_s = _LOOK_EVERY_S
        while not self._stopping.wait(pause_s):
            pause_s = _LOOK_EVERY_S
            with self._lock:
                missing = [p for p in self._places if p.sandbox is None or not p.sandbox.is_alive]
                for place in missing:
                    log.warning("a zygote (%s) is gone: another one is started", place.kind)
                    self._end(place)
                try:
                    self._start_all(missing)
                except SandboxError:
                    log.exception("a zygote does not start; it is tried again")
                    pause_s = _AFTER_FAULT_S

    def _start_all(self, places: Sequence[_Place]) -> None:
        """Start side by side; each takes a moment to load."""
        faults: list[SandboxError] = []

        def start(place: _Place) -> None:
            try:
                self._sandbox(place)
            except SandboxError as error:
                faults.append(error)

        threads = [threading.Thread(target=start, args=(place,)) for place in places]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if faults:
            for place in places:
                self._end(place)
            raise faults[0]

    def _least_used(self, kind: str) -> _Place:
        places = [place for place in self._places if place.kind == kind]
        return min(places, key=lambda p: 0 if p.sandbox is None else p.sandbox.boxes_opened)

    def _end(self, place: _Place) -> None:
        if place.sandbox is not None:
            place.sandbox.close()
            place.sandbox = None

    def _sandbox(self, place: _Place) -> Sandbox:
        if place.sandbox is None:
            place.sandbox = Sandbox(self._profiles[place.kind], (self.tier,), self._groups)
        return place.sandbox


def run_limits(limits: Limits, time_factor: float = 1.0) -> RunLimits:
    """A test case's limits as the sandbox counts them."""
    return replace(
        RunLimits(),
        cpu_ms=round(limits.cpu_ms * time_factor),
        memory_kb=limits.memory_kb,
        stdout_bytes=limits.stdout_kb * 1024,
        result_bytes=limits.result_kb * 1024,
    )
