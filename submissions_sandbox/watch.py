"""Watching one running program from outside: streams, CPU clock, deadlines, end.

The end of a run is what box init reports after wait4, never an end of file: a program can close
its descriptors and go on. CPU time is read from the process' CPU clock, whose id the kernel
derives from the pid (``(~pid << 3) | 2``), minus what the process had used when it was ready: fork
and isolation are not the learner's. Wall time only guards against idling: time in which the program
neither had a core nor waited for one.

A program may also be started ahead of its request. Then its time begins, and what it had used
until then is forgotten, at the moment at which the request is put into its input.
"""

import os
import resource
import select
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from submissions_sandbox.channel import Channel, ChannelClosed
from submissions_sandbox.limits import RunLimits
from submissions_sandbox.memory import MemoryAccount
from submissions_sandbox.outcome import Outcome, OutcomeKind, SandboxError
from submissions_sandbox.reports import Exited, Failed, Ready, Started, decode
from submissions_sandbox.streams import CappedPipe, FeedPipe

_SETUP_WALL_S = 20.0
_WARM_UP_WALL_S = 60.0
_REAP_WALL_S = 20.0
_SHORTEST_CHECK_S = 0.005
_LONGEST_CHECK_S = 3600.0
# What a program can touch in this time is small beside any limit.
_LOOK_EVERY_S = 0.01
# How many times its limits a program may be kept waiting by others before it is stopped anyway.
_MOST_PATIENCE = 8
_FACTS_BYTES = 1024
_CORES = os.cpu_count() or 1
_STREAM_NAMES = ("stdout", "stderr", "result")


class RunWatch:
    """Follows one run from its start to its end; ``close`` it then."""

    def __init__(
        self,
        channel: Channel,
        pipes: Sequence[CappedPipe],
        limits: RunLimits,
        memory: MemoryAccount,
        feed: FeedPipe | None = None,
    ) -> None:
        """Follow what box init starts.

        ``pipes`` are stdout, stderr and result; ``feed`` makes it wait for ``begin``.
        """
        self.idle_kill_s = limits.idle_kill_s
        self._channel = channel
        self._pipes = dict(zip(_STREAM_NAMES, pipes, strict=True))
        self._limits = limits
        self._memory = memory
        self._feed = feed
        self._pidfd = -1
        self._pid = -1
        self._clock_id: int | None = None
        self._cpu_at_ready_s: float | None = None
        self._begun = feed is None
        self._ready_at_s = 0.0
        self._set_up_by_s = self._deadline_s = time.monotonic() + _SETUP_WALL_S
        self._killed_for: tuple[OutcomeKind, str] | None = None
        self._next_look_s = 0.0

    def close(self) -> None:
        """Let go of the process."""
        if self._pidfd >= 0:
            os.close(self._pidfd)
            self._pidfd = -1

    def follow(self) -> Outcome:
        """Wait for the end of the run and report it.

        Raises:
            SandboxError: box init died, or a step of the isolation failed.
        """
        ended = self.follow_until(lambda: False)
        if ended is None:
            raise SandboxError("a run was left before its end")
        return ended

    def follow_until(self, reached: Callable[[], bool]) -> Outcome | None:
        """Wait until ``reached()`` or the end of the run, whichever comes first.

        Raises:
            SandboxError: as follow.
        """
        poll, by_descriptor = self._register()
        while not reached():
            self._register_feed(poll)
            events = poll.poll(self._until_next_check_s() * 1000)
            for descriptor, _ in events:
                pipe = by_descriptor.get(descriptor)
                if pipe is not None:
                    pipe.read_some()
                    if not pipe.open:
                        poll.unregister(descriptor)
                elif self._feed is not None and descriptor == self._feed.write_end:
                    poll.unregister(descriptor)
                    self._feed.write_some()
            if any(descriptor == self._channel.fileno() for descriptor, _ in events):
                ended = self._take_message()
                if ended is not None:
                    return self._outcome(ended)
            self._enforce()
        return None

    def follow_until_warm(self, *, says_so: bool) -> Outcome | None:
        """As follow_until, for the moment at which a program can be begun.

        How long ago it was started does not matter: nobody has looked since. A program of its own
        also says so by its first byte of result (``says_so``).
        """
        self._set_up_by_s = self._deadline_s = time.monotonic() + _WARM_UP_WALL_S
        result = self._pipes["result"]
        return self.follow_until(lambda: self.is_ready and (bool(result.data) or not says_so))

    def begin(self, request: bytes, *, is_last: bool) -> None:
        """Hand over a request to a program that was started ahead; its time begins here.

        Raises:
            SandboxError: the program has ended already.
        """
        if self._feed is None or self._clock_id is None:
            raise SandboxError("this program cannot be given a request")
        try:
            self._cpu_at_ready_s = time.clock_gettime(self._clock_id)
            self._memory.begin(self._pid)
        except OSError:
            raise SandboxError("a program ended before its request came") from None
        self._lower_processes()
        self._begun = True
        self._start_clock()
        self._feed.put(request, is_last=is_last)

    def _lower_processes(self) -> None:
        """From now on it may make fewer threads than while it was started among others."""
        if self._limits.processes_at_start:
            fewer = self._limits.processes_at_start - self._limits.processes
            # Refused for another user's process where root has not all of its powers: then every
            # box has a user of its own, whose count nobody shares.
            with suppress(PermissionError, ProcessLookupError):
                _, most = resource.prlimit(self._pid, resource.RLIMIT_NPROC)
                lower = (most - fewer, most - fewer)
                resource.prlimit(self._pid, resource.RLIMIT_NPROC, lower)

    def rest(self) -> None:
        """Between two requests of one program no time counts."""
        self._begun = False
        self._set_up_by_s = self._deadline_s = float("inf")

    @property
    def is_ready(self) -> bool:
        """Whether the program runs, and may be begun."""
        return self._cpu_at_ready_s is not None and self._clock_id is not None

    def _register(self) -> tuple[select.poll, dict[int, CappedPipe]]:
        poll = select.poll()
        poll.register(self._channel, select.POLLIN)
        by_descriptor = {pipe.read_end: pipe for pipe in self._pipes.values() if pipe.open}
        for descriptor in by_descriptor:
            poll.register(descriptor, select.POLLIN)
        return poll, by_descriptor

    def _register_feed(self, poll: select.poll) -> None:
        if self._feed is not None and self._feed.pending:
            poll.register(self._feed.write_end, select.POLLOUT)

    def _start_clock(self) -> None:
        self._ready_at_s = time.monotonic()
        self._deadline_s = self._ready_at_s + self.idle_kill_s
        self._next_look_s = self._ready_at_s + _LOOK_EVERY_S

    def _take_message(self) -> Exited | None:
        """Handle one report; the last one of a run is returned."""
        try:
            datagram, descriptors = self._channel.receive_bytes()
        except ChannelClosed:
            raise SandboxError("box init ended in the middle of a run") from None
        match decode(datagram):
            case Started():
                self._pidfd = descriptors[0]
                self._pid = pid_behind(self._pidfd)
                # A pid of -1 means that it is gone already: the report of its end follows.
                self._clock_id = (~self._pid << 3) | 2 if self._pid > 0 else None
                self._memory.started(self._pid)
            case Ready(cpu_s, peak_kb):
                self._cpu_at_ready_s = cpu_s
                self._memory.ready(peak_kb)
                if self._begun:
                    self._start_clock()
            case Failed(detail):
                raise SandboxError(f"isolation failed: {detail}")
            case Exited() as ended:
                return ended
        return None

    def _enforce(self) -> None:
        """Kill the program where it is past a limit."""
        if self._killed_for is not None:
            if time.monotonic() > self._deadline_s:
                raise SandboxError("a killed program did not end")
            return
        late = time.monotonic() > self._deadline_s
        if self._pidfd < 0 or self._cpu_at_ready_s is None or not self._begun:
            # The program may be running, and even idle for too long, before box init has been let
            # run again and says that it was started.
            if time.monotonic() > self._set_up_by_s:
                raise SandboxError("a box was not ready in time")
            return
        over = [name for name, pipe in self._pipes.items() if pipe.over]
        if over:
            self._kill(OutcomeKind.OUTPUT, over[0])
        elif late and self._has_idled():
            self._kill(OutcomeKind.TIME, "wall")
        elif self._cpu_used_s() > self._limits.cpu_kill_s:
            self._kill(OutcomeKind.TIME, "cpu")
        elif self._memory.is_watched and time.monotonic() >= self._next_look_s:
            self._look()

    def _look(self) -> None:
        """Where no control group counts; not at every byte that is printed, it costs more."""
        self._next_look_s = time.monotonic() + _LOOK_EVERY_S
        if self._memory.is_over(self._pid):
            self._kill(OutcomeKind.MEMORY, "resident")
        elif self._threads() > self._limits.threads:
            self._kill(OutcomeKind.SIGNALLED, "threads")

    def _threads(self) -> int:
        try:
            return len(os.listdir(f"/proc/{self._pid}/task"))  # noqa: PTH208 - in a loop
        except OSError:
            return 0  # it has ended

    def _has_idled(self) -> bool:
        """Whether the program has idled for too long; if not, when that can be at the earliest.

        A program that the machine did not let run is not idle. Its CPU limit still ends it.
        """
        patience_s = _MOST_PATIENCE * (self.idle_kill_s + self._limits.cpu_kill_s)
        had_or_awaited_s = self._cpu_used_s() + min(self._run_delay_s(), patience_s)
        self._deadline_s = self._ready_at_s + self.idle_kill_s + had_or_awaited_s
        return time.monotonic() > self._deadline_s

    def _run_delay_s(self) -> float:
        """How long any one thread has waited in a run queue, by the kernel's schedstat."""
        threads = Path(f"/proc/{self._pid}/task").glob("*/schedstat")
        try:
            return max(int(thread.read_text().split()[1]) for thread in threads) / 1e9
        except (OSError, IndexError, ValueError):
            return 0.0

    def _kill(self, kind: OutcomeKind, detail: str) -> None:
        self._killed_for = (kind, detail)
        self._deadline_s = time.monotonic() + _REAP_WALL_S
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)

    def _cpu_used_s(self) -> float:
        if self._clock_id is None or self._cpu_at_ready_s is None:
            return 0.0
        try:
            total_s = time.clock_gettime(self._clock_id)
        except OSError:
            return 0.0  # it has ended: box init's report follows
        return total_s - self._cpu_at_ready_s

    def _until_next_check_s(self) -> float:
        """Seconds until a limit can be passed at the earliest: all cores may burn at once."""
        wall_s = self._deadline_s - time.monotonic()
        if self._cpu_at_ready_s is not None and self._begun and self._killed_for is None:
            left_s = self._limits.cpu_kill_s - self._cpu_used_s()
            wall_s = min(wall_s, left_s / _CORES)
            if self._memory.is_watched:
                wall_s = min(wall_s, _LOOK_EVERY_S)
        return min(max(wall_s, _SHORTEST_CHECK_S), _LONGEST_CHECK_S)

    def _outcome(self, ended: Exited) -> Outcome:
        ended_at_s = time.monotonic()
        if self._cpu_at_ready_s is None:
            raise SandboxError("a box ended before it was ready")
        for pipe in self._pipes.values():
            pipe.drain()
        code = os.waitstatus_to_exitcode(ended.status)
        cpu_ms = max(0.0, (ended.cpu_s - self._cpu_at_ready_s) * 1000)
        memory_kb, memory_source = self._memory.peak(ended.peak_kb)
        kind, detail = self._kind(code, cpu_ms)
        if kind is OutcomeKind.EXITED and self._memory.was_passed(memory_kb):
            kind, detail = OutcomeKind.MEMORY, "peak"
        return Outcome(
            kind=kind,
            detail=detail,
            exit_code=max(code, -1),
            signal=max(-code, 0),
            cpu_ms=cpu_ms,
            wall_ms=(ended_at_s - self._ready_at_s) * 1000,
            memory_kb=memory_kb,
            memory_source=memory_source,
            result=self._pipes["result"].data,
            stdout=self._pipes["stdout"].data,
            stderr=self._pipes["stderr"].data,
            stdout_dropped=self._pipes["stdout"].dropped,
            stderr_dropped=self._pipes["stderr"].dropped,
        )

    def _kind(self, code: int, cpu_ms: float) -> tuple[OutcomeKind, str]:
        if self._killed_for is not None and code == -signal.SIGKILL:
            return self._killed_for
        over = [name for name, pipe in self._pipes.items() if pipe.over]
        if over:
            return OutcomeKind.OUTPUT, over[0]
        if code >= 0:
            return OutcomeKind.EXITED, ""
        if code == -signal.SIGSYS:
            return OutcomeKind.DENIED, ""
        if code == -signal.SIGKILL and self._memory.was_killed():
            return OutcomeKind.MEMORY, "group"
        # RLIMIT_CPU, the backstop, ends a run with one of these two.
        if code in (-signal.SIGXCPU, -signal.SIGKILL) and cpu_ms >= self._limits.cpu_ms:
            return OutcomeKind.TIME, "cpu"
        return OutcomeKind.SIGNALLED, ""


def pid_behind(pidfd: int) -> int:
    """The pid that a pidfd stands for, as the caller's own pid namespace counts; -1 if it ended."""
    facts = os.open(f"/proc/self/fdinfo/{pidfd}", os.O_RDONLY | os.O_CLOEXEC)
    try:
        text = os.read(facts, _FACTS_BYTES)
    finally:
        os.close(facts)
    _, found, rest = text.partition(b"\nPid:")
    if not found:
        raise SandboxError("pidfd without a pid")
    return int(rest.split(None, 1)[0])
