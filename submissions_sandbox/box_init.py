"""Box init: pid 1 of one submission's pid namespace. It forks, reaps and reports; nothing else.

It never holds a byte of a submission: requests travel as descriptors that only the test process
reads. When it ends, the kernel kills whatever is left in its pid namespace.

Messages, from the supervisor: ``{"limits": …, "argv": […]}`` with four descriptors (request,
stdout, stderr, result), and a fifth where the program to start is a descriptor. To the
supervisor, in order: ``started`` with a pidfd, ``ready`` from the test process itself just before
it reads the request, ``exited`` with the kernel's accounting. ``failed`` stands in place of
``ready`` when a step of the isolation failed.
"""

import json
import os
import resource
import signal
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

from submissions_sandbox.channel import Channel, ChannelClosed
from submissions_sandbox.descriptors import BINARY, CONTROL, REQUEST, arrange_descriptors
from submissions_sandbox.isolate import Isolation
from submissions_sandbox.limits import RunLimits

Program = Callable[[bytes], None]
Variables = dict[str, str]
_READ_BYTES = 1 << 20


def serve(channel: Channel, program: Program | Variables, isolation: Isolation) -> NoReturn:
    """Run tests one after another until the supervisor hangs up.

    ``program`` is what every run calls, or the environment of what a run's argv starts.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with suppress(ChannelClosed):
        while True:
            order, descriptors = channel.receive()
            _run_one(channel, order, descriptors, (program, isolation))
    os._exit(0)


def _run_one(
    channel: Channel,
    order: dict[str, object],
    descriptors: list[int],
    inside: tuple[Program | Variables, Isolation],
) -> None:
    pid = os.fork()
    if pid == 0:
        _become_test(channel.detach(), order, descriptors, inside)
    for descriptor in descriptors:
        os.close(descriptor)
    pidfd = os.pidfd_open(pid)
    channel.send({"started": pid}, [pidfd])
    os.close(pidfd)
    _, status, usage = os.wait4(pid, 0)
    _kill_leftovers()
    channel.send(
        {
            "exited": status,
            "cpu_s": usage.ru_utime + usage.ru_stime,
            "peak_kb": usage.ru_maxrss,
        }
    )


def _kill_leftovers() -> None:
    """End and reap whatever a run left in this pid namespace."""
    with suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)


def _become_test(
    control: int,
    order: dict[str, object],
    descriptors: list[int],
    inside: tuple[Program | Variables, Isolation],
) -> NoReturn:
    program, isolation = inside
    try:
        limits, argv = order["limits"], order["argv"]
        arrange_descriptors(control, descriptors)
        isolation.enter(RunLimits(**limits))  # type: ignore[arg-type]
        _tell(
            {
                "ready": True,
                "cpu_s": time.process_time(),
                "peak_kb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
            }
        )
    except BaseException as error:
        _tell({"failed": f"{type(error).__name__}: {error}"})
        os._exit(1)
    if isinstance(program, dict):
        _exec(argv, program, has_binary=len(descriptors) > CONTROL)  # type: ignore[arg-type]
    os.close(CONTROL)
    _call(program, _read_request())


def _call(program: Program, request: bytes) -> NoReturn:
    """Call the program; nothing that it raises may climb into the frames above."""
    status = 1
    try:
        program(request)
        status = 0
    except BaseException as error:
        # Not with this function's own frame: it would name a folder of the host.
        own = error.__traceback__
        traceback.print_exception(error.with_traceback(own.tb_next if own else None))
    finally:
        os._exit(status)


def _tell(message: dict[str, object]) -> None:
    """Send to the supervisor with write(), the only way that the filter leaves open."""
    os.write(CONTROL, json.dumps(message).encode())


def _read_request() -> bytes:
    parts = []
    while part := os.read(REQUEST, _READ_BYTES):
        parts.append(part)
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
