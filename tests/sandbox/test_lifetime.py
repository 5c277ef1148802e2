"""Deaths: whatever is killed, nothing outlives it, and a fault is never a program's outcome."""

import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from attack_box import HONEST, Runner, outer_pid, start, when_ready, zygote_pid
from processes import children, descendants, has_ended, open_descriptors

import submissions_sandbox
from submissions_sandbox import (
    ALL_TIERS,
    RunLimits,
    Sandbox,
    SandboxError,
    SandboxUnavailable,
    Tier,
    python_profile,
)
from submissions_sandbox.profile import Bind, Profile

LIMITS = RunLimits(cpu_ms=300, memory_kb=128 * 1024)
# A supervisor that says when its program runs, and would let it run for very long.
SUPERVISOR = """
import sys
from attack_box import start, when_ready
from submissions_sandbox import RunLimits, Tier
with start(tier=Tier(sys.argv[1])) as sandbox, sandbox.open_box() as box:
    when_ready(box, lambda: print("running", flush=True))
    box.run(b"while True: pass", RunLimits(cpu_ms=100_000))
"""
# Zygote outside, in tier A zygote inside, box init, program.
LEVELS = {Tier.A: 4, Tier.B: 3}


@pytest.fixture(params=ALL_TIERS, ids=[f"tier {tier}" for tier in ALL_TIERS])
def own_sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """A sandbox that the test may break."""
    with start(tier=request.param) as sandbox:
        yield sandbox


def test_a_box_init_that_dies_in_a_run_is_a_fault_and_no_outcome(sandbox: Sandbox) -> None:
    before = open_descriptors()
    with sandbox.open_box() as box:
        when_ready(box, lambda: signal.pidfd_send_signal(box._init_pidfd, signal.SIGKILL))
        with pytest.raises(SandboxError, match="box init"):
            box.run(b"while True: pass", LIMITS)
        with pytest.raises(SandboxError, match="box init is gone"):
            box.run(HONEST.encode(), LIMITS)
    assert open_descriptors() == before
    with sandbox.open_box() as box:
        assert box.run(HONEST.encode(), LIMITS).result == b"45"


def test_a_test_process_that_is_killed_from_outside_was_ended_by_a_signal(
    sandbox: Sandbox,
) -> None:
    with sandbox.open_box() as box:

        def kill_program() -> None:
            (program,) = children(_pid_of(box._init_pidfd))
            os.kill(program, signal.SIGKILL)

        when_ready(box, kill_program)
        outcome = box.run(b"while True: pass", LIMITS)
    assert (outcome.kind, outcome.signal) == ("signalled", 9)


@pytest.mark.parametrize("inner", [False, True], ids=["outer process", "pid 1 of the namespace"])
def test_a_zygote_that_dies_takes_its_boxes_along(own_sandbox: Sandbox, inner: bool) -> None:
    outer, zygote = outer_pid(own_sandbox), zygote_pid(own_sandbox)
    if inner and outer == zygote:
        pytest.skip("the zygote of tier B is one process")
    box = own_sandbox.open_box()
    init = os.dup(box._init_pidfd)
    when_ready(box, lambda: os.kill(zygote if inner else outer, signal.SIGKILL))
    with pytest.raises(SandboxError):
        box.run(b"while True: pass", LIMITS)
    ended = has_ended(init)
    os.close(init)
    box.close()
    assert ended
    with pytest.raises(SandboxError, match="the zygote is gone"):
        own_sandbox.open_box()
    with start(tier=own_sandbox.tier) as another, another.open_box() as other_box:
        assert other_box.run(HONEST.encode(), LIMITS).result == b"45"


def test_a_supervisor_that_is_killed_leaves_no_process(sandbox: Sandbox) -> None:
    here, project = Path(__file__).parent, Path(submissions_sandbox.__file__).parents[1]
    paths = [str(project), str(here), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    with ExitStack() as stack:
        supervisor = stack.enter_context(
            subprocess.Popen(  # noqa: S603 - our own interpreter and code
                [sys.executable, "-c", SUPERVISOR, sandbox.tier.value],
                stdout=subprocess.PIPE,
                env=environment,
            )
        )
        assert supervisor.stdout is not None
        assert supervisor.stdout.readline() == b"running\n"
        below = descendants(supervisor.pid)
        assert len(below) == LEVELS[sandbox.tier]
        pidfds = [os.pidfd_open(pid) for pid in below]
        for pidfd in pidfds:
            stack.callback(os.close, pidfd)
        supervisor.kill()
        assert [has_ended(pidfd) for pidfd in pidfds] == [True] * len(below)


def test_closing_a_box_ends_what_runs_in_it(sandbox: Sandbox) -> None:
    box = sandbox.open_box()
    init = os.dup(box._init_pidfd)
    box.close()
    ended = has_ended(init)
    os.close(init)
    assert ended


@pytest.mark.parametrize("tier", ALL_TIERS)
def test_closing_a_sandbox_ends_its_zygote_and_gives_back_every_descriptor(tier: Tier) -> None:
    before = open_descriptors()
    with start(tier=tier) as sandbox, sandbox.open_box() as box:
        outer = outer_pid(sandbox)
        pidfds = [os.pidfd_open(pid) for pid in (outer, *descendants(outer))]
        assert box.run(HONEST.encode(), LIMITS).result == b"45"
    ended = [has_ended(pidfd) for pidfd in pidfds]
    for pidfd in pidfds:
        os.close(pidfd)
    assert ended == [True] * (LEVELS[tier] - 1)
    assert open_descriptors() == before


def test_a_sandbox_that_cannot_be_set_up_refuses_and_says_how_to_fix_it() -> None:
    before = open_descriptors()
    with pytest.raises(SandboxUnavailable, match="refuses to run without"):
        Sandbox(Profile("broken", (Bind("/no/such/folder", "/usr/lib"),)), (Tier.A,))
    with pytest.raises(SandboxUnavailable):
        Sandbox(python_profile("this is no Python"))
    assert open_descriptors() == before


def test_boxes_of_one_sandbox_run_side_by_side(sandbox: Sandbox) -> None:
    answers: dict[int, str] = {}
    with ExitStack() as stack:
        boxes = [stack.enter_context(sandbox.open_box()) for _ in range(3)]

        def work(number: int) -> None:
            answers[number] = Runner(boxes[number]).report(f"report({number})")

        threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert answers == {0: "0", 1: "1", 2: "2"}


def test_many_runs_after_attacks_cost_the_zygote_nothing(sandbox: Sandbox) -> None:
    zygote = zygote_pid(sandbox)
    attacks = [
        "os.abort()",
        "os.fork()",
        "bytearray(1 << 40)",
        "os.closerange(0, 9)",
        "os._exit(3)",
    ]
    with sandbox.open_box() as box:
        runner = Runner(box)
        before_kb = _resident_kb(zygote)
        for _ in range(20):
            for attack in attacks:
                runner(attack)
            assert runner.report(HONEST) == "45"
        assert _resident_kb(zygote) - before_kb < 2048
    assert zygote_pid(sandbox) == zygote


def _resident_kb(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE") // 1024


def _pid_of(pidfd: int) -> int:
    """The pid behind a pidfd."""
    assert not select.select([pidfd], [], [], 0)[0], "the process has ended"
    text = Path(f"/proc/self/fdinfo/{pidfd}").read_text()
    return int(text.partition("Pid:")[2].split()[0])
