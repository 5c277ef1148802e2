"""Processes and signals: no program makes a process, starts one, or reaches another."""

import os
import signal

import pytest
from attack_box import REFUSALS, Runner, start

from submissions_sandbox import ALL_TIERS, Sandbox, Tier
from submissions_sandbox.syscall_numbers import AUDIT_ARCHITECTURES, machine, numbers

# Numbers of calls that the filter's own table has no use for: x86_64, aarch64.
_OTHERS = {
    "vfork": (58, None),
    "fork": (57, None),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
}
_COLUMN = list(AUDIT_ARCHITECTURES).index(machine())
_NUMBERS = numbers(machine()) | {
    name: row[_COLUMN] for name, row in _OTHERS.items() if row[_COLUMN] is not None
}
_SIGCHLD, _CLONE_VM, _CLONE_NEWUSER = 17, 0x100, 0x10000000

# In a child that was made after all, "done" of the child would arrive as a second report.
MAKING = {
    "os.fork": "report(attempt(os.fork))",
    "a fork bomb": "report({attempt(os.fork) for _ in range(200)})",
    "os.posix_spawn": "report(attempt(os.posix_spawn, '/usr/bin/true', ['true'], {}))",
    "subprocess": "import subprocess\nreport(attempt(subprocess.Popen, ['/bin/true']))",
    "os.execv": "report(attempt(os.execv, '/usr/bin/true', ['true']))",
    "execve of the loader": "report(attempt(os.execv, '/lib64/ld-linux-x86-64.so.2', ['ld']))",
    "execveat": f"report(syscall({_NUMBERS['execveat']}, -100, b'/bin/true', 0, 0, 0))",
    "clone of a process": f"report(syscall({_NUMBERS['clone']}, {_SIGCHLD}, 0, 0, 0, 0))",
    "clone with shared memory": (
        f"report(syscall({_NUMBERS['clone']}, {_CLONE_VM | _SIGCHLD}, 0, 0, 0, 0))"
    ),
    "clone into a user namespace": (
        f"report(syscall({_NUMBERS['clone']}, {_CLONE_NEWUSER | _SIGCHLD}, 0, 0, 0, 0))"
    ),
    "clone3": (
        "arguments = (ctypes.c_uint64 * 8)(0, 0, 0, 0, 17)\n"
        f"report(syscall({_NUMBERS['clone3']}, arguments, ctypes.sizeof(arguments)))"
    ),
}
for _name in ("fork", "vfork"):
    if _name in _NUMBERS:
        MAKING[f"the system call {_name}"] = f"report(syscall({_NUMBERS[_name]}))"

REACHING = {
    "everybody": "report(attempt(os.kill, -1, 9))",
    "box init": "report(attempt(os.kill, 1, 9))",
    "its parent": "report(attempt(os.kill, os.getppid(), 9))",
    "its process group": "report(attempt(os.killpg, 0, 9))",
    "its neighbours": "report({attempt(os.kill, p, 0) for p in range(2, 400) if p != os.getpid()})",
    "box init's thread": f"report(syscall({_NUMBERS['tgkill']}, 1, 1, 9))",
    "box init by tkill": f"report(syscall({_NUMBERS['tkill']}, 1, 9))",
    "box init by sigqueue": (
        "information = (ctypes.c_char * 128)()\n"
        f"report(syscall({_NUMBERS['rt_sigqueueinfo']}, 1, 9, information))"
    ),
    "a pidfd of itself": f"report(syscall({_NUMBERS['pidfd_open']}, os.getpid(), 0))",
    "a descriptor of its parent": f"report(syscall({_NUMBERS['pidfd_getfd']}, 0, 0, 0))",
}

ENDS = {
    "abort": ("os.abort()", 6),
    "a null pointer": ("ctypes.string_at(0)", 11),
    "SIGKILL to itself": ("os.kill(os.getpid(), 9)", 9),
    "SIGTERM to itself": ("os.kill(os.getpid(), 15)", 15),
    "SIGFPE": ("import signal\nsignal.raise_signal(signal.SIGFPE)", 8),
    "an alarm": ("import signal\nsignal.setitimer(signal.ITIMER_REAL, 0.001)\nlibc.pause()", 14),
}


@pytest.mark.parametrize("code", MAKING.values(), ids=MAKING)
def test_a_process_cannot_be_made_or_started(run: Runner, code: str) -> None:
    answer = run.report(code)
    assert answer.strip("{'}") in (*REFUSALS, "ENOENT")


@pytest.mark.parametrize("code", REACHING.values(), ids=REACHING)
def test_another_process_cannot_be_reached(run: Runner, code: str) -> None:
    assert run.report(code).strip("{'}") == "EPERM"


@pytest.mark.parametrize(("code", "signal"), ENDS.values(), ids=ENDS)
def test_an_end_by_a_signal_is_reported_as_that_signal(run: Runner, code: str, signal: int) -> None:
    outcome = run(code)
    assert (outcome.kind, outcome.signal, outcome.exit_code) == ("signalled", signal, -1)


@pytest.mark.parametrize("status", [0, 1, 7, 255])
def test_an_exit_status_is_reported_as_it_is(run: Runner, status: int) -> None:
    outcome = run(f"os._exit({status})")
    assert (outcome.kind, outcome.exit_code, outcome.result) == ("exited", status, b"")


def test_a_shell_is_not_there(run: Runner) -> None:
    assert run.report("report(os.system('echo shell'))") in ("-1", "32512")


def test_threads_are_allowed(run: Runner) -> None:
    code = """
        total = []
        threads = [threading.Thread(target=total.append, args=(n,)) for n in range(4)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        report(sorted(total))
    """
    assert run.report(code) == "[0, 1, 2, 3]"


THREAD_BOMB = """
    wait = threading.Event()
    started = 0
    try:
        while True:
            threading.Thread(target=wait.wait, daemon=True).start()
            started += 1
    except RuntimeError:
        report(started)
"""


def test_memory_bounds_the_number_of_threads(run: Runner) -> None:
    assert 0 < int(run.report(THREAD_BOMB, memory_kb=256 * 1024)) < 32


def test_the_limit_on_processes_counts_threads(run: Runner, sandbox: Sandbox) -> None:
    has_own_user = "own_uid" in sandbox.description.layers
    if not has_own_user and (os.getuid() == 0 or run.tier is Tier.B):
        pytest.skip("the kernel counts for a user: root's it does not, the judge's with all else")
    assert 0 < int(run.report(THREAD_BOMB, memory_kb=4 << 20, processes=12)) < 12


@pytest.mark.parametrize("tier", ALL_TIERS, ids=[f"tier {tier}" for tier in ALL_TIERS])
def test_what_the_judges_starter_ignores_or_blocks_is_not_passed_on(tier: Tier) -> None:
    """As a service has it that was started with nohup."""
    code = "report((signal.getsignal(signal.SIGQUIT).name, signal.pthread_sigmask(0, ())))"
    before = signal.signal(signal.SIGQUIT, signal.SIG_IGN)
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    try:
        with start(tier=tier) as sandbox, sandbox.open_box() as box:
            found = Runner(box, tier).report(f"import signal\n{code}")
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGQUIT, before)
    assert found == "('SIG_DFL', set())"
