"""The supervisor's side of a run, with a box init played by the test."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from submissions_sandbox.channel import Channel
from submissions_sandbox.limits import RunLimits
from submissions_sandbox.memory import MemoryAccount
from submissions_sandbox.reports import Ready, Started, encode
from submissions_sandbox.streams import CappedPipe
from submissions_sandbox.watch import RunWatch

READY = encode(Ready(cpu_s=0.0, peak_kb=0))


def memory(limits: RunLimits) -> MemoryAccount:
    return MemoryAccount(limits, None, source="", starts_afresh=False)


@pytest.fixture
def program() -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield child
    child.kill()
    child.wait()
    assert child.stdin is not None
    child.stdin.close()


def test_a_program_may_flood_before_box_init_says_that_it_was_started(
    program: subprocess.Popen[bytes],
) -> None:
    supervisor, box_init = Channel.pair()
    pipes = [CappedPipe(8) for _ in range(3)]
    watch = RunWatch(supervisor, pipes, RunLimits(), memory(RunLimits()))
    box_init.send_bytes(READY)
    assert watch._take_message() is None
    os.write(pipes[0].write_end, b"more than eight bytes")
    pipes[0].read_some()
    watch._enforce()
    assert program.poll() is None

    pidfd = os.pidfd_open(program.pid)
    box_init.send_bytes(encode(Started()), [pidfd])
    assert watch._take_message() is None
    watch._enforce()
    assert program.wait() == -signal.SIGKILL

    os.close(pidfd)
    os.close(watch._pidfd)
    for pipe in pipes:
        pipe.close()
    supervisor.close()
    box_init.close()


@pytest.mark.parametrize(("run_delay_s", "survives"), [(0.0, False), (3600.0, True)])
def test_a_program_that_got_no_core_is_not_idle(
    program: subprocess.Popen[bytes],
    monkeypatch: pytest.MonkeyPatch,
    run_delay_s: float,
    survives: bool,
) -> None:
    supervisor, box_init = Channel.pair()
    pipes = [CappedPipe(8) for _ in range(3)]
    limits = RunLimits(cpu_ms=1000)
    watch = RunWatch(supervisor, pipes, limits, memory(limits))
    pidfd = os.pidfd_open(program.pid)
    box_init.send_bytes(encode(Started()), [pidfd])
    box_init.send_bytes(READY)
    watch._take_message()
    watch._take_message()
    monkeypatch.setattr(watch, "_run_delay_s", lambda: run_delay_s)
    watch._ready_at_s -= 10
    watch._deadline_s -= 10  # ten seconds have passed; the wall limit is four
    watch._enforce()
    assert (watch._killed_for is None) == survives

    os.close(pidfd)
    os.close(watch._pidfd)
    for pipe in pipes:
        pipe.close()
    supervisor.close()
    box_init.close()
