"""Limits on files, threads, streams and idling; what each of them does when it is met.

Time has tests of its own (test_time.py), so have memory, output and places that can be written.
"""

import ast
import resource
from pathlib import Path

import pytest
from attack_box import REFUSED_PATHS, Runner, start

from submissions_sandbox import RunLimits, Sandbox, Tier, python_profile
from submissions_sandbox.limits import Base, as_rlimits

MIB = 1 << 20
FILL = """
def fill(name, step=1 << 16):
    size = 0
    with open(name, 'wb', buffering=0) as file:
        try:
            while True:
                written = file.write(bytes(step))
                size += written
                if written < step: return ('short', size)
        except OSError as error:
            import errno
            return (errno.errorcode[error.errno], size)
"""
THREADS = """
    threading.stack_size(1 << 16)
    go = threading.Event()
    made = 0
    try:
        for _ in range({most}):
            threading.Thread(target=go.wait, daemon=True).start()
            made += 1
    except RuntimeError:
        pass
    report(made)
    os._exit(0)
"""


@pytest.fixture
def run_in_own_root(run: Runner) -> Runner:
    if run.tier is not Tier.A:
        pytest.skip("tier B has no /tmp")
    return run


def test_no_file_grows_past_its_limit_and_the_program_hears_of_it(run_in_own_root: Runner) -> None:
    answer = run_in_own_root.report(
        f"{FILL}\nreport(fill('/tmp/file'))", tmp_bytes=MIB, cpu_ms=1000
    )
    how, size = ast.literal_eval(answer)
    assert how in ("EFBIG", "ENOSPC", "short")
    assert 0 < size <= MIB


def test_several_files_hold_no_more_than_one(run_in_own_root: Runner) -> None:
    code = f"{FILL}\nreport([fill(f'/tmp/{{n}}', 1 << 18) for n in range(8)])"
    answers = ast.literal_eval(run_in_own_root.report(code, tmp_bytes=2 * MIB, cpu_ms=1000))
    assert sum(size for _, size in answers) <= 2 * MIB
    assert {how for how, _ in answers[1:]} <= {"ENOSPC", "short"}


def test_the_bytes_of_a_sparse_file_count_when_they_are_there(run_in_own_root: Runner) -> None:
    code = """
        with open('/tmp/sparse', 'wb') as file:
            report((attempt(os.truncate, '/tmp/sparse', 1 << 20), os.stat('/tmp/sparse').st_blocks,
                    attempt(os.truncate, '/tmp/sparse', 1 << 40)))
    """
    assert run_in_own_root.report(code, tmp_bytes=MIB) == "('done', 0, 'EFBIG')"


def test_folders_and_files_count_alike(run_in_own_root: Runner) -> None:
    code = """
        made = 0
        def fill():
            global made
            while True:
                os.mkdir(f'/tmp/{made}')
                made += 1
        report((attempt(fill), made))
    """
    how, made = ast.literal_eval(run_in_own_root.report(code, tmp_files=30))
    assert how == "ENOSPC"
    assert 20 < made < 30


def test_what_a_run_wrote_is_room_for_the_next(run_in_own_root: Runner) -> None:
    code = f"{FILL}\nreport(fill('/tmp/file'))"
    sizes = [ast.literal_eval(run_in_own_root.report(code, tmp_bytes=MIB))[1] for _ in range(3)]
    assert sizes == [sizes[0]] * 3


def test_in_tier_b_no_byte_can_be_written_to_a_file(run: Runner) -> None:
    if run.tier is not Tier.B:
        pytest.skip("tier A has a /tmp")
    code = "report([attempt(open, p + '/f', 'wb') for p in ('/tmp', '/var/tmp', '.', '/dev/shm')])"
    assert set(ast.literal_eval(run.report(code))) <= set(REFUSED_PATHS)


@pytest.mark.parametrize("open_files", [8, 64])
def test_the_limit_on_descriptors_is_exact(run: Runner, open_files: int) -> None:
    code = """
        seen = set()
        try:
            while True: seen.add(os.dup(3))
        except OSError: pass
        report(max(seen))
    """
    assert run.report(code, open_files=open_files) == str(open_files - 1)


def test_as_many_threads_as_are_allowed_can_be_made(run: Runner) -> None:
    made = run.report(THREADS.format(most=16), memory_kb=1 << 20, processes=64, cpu_ms=1000)
    assert made == "16"


def test_cpu_time_of_all_threads_is_added_up(run: Runner) -> None:
    code = """
        import zlib
        block = bytes(1 << 20)
        def burn():
            end = time.thread_time() + 0.15
            while time.thread_time() < end: zlib.crc32(block)
        threads = [threading.Thread(target=burn) for _ in range(3)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
    """
    outcome = run(code, cpu_ms=2000, memory_kb=512 * 1024)
    assert (outcome.kind, outcome.stderr) == ("exited", b"")
    assert 450 <= outcome.cpu_ms < 600


def test_threads_that_have_ended_still_count_against_the_limit(run: Runner) -> None:
    code = """
        def burn():
            end = time.thread_time() + 0.05
            while time.thread_time() < end: pass
        while True:
            thread = threading.Thread(target=burn)
            thread.start()
            thread.join()
    """
    outcome = run(code)
    assert (outcome.kind, outcome.detail) == ("time", "cpu")


IDLERS = {
    "sleeping": "time.sleep(100)",
    "waiting for input that never ends": "os.read(os.pipe()[0], 1)",
    "waiting for a thread": (
        "thread = threading.Thread(target=time.sleep, args=(100,))\nthread.start()\nthread.join()"
    ),
}


@pytest.mark.parametrize("code", IDLERS.values(), ids=IDLERS)
def test_a_run_can_be_given_less_time_to_idle(run: Runner, code: str) -> None:
    """Its limits would let it idle for an hour."""
    outcome = run.box.run(code.encode(), RunLimits(cpu_ms=3_600_000), idle_kill_s=0.1)
    assert (outcome.kind, outcome.detail) == ("time", "wall")
    assert outcome.wall_ms >= 100


def test_less_time_to_idle_takes_nothing_from_who_works(run: Runner) -> None:
    source = b"while time.process_time() < 1.2: pass\nreport('worked')"
    outcome = run.box.run(source, RunLimits(cpu_ms=4000), idle_kill_s=0.5)
    assert (outcome.kind, outcome.result) == ("exited", b"worked")


def test_a_request_of_any_size_arrives(run: Runner) -> None:
    for size in (0, 1, 1 << 16, (1 << 16) + 1, 9 << 20):
        source = b"report('read')\n" + b"#" * size
        outcome = run.box.run(source, RunLimits())
        assert outcome.result == b"read"


def test_output_limits_are_each_streams_own(run: Runner) -> None:
    code = "os.write(1, b'o' * 100)\nos.write(2, b'e' * 100)\nos.write(3, b'r' * 300)"
    assert run(code, stdout_bytes=100, result_bytes=300).kind == "exited"
    over = run(code, stdout_bytes=100, result_bytes=299)
    assert (over.kind, over.detail, len(over.result)) == ("output", "result", 299)


def test_a_flood_of_tiny_writes_ends_as_well(run: Runner) -> None:
    outcome = run("while True: os.write(1, b'x')", stdout_bytes=2000, cpu_ms=2000)
    assert (outcome.kind, outcome.detail, len(outcome.stdout)) == ("output", "stdout", 2000)


def test_a_written_file_of_the_host_is_untouched_by_any_of_this(
    run: Runner, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    path.write_text("content")
    path.chmod(0o666)
    acts = ["open(p, 'w')", "open(p, 'a')", "os.truncate(p, 0)", "os.remove(p)", "os.utime(p)"]
    for act in acts:
        answer = run.report(f"p = {str(path)!r}\nreport(attempt(lambda: {act}))")
        assert answer in REFUSED_PATHS
    assert path.read_text() == "content"


class TestAsRlimits:
    BASE = Base(address_space_bytes=100 * MIB, processes=7, stack_bytes=MIB)

    def test_memory_comes_on_top_of_what_is_there(self) -> None:
        limits = dict(as_rlimits(RunLimits(memory_kb=1024), self.BASE))
        assert limits[resource.RLIMIT_AS] == 101 * MIB
        assert resource.RLIMIT_DATA not in limits

    def test_so_do_processes(self) -> None:
        limits = dict(as_rlimits(RunLimits(processes=3), self.BASE))
        assert limits[resource.RLIMIT_NPROC] == 10
        started = dict(as_rlimits(RunLimits(processes=3, processes_at_start=9), self.BASE))
        assert started[resource.RLIMIT_NPROC] == 16

    def test_the_backstop_for_time_is_above_the_limit_for_every_request(self) -> None:
        limits = dict(as_rlimits(RunLimits(cpu_ms=2500, requests=4), self.BASE))
        assert limits[resource.RLIMIT_CPU] == (4 + 2) * 4

    def test_core_files_locked_memory_and_queues_are_out_of_the_question(self) -> None:
        limits = dict(as_rlimits(RunLimits(), self.BASE))
        none = (resource.RLIMIT_CORE, resource.RLIMIT_MEMLOCK, resource.RLIMIT_MSGQUEUE)
        assert [limits[which] for which in none] == [0, 0, 0]


def test_every_limit_of_a_run_is_in_force_in_it(run: Runner) -> None:
    code = """
        import resource
        names = ('CPU', 'FSIZE', 'NOFILE', 'STACK', 'CORE', 'MEMLOCK', 'MSGQUEUE', 'SIGPENDING')
        report({name: resource.getrlimit(getattr(resource, f'RLIMIT_{name}')) for name in names})
    """
    told = ast.literal_eval(run.report(code, tmp_bytes=MIB, open_files=40, cpu_ms=1000))
    assert all(soft == hard for soft, hard in told.values())
    assert {name: soft for name, (soft, _) in told.items()} == {
        "CPU": 3,
        "FSIZE": MIB,
        "NOFILE": 40,
        "STACK": 64 * MIB,
        "CORE": 0,
        "MEMLOCK": 0,
        "MSGQUEUE": 0,
        "SIGPENDING": 64,
    }


def test_two_sandboxes_with_other_limits_do_not_mix() -> None:
    start().close()  # skips where there is no isolation
    program = (
        "import os, resource\ndef preload(): pass\ndef main(request):\n    os.write(3, b'%d' % "
    )
    program += "resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    with Sandbox(python_profile(program)) as sandbox, sandbox.open_box() as box:
        for open_files in (20, 30, 20):
            assert box.run(b"", RunLimits(open_files=open_files)).result == b"%d" % open_files
