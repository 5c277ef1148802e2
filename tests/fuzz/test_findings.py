"""What the fuzzer has found once, each as a case of its own."""

import os
import warnings

import numpy as np
import pytest
from bpf_machine import BpfMachine
from fuzz_policy import ALLOW, ARCHITECTURES, DENY
from fuzz_source import peak_bytes

from judge.domain.checkers.compare import compare
from judge.domain.problem import CheckerSpec
from judge.domain.signatures import NdArray, Scalar, Signature
from judge.harness.cpp_diagnostics import read_log
from submissions_sandbox import RunLimits, Tier
from submissions_sandbox.channel import Channel
from submissions_sandbox.memory import MemoryAccount
from submissions_sandbox.profile import Starts
from submissions_sandbox.reports import Ready, encode
from submissions_sandbox.seccomp import build_filter
from submissions_sandbox.streams import CappedPipe
from submissions_sandbox.syscall_numbers import numbers
from submissions_sandbox.watch import RunWatch

OWN_PID = 77


@pytest.fixture(params=ARCHITECTURES)
def machine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def answers(machine: str, starts: Starts, name: str, *words: int) -> int:
    run = BpfMachine(build_filter(machine, OWN_PID, starts, Tier.B))
    padded = [*words, *[0] * (6 - len(words))]
    return run(numbers(machine)[name], ARCHITECTURES[machine], padded)


@pytest.mark.parametrize("name", ["utimensat", "truncate"])
@pytest.mark.parametrize("starts", Starts)
def test_nobody_changes_times_and_sizes_of_host_files_by_path(
    machine: str, starts: Starts, name: str
) -> None:
    if name in numbers(machine):
        assert answers(machine, starts, name) == DENY


@pytest.mark.parametrize("starts", Starts)
def test_no_host_file_is_opened_for_neither_reading_nor_writing(
    machine: str, starts: Starts
) -> None:
    """Landlock asks for no right then, but a device is opened all the same."""
    for extra in (0, os.O_NONBLOCK, os.O_CREAT, os.O_DIRECTORY, os.O_PATH):
        assert answers(machine, starts, "openat", 0, 0, os.O_ACCMODE | extra) == DENY
        for use in (os.O_RDONLY, os.O_WRONLY, os.O_RDWR):
            assert answers(machine, starts, "openat", 0, 0, use | extra) == ALLOW


def test_a_nan_of_any_bits_is_compared_without_a_warning() -> None:
    bits = np.array([0x7F800001, 0x7FC00000], dtype="<u4").view("<f4")
    spec = CheckerSpec("close", nan_equal=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert compare(spec, NdArray("f32", 1), bits, bits).passed


def test_a_program_may_idle_before_box_init_says_that_it_was_started() -> None:
    """On a busy machine a forked program may run long before the one that forked it does."""
    supervisor, box_init = Channel.pair()
    pipes = [CappedPipe(8) for _ in range(3)]
    limits = RunLimits()
    account = MemoryAccount(limits, None, source="", starts_afresh=False)
    watch = RunWatch(supervisor, pipes, limits, account)
    watch.idle_kill_s = 0.0
    box_init.send_bytes(encode(Ready(cpu_s=0.0, peak_kb=0)))
    looks = iter((False, False, False, True))
    assert watch.follow_until(lambda: next(looks)) is None
    for held in (*pipes, supervisor, box_init, watch):
        held.close()


def test_a_column_far_beyond_its_line_is_not_pointed_at() -> None:
    signature = Signature("f", (), Scalar("int"))
    log = "solution.cpp:1:999999999: error: x"
    assert peak_bytes(lambda: read_log(signature, "int f;", log)) < 1 << 20
