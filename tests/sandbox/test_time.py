"""Time: CPU time judges, summed over threads and measured outside; wall time only ends idling."""

import pytest
from attack_box import Runner

from submissions_sandbox import RunLimits

BURNING = {
    "a loop": "while True: pass",
    "one long operation in C": "3 ** (10 ** 9)",
    "every descriptor closed": "os.closerange(0, 64)\nwhile True: pass",
    "every signal blocked": """
        import signal
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        while True: pass
    """,
    "SIGXCPU ignored": """
        import signal
        signal.signal(signal.SIGXCPU, signal.SIG_IGN)
        while True: pass
    """,
    "a storm of timers": """
        import signal
        signal.signal(signal.SIGALRM, lambda number, frame: None)
        signal.setitimer(signal.ITIMER_REAL, 0.0001, 0.0001)
        while True: pass
    """,
    "two threads at once": """
        import zlib
        block = bytes(1 << 20)
        def burn():
            while True: zlib.crc32(block)
        for _ in range(2): threading.Thread(target=burn).start()
        threading.Event().wait()
    """,
    "a thread that the main thread waits for": """
        def burn():
            while True: pass
        thread = threading.Thread(target=burn)
        thread.start()
        thread.join()
    """,
}

IDLING = {
    "sleeps": "time.sleep(100)",
    "stops itself": "import signal\nos.kill(os.getpid(), signal.SIGSTOP)",
    "closes every descriptor and waits": "os.closerange(0, 64)\nlibc.pause()",
    "waits for itself": "lock = threading.Lock()\nlock.acquire()\nlock.acquire()",
}


@pytest.mark.parametrize("code", BURNING.values(), ids=BURNING)
def test_a_program_past_its_cpu_limit_is_ended_for_cpu_time(run: Runner, code: str) -> None:
    outcome = run(code)
    assert (outcome.kind, outcome.detail) == ("time", "cpu")
    assert outcome.cpu_ms >= 300


@pytest.mark.parametrize("code", IDLING.values(), ids=IDLING)
def test_a_program_that_waits_is_ended_for_wall_time(run: Runner, code: str) -> None:
    limits = RunLimits(cpu_ms=50, memory_kb=128 * 1024)
    outcome = run.box.run(code.encode(), limits, idle_kill_s=0.5)
    assert (outcome.kind, outcome.detail) == ("time", "wall")
    assert outcome.cpu_ms < 50


def test_a_program_just_below_its_limit_is_not_ended(run: Runner) -> None:
    outcome = run("while time.process_time() < 0.25: pass", cpu_ms=300)
    assert outcome.kind == "exited"
    assert outcome.cpu_ms < 300


def test_cpu_time_is_the_programs_alone_and_agrees_with_its_own_clock(run: Runner) -> None:
    code = """
        start = time.process_time()
        while time.process_time() < start + 0.2: pass
        report(time.process_time() - start)
    """
    outcome = run(code, cpu_ms=1000)
    own_ms = float(outcome.result) * 1000
    assert own_ms <= outcome.cpu_ms + 1
    assert outcome.cpu_ms < own_ms + 30
    assert run("pass").cpu_ms < 30


def test_priority_and_core_cannot_be_changed(run: Runner) -> None:
    acts = """
        report([
            attempt(os.nice, -5),
            attempt(os.setpriority, os.PRIO_PROCESS, 0, 5),
            attempt(os.sched_setscheduler, 0, os.SCHED_BATCH, os.sched_param(0)),
            attempt(os.sched_setaffinity, 0, os.sched_getaffinity(0)),
        ])
    """
    assert run.report(acts) == str(["EPERM"] * 4)
