"""The sandbox as its user sees it: start it, open a box a submission, run programs in it.

A ``Sandbox`` owns one zygote; a ``Box`` is one submission's pid namespace in which runs follow one
another, each isolated from the one before. Neither is thread-safe: give every thread its own.
"""

import fcntl
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from submissions_sandbox.cgroups import Group, Groups
from submissions_sandbox.channel import Channel, ChannelClosed
from submissions_sandbox.closing import ClosedAtEnd
from submissions_sandbox.leftovers import empty_folder
from submissions_sandbox.limits import RunLimits
from submissions_sandbox.memory import MemoryAccount
from submissions_sandbox.outcome import Description, Outcome, SandboxError, SandboxUnavailable
from submissions_sandbox.profile import Profile, Starts
from submissions_sandbox.spare import Spare
from submissions_sandbox.streams import CappedPipe, FeedPipe
from submissions_sandbox.tiers import ALL_TIERS, Tier
from submissions_sandbox.watch import RunWatch, pid_behind

_START_WALL_S = 60
_BOX_WALL_S = 20
# How long a box without a pid namespace gets to end what is left in it by itself.
_SWEEP_WALL_S = 2
_MOST_WORDS_BYTES = 1 << 16
_ALL_SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
# The zygote loads its own modules only: what the package's front would load besides, every fork of
# it would pay for.
_START_LINE = (
    "import sys, types; "
    "package = types.ModuleType('submissions_sandbox'); package.__path__ = [sys.argv[1]]; "
    "sys.modules['submissions_sandbox'] = package; "
    "from submissions_sandbox.zygote import main; main(int(sys.argv[2]))"
)


class Sandbox(ClosedAtEnd):
    """One zygote and what it reported of itself. Use as a context manager."""

    def __init__(
        self,
        profile: Profile,
        tiers: Sequence[Tier] = ALL_TIERS,
        groups: Groups | None = None,
    ) -> None:
        """Start the zygote in the first tier that this machine offers, and wait until it is ready.

        Args:
            profile: what its boxes are made of.
            tiers: those that are good enough, the one to be tried first in front.
            groups: where its boxes are counted, if control groups can be had.

        Raises:
            SandboxUnavailable: the machine does not offer what isolation needs; what would mend
                that says submissions_sandbox.probes.way_to.
        """
        self._groups = groups
        self._boxes: list[Box] = []
        self.boxes_opened = 0
        refusals: dict[Tier, SandboxUnavailable] = {}
        for tier in tiers:
            try:
                self._zygote = _Zygote(profile, tier)
                break
            except SandboxUnavailable as error:
                refusals[tier] = error
        else:
            said = "; ".join(f"tier {tier}: {error}" for tier, error in refusals.items())
            raise SandboxUnavailable(f"{said}. The sandbox refuses to run without isolation")
        report = self._zygote.report
        self.profile = profile
        self.tier = tier
        self.description = Description(
            tier.value,
            (*report["layers"], *(() if groups is None else (groups.source.replace(" ", "_"),))),
            report["versions"],
        )

    def close(self) -> None:
        """End the zygote and with it every box."""
        self._zygote.close()

    def seen_at(self, path: str) -> str:
        """Where a program in a box of this sandbox finds what the profile shows at ``path``."""
        return self.profile.seen_at(path, self.tier)

    def open_box(self) -> "Box":
        """Open a box: one submission's pid namespace.

        Raises:
            SandboxError: the zygote is gone.
        """
        channel, init_pidfd = self._zygote.open_box()
        self._boxes = [box for box in self._boxes if box.is_open]
        self.boxes_opened += 1
        self._boxes.append(Box(channel, init_pidfd, self.tier, self._groups))
        return self._boxes[-1]

    @property
    def is_alive(self) -> bool:
        """Whether its zygote still runs."""
        return self._zygote.process.poll() is None

    @property
    def is_in_use(self) -> bool:
        """Whether a box of it is open."""
        return any(box.is_open for box in self._boxes)


class _Zygote(ClosedAtEnd):
    """The process that boxes are forked from, in one tier."""

    def __init__(self, profile: Profile, tier: Tier) -> None:
        """Start it and wait until it is ready.

        Raises:
            SandboxUnavailable: the machine does not offer this tier.
        """
        self._stack = ExitStack()
        self._scratch = ""
        if tier is Tier.B and profile.starts is Starts.PROCESSES:
            self._scratch = tempfile.mkdtemp(prefix="submissions-sandbox-")
            self._stack.callback(_remove_scratch, self._scratch)
        self._channel, zygote_end = Channel.pair()
        # What it says when it cannot even start; nothing that runs in a box has this descriptor.
        self._said = _memory_file("zygote", b"")
        self._stack.callback(os.close, self._said)
        self.process = _start_zygote(profile, zygote_end, self._said)
        zygote_end.close()
        try:
            self.report = self._wait_ready(profile, tier)
        except SandboxError:
            self.close()
            raise

    def close(self) -> None:
        """End it."""
        self._channel.close()
        try:
            self.process.wait(timeout=_BOX_WALL_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._stack.close()

    def open_box(self) -> tuple[Channel, int]:
        """Have it fork a box init: the channel to that, and its pidfd.

        Raises:
            SandboxError: it is gone.
        """
        supervisor_end, box_end = Channel.pair()
        try:
            self._channel.send({"box": True}, [box_end.fileno()])
            _, descriptors = _receive_within(self._channel, _BOX_WALL_S)
        except ChannelClosed:
            supervisor_end.close()
            raise SandboxError("the zygote is gone") from None
        finally:
            box_end.close()
        return supervisor_end, descriptors[0]

    def _wait_ready(self, profile: Profile, tier: Tier) -> dict[str, Any]:
        order = {"profile": profile.to_message(), "tier": tier.value, "scratch": self._scratch}
        try:
            self._channel.send(order)
            message, _ = _receive_within(self._channel, _START_WALL_S)
        except ChannelClosed:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout=_BOX_WALL_S)
            said = os.pread(self._said, _MOST_WORDS_BYTES, 0).decode("utf-8", "replace").strip()
            raise SandboxUnavailable(f"the zygote ended at its start: {said[-300:]}") from None
        if "failed" in message:
            raise SandboxUnavailable(message["failed"])
        report: dict[str, Any] = message["zygote"]
        return report


class Box(ClosedAtEnd):
    """One submission's pid namespace. Use as a context manager."""

    def __init__(
        self, channel: Channel, init_pidfd: int, tier: Tier, groups: Groups | None
    ) -> None:
        """Take over a box init, and put it into a control group if there are any.

        Raises:
            SandboxError: the control group broke; the box is closed.
        """
        self._channel = channel
        self._init_pidfd = init_pidfd
        self._tier = tier
        self._groups = groups
        self._group: Group | None = None
        self._has_run = False
        self.is_open = True
        self._order: tuple[RunLimits, tuple[str, ...], bytes] | None = None
        try:
            self._take_group()
        except SandboxError:
            self.close()
            raise

    @property
    def is_alive(self) -> bool:
        """Whether its box init still runs; an open one may have died with its zygote."""
        return self.is_open and not select.select([self._init_pidfd], [], [], 0)[0]

    def close(self) -> None:
        """Kill everything in the box."""
        if not self.is_open:
            return
        self.is_open = False
        with suppress(ProcessLookupError):
            if self._tier is Tier.B:
                # Nobody but box init itself can end what may be left below it.
                signal.pidfd_send_signal(self._init_pidfd, signal.SIGTERM)
                select.select([self._init_pidfd], [], [], _SWEEP_WALL_S)
            signal.pidfd_send_signal(self._init_pidfd, signal.SIGKILL)
        os.close(self._init_pidfd)
        self._channel.close()
        if self._group is not None:
            self._group.close()

    def run(
        self,
        request: bytes,
        limits: RunLimits,
        argv: Sequence[str] = (),
        binary: "Binary | None" = None,
        *,
        idle_kill_s: float | None = None,
    ) -> Outcome:
        """Run the profile's program on a request, or what argv names with the request as its stdin.

        Args:
            request: what the program reads.
            limits: of this run.
            argv: of a program that is started by path; of a binary only its arguments' names.
            binary: what to start, for a binary profile.
            idle_kill_s: for how long it may idle, in place of what its limits say.

        Raises:
            SandboxError: the sandbox broke; nothing was learned about the program.
        """
        request_file = _memory_file("request", request)
        try:
            memory, streams = self._begin(request_file, limits, argv, binary)
        finally:
            os.close(request_file)
        watch = RunWatch(self._channel, streams, limits, memory)
        if idle_kill_s is not None:
            watch.idle_kill_s = idle_kill_s
        try:
            return watch.follow()
        finally:
            watch.close()
            for pipe in streams:
                pipe.close()

    def start(self, limits: RunLimits, argv: Sequence[str] = ()) -> Spare:
        """Start a run ahead of its request; the box is its own until it is closed.

        Raises:
            SandboxError: box init is gone.
        """
        feed = FeedPipe()
        try:
            memory, streams = self._begin(feed.read_end, limits, argv, None)
        except SandboxError:
            feed.close()
            raise
        feed.close_read_end()
        watch = RunWatch(self._channel, streams, limits, memory, feed)
        return Spare(watch, streams, feed, says_when_warm=bool(argv))

    def _begin(
        self,
        request_file: int,
        limits: RunLimits,
        argv: Sequence[str],
        binary: "Binary | None",
    ) -> tuple[MemoryAccount, list[CappedPipe]]:
        """Order one run; its account, and its stdout, stderr and result."""
        if self._has_run and self._groups is not None and not self._groups.resets:
            self._take_group()
        self._has_run = True
        source = "" if self._groups is None else self._groups.source
        memory = MemoryAccount(limits, self._group, source=source, starts_afresh=bool(argv))
        pipes = [
            CappedPipe(limits.stdout_bytes),
            CappedPipe(limits.stdout_bytes),
            CappedPipe(limits.result_bytes),
        ]
        descriptors = [request_file, *(pipe.write_end for pipe in pipes)]
        if binary is not None:
            descriptors.append(binary.descriptor)
        try:
            self._channel.send_bytes(self._encoded_order(limits, tuple(argv)), descriptors)
        except ChannelClosed:
            for pipe in pipes:
                pipe.close()
            raise SandboxError("box init is gone") from None
        for pipe in pipes:
            pipe.close_write_end()
        return memory, pipes

    def _encoded_order(self, limits: RunLimits, argv: tuple[str, ...]) -> bytes:
        """The order's bytes; most runs of a box are ordered with the same ones."""
        if self._order is None or self._order[:2] != (limits, argv):
            order = {"limits": limits.to_message(), "argv": argv}
            self._order = (limits, argv, json.dumps(order).encode())
        return self._order[2]

    def _take_group(self) -> None:
        """Move box init, and with it what it forks from now on, into a group of its own."""
        if self._groups is None:
            return
        former, self._group = self._group, self._groups.open()
        pid = pid_behind(self._init_pidfd)
        if pid <= 0:
            raise SandboxError("box init is gone")
        self._group.add(pid)
        if former is not None:
            former.close()


class Binary(ClosedAtEnd):
    """An executable file in memory, for runs of a binary profile. Use as a context manager."""

    def __init__(self, content: bytes) -> None:
        """Nothing is asked of the content: what is no program ends as a run that cannot start."""
        self.descriptor = _memory_file("binary", content, os.MFD_ALLOW_SEALING)
        # Nobody changes it any more: runs of one submission share it.
        fcntl.fcntl(self.descriptor, fcntl.F_ADD_SEALS, _ALL_SEALS)

    def close(self) -> None:
        """Let go of the memory."""
        os.close(self.descriptor)


def _remove_scratch(folder: str) -> None:
    """A zygote that was killed has not done it."""
    with suppress(OSError):
        empty_folder(folder)
        Path(folder).rmdir()


def _start_zygote(profile: Profile, zygote_end: Channel, errors: int) -> subprocess.Popen[bytes]:
    """Start a clean interpreter: no site folders, an environment of its own, no descriptors."""
    package = str(Path(__file__).resolve().parent)
    descriptor = zygote_end.fileno()
    return subprocess.Popen(  # noqa: S603 - our own interpreter and code
        [
            sys.executable,
            "-s",
            "-P",
            "-S",
            "-B",
            "-c",
            _START_LINE,
            package,
            str(descriptor),
        ],
        env=profile.zygote_environment,
        pass_fds=(descriptor,),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=errors,
        cwd="/",
        start_new_session=True,
    )


def _receive_within(channel: Channel, seconds: float) -> tuple[dict[str, Any], list[int]]:
    poll = select.poll()
    poll.register(channel, select.POLLIN)
    if not poll.poll(seconds * 1000):
        raise SandboxError("the zygote does not answer")
    return channel.receive()


def _memory_file(name: str, content: bytes, flags: int = 0) -> int:
    """A memory file that holds the content, at offset 0."""
    descriptor = os.memfd_create(name, os.MFD_CLOEXEC | flags)
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
