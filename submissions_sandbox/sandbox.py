"""The sandbox as its user sees it: start it, open a box a submission, run programs in it.

A ``Sandbox`` owns one zygote; a ``Box`` is one submission's pid namespace in which runs follow one
another, each isolated from the one before. Neither is thread-safe: give every thread its own.
"""

import fcntl
import os
import select
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from submissions_sandbox.channel import Channel, ChannelClosed
from submissions_sandbox.closing import ClosedAtEnd
from submissions_sandbox.limits import RunLimits
from submissions_sandbox.outcome import Description, Outcome, SandboxError, SandboxUnavailable
from submissions_sandbox.profile import Profile
from submissions_sandbox.spare import Spare
from submissions_sandbox.streams import CappedPipe, FeedPipe
from submissions_sandbox.watch import RunWatch

_START_WALL_S = 60
_BOX_WALL_S = 20
_ALL_SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
_START_LINE = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from submissions_sandbox.zygote import main; main(int(sys.argv[2]))"
)
_HOW_TO_FIX = (
    "The sandbox needs unprivileged user namespaces and refuses to run without them. "
    "As root: sysctl -w kernel.unprivileged_userns_clone=1 (Debian), "
    "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu), or in a container a "
    "seccomp profile that allows unshare, mount and pivot_root (see docker-compose.yml)."
)


class Sandbox(ClosedAtEnd):
    """One zygote and what it reported of itself. Use as a context manager."""

    def __init__(self, profile: Profile) -> None:
        """Start the zygote and wait until it is ready.

        Raises:
            SandboxUnavailable: the machine does not offer what isolation needs.
        """
        self._profile = profile
        self._channel, zygote_end = Channel.pair()
        self._process = _start_zygote(profile, zygote_end)
        zygote_end.close()
        try:
            report = self._wait_ready()
        except SandboxError:
            self.close()
            raise
        self.description = Description("A", tuple(report["layers"]), report["versions"])

    def close(self) -> None:
        """End the zygote and with it every box."""
        self._channel.close()
        try:
            self._process.wait(timeout=_BOX_WALL_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def open_box(self) -> "Box":
        """Open a box: one submission's pid namespace.

        Raises:
            SandboxError: the zygote is gone.
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
        return Box(supervisor_end, descriptors[0])

    def _wait_ready(self) -> dict[str, Any]:
        try:
            self._channel.send(self._profile.to_message())
            message, _ = _receive_within(self._channel, _START_WALL_S)
        except ChannelClosed:
            raise SandboxUnavailable(f"the zygote ended at its start. {_HOW_TO_FIX}") from None
        if "failed" in message:
            raise SandboxUnavailable(f"{message['failed']}. {_HOW_TO_FIX}")
        report: dict[str, Any] = message["zygote"]
        return report


class Box(ClosedAtEnd):
    """One submission's pid namespace. Use as a context manager."""

    def __init__(self, channel: Channel, init_pidfd: int) -> None:
        self._channel = channel
        self._init_pidfd = init_pidfd

    def close(self) -> None:
        """Kill everything in the box."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._init_pidfd, signal.SIGKILL)
        os.close(self._init_pidfd)
        self._channel.close()

    def run(
        self,
        request: bytes,
        limits: RunLimits,
        argv: Sequence[str] = (),
        binary: "Binary | None" = None,
    ) -> Outcome:
        """Run the profile's program on a request, or what argv names with the request as its stdin.

        Args:
            request: what the program reads.
            limits: of this run.
            argv: of a program that is started by path; of a binary only its arguments' names.
            binary: what to start, for a binary profile.

        Raises:
            SandboxError: the sandbox broke; nothing was learned about the program.
        """
        request_file = _memory_file("request", request)
        try:
            streams = self._begin(request_file, limits, argv, binary)
        finally:
            os.close(request_file)
        watch = RunWatch(self._channel, streams, limits, starts_afresh=bool(argv))
        try:
            return watch.follow()
        finally:
            watch.close()
            for pipe in streams:
                pipe.close()

    def start(self, limits: RunLimits, argv: Sequence[str]) -> Spare:
        """Start a program by argv ahead of its request; the box is its own until it is closed.

        Raises:
            SandboxError: box init is gone.
        """
        feed = FeedPipe()
        try:
            streams = self._begin(feed.read_end, limits, argv, None)
        except SandboxError:
            feed.close()
            raise
        feed.close_read_end()
        return Spare(RunWatch(self._channel, streams, limits, feed), streams, feed)

    def _begin(
        self,
        request_file: int,
        limits: RunLimits,
        argv: Sequence[str],
        binary: "Binary | None",
    ) -> list[CappedPipe]:
        """Order one run; stdout, stderr and result."""
        pipes = [
            CappedPipe(limits.stdout_bytes),
            CappedPipe(limits.stdout_bytes),
            CappedPipe(limits.result_bytes),
        ]
        descriptors = [request_file, *(pipe.write_end for pipe in pipes)]
        if binary is not None:
            descriptors.append(binary.descriptor)
        try:
            order = {"limits": limits.to_message(), "argv": list(argv)}
            self._channel.send(order, descriptors)
        except ChannelClosed:
            for pipe in pipes:
                pipe.close()
            raise SandboxError("box init is gone") from None
        for pipe in pipes:
            pipe.close_write_end()
        return pipes


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


def _start_zygote(profile: Profile, zygote_end: Channel) -> subprocess.Popen[bytes]:
    """Start a clean interpreter: no site folders, an environment of its own, no descriptors."""
    package_parent = str(Path(__file__).resolve().parent.parent)
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
            package_parent,
            str(descriptor),
        ],
        env=profile.zygote_environment,
        pass_fds=(descriptor,),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
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
