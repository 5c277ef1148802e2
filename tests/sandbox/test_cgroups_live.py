"""Control groups of this machine: what the kernel limits and measures."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from submissions_sandbox import SandboxError
from submissions_sandbox.cgroup import Group
from submissions_sandbox.cgroups import Groups, Lacking

MIB = 1024
PROCESSES = 16
TWO_LARGE_PROCESSES = """
import os
(filled, fill), (ended, end) = os.pipe(), os.pipe()
if os.fork() == 0:
    os.close(end)
    keep = bytearray(40 << 20)
    os.write(fill, b"x")
    os.read(ended, 1)
    os._exit(0)
os.close(fill)
os.read(filled, 1)
keep = bytearray(40 << 20)
"""
# Children that have ended and that nobody has waited for still count.
ENDLESS_FORKS = """
import os
while True:
    if os.fork() == 0:
        os._exit(0)
"""


@pytest.fixture(scope="module")
def groups() -> Iterator[Groups]:
    found = Groups.find()
    if isinstance(found, Lacking):
        if os.geteuid() != 0:
            pytest.skip(f"this user has no control groups of its own ({found.detail})")
        pytest.skip(f"no control groups to write to here ({found.detail}; {found.fix})")
    with found:
        yield found


@pytest.fixture
def group(groups: Groups) -> Iterator[Group]:
    with groups.open() as group:
        yield group


def run(group: Group, code: str) -> int:
    """Run a program that joins the group before it does anything; its return code."""
    child = waiting(code)
    group.add(child.pid)
    return finish(child)


def waiting(code: str) -> subprocess.Popen[bytes]:
    """A program that has started and waits: what the interpreter takes is charged elsewhere."""
    child = subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, "-S", "-c", f"print(flush=True)\ninput()\n{code}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"\n"
    return child


def finish(child: subprocess.Popen[bytes]) -> int:
    child.communicate(b"\n")
    return child.returncode


def growth_kb(group: Group, size_mb: int) -> int:
    child = waiting(f"bytearray({size_mb} << 20)")
    group.add(child.pid)
    base_kb = group.begin()
    assert finish(child) == 0
    return group.peak_kb() - base_kb


def test_the_peak_is_what_a_program_took(group: Group) -> None:
    group.limit(256 * MIB, PROCESSES)
    assert growth_kb(group, 100) == pytest.approx(100 * MIB, rel=0.05)


def test_a_run_does_not_carry_over_to_the_next(groups: Groups) -> None:
    with groups.open() as group:
        group.limit(256 * MIB, PROCESSES)
        assert growth_kb(group, 100) > 90 * MIB
        if groups.resets:
            assert growth_kb(group, 10) == pytest.approx(10 * MIB, abs=3 * MIB)
    with groups.open() as group:
        assert growth_kb(group, 10) == pytest.approx(10 * MIB, abs=3 * MIB)


def test_what_lies_in_a_group_does_not_count_as_the_next_peak(
    groups: Groups, group: Group, tmp_path: Path
) -> None:
    if not groups.resets:
        pytest.skip("each run has a group of its own here")
    path = tmp_path / "cached"
    assert run(group, f"open({str(path)!r}, 'wb').write(bytes(50 << 20))") == 0
    assert growth_kb(group, 10) == pytest.approx(10 * MIB, abs=3 * MIB)
    path.unlink()  # in memory for good where it is no file on a disk


def test_a_program_past_the_limit_is_killed_and_counted(group: Group) -> None:
    group.limit(64 * MIB, PROCESSES)
    before = group.oom_kills()
    group.begin()
    assert run(group, "bytearray(200 << 20)") == -signal.SIGKILL
    assert group.oom_kills() == before + 1
    assert group.peak_kb() == pytest.approx(64 * MIB, rel=0.05)


def test_limits_hold_for_all_processes_together(group: Group) -> None:
    group.limit(64 * MIB, PROCESSES)
    before = group.oom_kills()
    run(group, TWO_LARGE_PROCESSES)
    assert group.oom_kills() > before


def test_limits_go_up_and_down(group: Group) -> None:
    for memory_mb in (64, 128, 16, 96):
        group.limit(memory_mb * MIB, PROCESSES)
        fits = run(group, f"bytearray({memory_mb * 2 // 3} << 20)")
        fails = run(group, f"bytearray({memory_mb * 2} << 20)")
        assert (fits, fails) == (0, -signal.SIGKILL)


def test_no_more_processes_than_allowed(groups: Groups, group: Group) -> None:
    if "pids" not in groups.controllers:
        pytest.skip("the pids controller is not to be had here")
    group.limit(256 * MIB, 4)
    # The fork that is refused is an uncaught error.
    assert run(group, ENDLESS_FORKS) == 1


def test_a_group_with_a_process_is_not_lent(groups: Groups) -> None:
    child = waiting("")
    with groups.open() as first:
        first.add(child.pid)
    with groups.open() as second:
        assert second is not first
    assert finish(child) == 0


def test_a_process_that_has_ended_cannot_be_added(group: Group) -> None:
    child = waiting("")
    assert finish(child) == 0
    with pytest.raises(SandboxError):
        group.add(child.pid)


def test_threads_never_share_a_group(groups: Groups) -> None:
    workers = 4
    together = threading.Barrier(workers)

    def lend(_: int) -> str:
        together.wait()
        with groups.open() as group:
            together.wait()
            return str(group)

    with ThreadPoolExecutor(workers) as pool:
        for _ in range(20):
            assert len(set(pool.map(lend, range(workers)))) == workers


def test_nothing_is_left_when_all_have_ended(groups: Groups) -> None:
    own = Groups.find()
    assert isinstance(own, Groups)
    child = waiting("")
    with own:
        group = own.open()
        group.add(child.pid)
        folder = Path(str(group))
        assert folder.is_dir()
        child.kill()  # nobody has waited for it: it may still be ending
    assert not folder.exists()
    child.communicate()
