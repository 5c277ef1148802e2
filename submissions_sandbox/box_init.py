"""Box init: the parent of one submission's test processes. It forks, reaps and reports.

It never holds a byte of a submission: requests travel as descriptors that only the test process
reads. Where there are namespaces it is pid 1 of its own, and the kernel kills with it whatever is
left there; elsewhere it adopts orphans and kills them itself (submissions_sandbox.leftovers).

Orders, from the supervisor: ``{"limits": …, "argv": […]}`` with four descriptors (request, stdout,
stderr, result), and a fifth where the program to start is a descriptor. Reports, to the supervisor:
submissions_sandbox.reports.
"""

import json
import os
import resource
import signal
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import NoReturn

from submissions_sandbox import calls
from submissions_sandbox.channel import Channel, ChannelClosed
from submissions_sandbox.descriptors import BINARY, CONTROL, REQUEST
from submissions_sandbox.isolate import Entry, Isolation
from submissions_sandbox.leftovers import empty_folder, kill_leftovers
from submissions_sandbox.limits import RunLimits
from submissions_sandbox.reports import Exited, Failed, Started, encode, ready_datagram


@dataclass(frozen=True)
class Program:
    """A preloaded program: what every run calls with its request, and what is called before it.

    ``before_run`` is called in box init, where what it writes costs no copy of a page; what a run
    sees of it has no successor that could be guessed (a seed, for one).
    """

    main: Callable[[bytes], None]
    before_run: Callable[[], None]


Variables = dict[str, str]
_READ_BYTES = 1 << 16


class BoxInit:
    """Serves one box.

    ``program`` is what every run calls, or the environment of what a run's argv starts.
    """

    def __init__(
        self, channel: Channel, program: Program | Variables, isolation: Isolation
    ) -> None:
        self._channel = channel
        self._program = program
        self._isolation = isolation
        self._order = b""
        self._argv: list[str] = []
        self._entry: Entry

    def serve(self) -> NoReturn:
        """Run tests one after another until the supervisor hangs up."""
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        with suppress(ChannelClosed):
            while True:
                order, descriptors = self._channel.receive_bytes()
                if order != self._order:
                    self._prepare(order)
                self._run_one(descriptors)
        os._exit(0)

    def _prepare(self, order: bytes) -> None:
        """Runs with the same limits have their steps in common."""
        content = json.loads(order)
        self._argv = content["argv"]
        self._entry = self._isolation.entry(RunLimits(**content["limits"]))
        self._order = order

    def _run_one(self, descriptors: list[int]) -> None:
        if isinstance(self._program, Program):
            self._program.before_run()
        pid = calls.fork()
        if pid == 0:
            self._become_test(descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        pidfd = os.pidfd_open(pid)
        self._channel.send_bytes(encode(Started()), [pidfd])
        os.close(pidfd)
        _, status, usage = os.wait4(pid, 0)
        kill_leftovers(has_namespace=self._isolation.has_namespaces)
        if self._isolation.scratch:
            empty_folder(self._isolation.scratch)
        ended = Exited(status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
        self._channel.send_bytes(encode(ended))

    def _become_test(self, descriptors: list[int]) -> NoReturn:
        try:
            self._entry.enter(self._channel.fileno(), descriptors)
            peak_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            # With write(), the only way that the filter leaves open.
            os.write(CONTROL, ready_datagram(time.process_time(), peak_kb))
        except BaseException as error:
            os.write(CONTROL, encode(Failed(f"{type(error).__name__}: {error}")))
            os._exit(1)
        if isinstance(self._program, Program):
            os.close(CONTROL)
            _call(self._program.main, _read_request())
        _exec(self._argv, self._program, has_binary=len(descriptors) > CONTROL)


def _call(main: Callable[[bytes], None], request: bytes) -> NoReturn:
    """Call the program; nothing that it raises may climb into the frames above."""
    status = 1
    try:
        main(request)
        status = 0
    except BaseException as error:
        # Not with this function's own frame: it would name a folder of the host.
        own = error.__traceback__
        traceback.print_exception(error.with_traceback(own.tb_next if own else None))
    finally:
        os._exit(status)


def _read_request() -> bytes:
    """All that there is to read; descriptor 0 is /dev/null then."""
    # A request that waits in a memory file has a size, and is read in one piece.
    request = os.read(REQUEST, os.fstat(REQUEST).st_size or _READ_BYTES)
    parts = [request]
    while request:
        request = os.read(REQUEST, _READ_BYTES)
        parts.append(request)
    nothing = os.open("/dev/null", os.O_RDONLY)
    os.dup2(nothing, REQUEST)
    os.close(nothing)
    return b"".join(parts)


def _exec(argv: list[str], environment: Variables, *, has_binary: bool) -> NoReturn:
    try:
        if has_binary:
            os.execve(BINARY, argv, environment)  # noqa: S606 - no shell
        os.execvpe(argv[0], argv, environment)  # noqa: S606 - the filter stays in force behind it
    except OSError as error:
        os.write(2, f"cannot start {argv[0]}: {error.strerror}\n".encode())
        os._exit(127)
