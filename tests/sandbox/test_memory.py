"""Memory: the limit is what a program adds to the interpreter, and so is the reported peak."""

import pytest
from attack_box import Runner

MIB = 1024
GROWTH = """
    keep = []
    try:
        while True: keep.append(bytearray(1 << 20))
    except MemoryError:
        grown = len(keep)
        keep.clear()
        report(grown)
"""
# Each act succeeds on an unguarded machine.
REFUSED = {
    "a shared map larger than the limit": (
        "import mmap\nreport(attempt(mmap.mmap, -1, 1 << 30))",
        "ENOMEM",
    ),
    "locked memory": ("report(libc.mlockall(1))", "-1"),
    "a wider hard limit": (
        """
        import resource
        def widen(): resource.setrlimit(resource.RLIMIT_AS, (1 << 40, 1 << 40))
        try:
            report(attempt(widen))
        except ValueError as error:
            report(error)
        """,
        "not allowed to raise maximum limit",
    ),
    "large pipes": (
        "import fcntl\nreport(attempt(fcntl.fcntl, os.pipe()[0], fcntl.F_SETPIPE_SZ, 1 << 20))",
        "EPERM",
    ),
    "a memory file": ("report(attempt(os.memfd_create, 'store'))", "EPERM"),
}


@pytest.mark.parametrize("act", ["bytearray(1 << 31)", "[0] * 10 ** 9", "'x' * (1 << 40)"])
def test_one_allocation_past_the_limit_fails_in_the_program(run: Runner, act: str) -> None:
    outcome = run(act)
    assert (outcome.kind, outcome.exit_code) == ("exited", 1)
    assert outcome.stderr.rstrip().endswith(b"MemoryError")
    assert outcome.memory_kb < 8 * MIB


def test_slow_growth_stops_at_the_limit_and_the_peak_shows_it(run: Runner) -> None:
    outcome = run(GROWTH, cpu_ms=3000, memory_kb=128 * MIB)
    assert int(outcome.result) == pytest.approx(128, rel=0.05)
    assert outcome.memory_kb == pytest.approx(128 * MIB, rel=0.05)


def test_an_honest_large_run_is_reported_as_it_was_and_leaves_no_trace(run: Runner) -> None:
    large = run("block = bytearray(200 << 20)", cpu_ms=3000, memory_kb=256 * MIB)
    assert large.kind == "exited"
    assert large.memory_kb == pytest.approx(200 * MIB, rel=0.05)
    assert run("pass").memory_kb < 5 * MIB
    assert large.memory_source == "rusage"


@pytest.mark.parametrize(("code", "answer"), REFUSED.values(), ids=REFUSED)
def test_memory_cannot_be_had_in_another_way(run: Runner, code: str, answer: str) -> None:
    assert run.report(code) == answer


def test_endless_recursion_in_c_ends_as_the_signal_that_it_was(run: Runner) -> None:
    code = """
        sys.setrecursionlimit(10 ** 9)
        def deeper(_): sorted([0], key=deeper)
        deeper(0)
    """
    outcome = run(code, cpu_ms=3000, memory_kb=256 * MIB)
    assert (outcome.kind, outcome.signal) == ("signalled", 11)


def test_endless_recursion_in_python_is_bounded(run: Runner) -> None:
    code = """
        sys.setrecursionlimit(10 ** 9)
        def deeper(): deeper()
        deeper()
    """
    outcome = run(code, cpu_ms=500, memory_kb=64 * MIB)
    assert (outcome.kind, outcome.exit_code) != ("exited", 0)
    assert outcome.memory_kb <= 72 * MIB  # what it changed of the warm parent comes on top
