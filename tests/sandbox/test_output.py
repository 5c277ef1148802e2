"""Output: kept up to its cap, flat in memory, and never more than bytes of the program's."""

import resource
from pathlib import Path

import pytest
from attack_box import Runner

import submissions_sandbox

CAP = 4096
STREAMS = {"stdout": 1, "stderr": 2, "result": 3}
CAPS = {"stdout_bytes": CAP, "result_bytes": CAP}


@pytest.mark.parametrize(("stream", "descriptor"), STREAMS.items())
def test_a_flood_ends_the_run_and_its_head_is_kept(
    run: Runner, stream: str, descriptor: int
) -> None:
    before_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    outcome = run(f"while True: os.write({descriptor}, b'abcdefgh' * 8192)", **CAPS)
    assert (outcome.kind, outcome.detail) == ("output", stream)
    assert getattr(outcome, stream) == b"abcdefgh" * (CAP // 8)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kb < 16 * 1024


@pytest.mark.parametrize(("stream", "descriptor"), STREAMS.items())
def test_exactly_the_cap_is_allowed(run: Runner, stream: str, descriptor: int) -> None:
    outcome = run(f"os.write({descriptor}, b'x' * {CAP})", **CAPS)
    assert outcome.kind == "exited"
    assert getattr(outcome, stream) == b"x" * CAP


@pytest.mark.parametrize(("stream", "descriptor"), STREAMS.items())
def test_one_byte_more_is_not(run: Runner, stream: str, descriptor: int) -> None:
    outcome = run(f"os.write({descriptor}, b'x' * {CAP + 1})", **CAPS)
    assert (outcome.kind, outcome.detail) == ("output", stream)
    assert getattr(outcome, stream) == b"x" * CAP


def test_the_number_of_bytes_that_were_not_kept_is_told(run: Runner) -> None:
    outcome = run(f"os.write(1, b'x' * {CAP + 10}); os.write(2, b'y' * {CAP})", **CAPS)
    assert outcome.stdout_dropped == 10
    assert outcome.stderr_dropped == 0


def test_a_large_result_within_its_cap_arrives_whole(run: Runner) -> None:
    code = """
        block = bytes(range(256)) * 4096
        for _ in range(4):
            left = block
            while left: left = left[os.write(3, left):]
    """
    assert run(code, cpu_ms=2000).result == bytes(range(256)) * 4096 * 4


def test_every_byte_arrives_as_it_was_written(run: Runner) -> None:
    hostile = b"\x00\xff\xfe\x1b[2J\xe2\x80\xae<script>\r\n\xed\xa0\x80"
    outcome = run(f"for descriptor in (1, 2, 3): os.write(descriptor, {hostile!r})")
    assert (outcome.stdout, outcome.stderr, outcome.result) == (hostile,) * 3


def test_streams_do_not_mix(run: Runner) -> None:
    outcome = run("os.write(1, b'out'); os.write(2, b'err'); os.write(3, b'res')")
    assert (outcome.stdout, outcome.stderr, outcome.result) == (b"out", b"err", b"res")


def test_nothing_comes_from_stdin_and_reading_it_does_not_wait(run: Runner) -> None:
    assert run.report("report((os.read(0, 10), sys.stdin.read()))") == "(b'', '')"
    assert b"EOFError" in run("input()").stderr


def test_only_the_three_streams_and_the_result_are_open(run: Runner) -> None:
    code = """
        def is_open(descriptor): return attempt(os.fstat, descriptor) == 'done'
        report([descriptor for descriptor in range(1024) if is_open(descriptor)])
    """
    assert run.report(code) == "[0, 1, 2, 3]"


def test_closed_streams_do_no_harm(run: Runner) -> None:
    outcome = run("report('before'); os.closerange(0, 4)")
    assert (outcome.kind, outcome.exit_code, outcome.result) == ("exited", 0, b"before")


def test_an_exception_is_printed_without_a_frame_of_the_sandbox(run: Runner) -> None:
    outcome = run("def divide(): 1 / 0\ndivide()")
    assert outcome.exit_code == 1
    assert outcome.stderr.endswith(b"ZeroDivisionError: division by zero\n")
    assert b'"attack", line 1, in divide' in outcome.stderr
    assert str(Path(submissions_sandbox.__file__).parent).encode() not in outcome.stderr
