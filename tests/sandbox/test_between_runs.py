"""Between runs: nothing that one run did is there in the next, in the same box or another."""

import ast

import pytest
from attack_box import REFUSALS, Runner

# What a run does, and a question whose answer must be the same as if it had not.
STATE = {
    "a file in /tmp": (
        "attempt(open, '/tmp/x', 'w')",
        "attempt(os.listdir, '/tmp'), os.path.exists('/tmp/x')",
    ),
    "the environment": ("os.environ['PATH'] = os.environ['X'] = '/tmp'", "dict(os.environ)"),
    "the working folder": ("os.chdir('/')", "os.getcwd()"),
    "a patched builtin": ("import builtins\nbuiltins.sum = lambda x: 1", "sum([1, 2])"),
    "a patched os": ("os.getpid = lambda: -1", "os.getpid() > 0"),
    "the search path": ("sys.path.insert(0, '/tmp')", "sys.path"),
    "a module": ("sys.modules['json'] = None", "__import__('json').dumps(1)"),
    "the recursion limit": ("sys.setrecursionlimit(77)", "sys.getrecursionlimit()"),
    "a trace function": ("sys.settrace(lambda *a: None)", "sys.gettrace()"),
    "the file mode mask": ("os.umask(0o777)", "os.umask(0o22)"),
    "a blocked signal": (
        "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, {2})",
        "__import__('signal').pthread_sigmask(0, set())",
    ),
    "a pending alarm": (
        "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0.001)",
        "__import__('signal').getitimer(0)",
    ),
    "a global of the program": ("sys._getframe(1).f_globals['libc'] = None", "libc is None"),
    "an exit hook": ("import atexit\natexit.register(report, 'hook')", "1"),
    "a thread": (
        "threading.Thread(target=time.sleep, args=(9,)).start()",
        "threading.active_count()",
    ),
}


@pytest.mark.parametrize(("act", "question"), STATE.values(), ids=STATE)
def test_a_run_leaves_nothing_to_the_next(run: Runner, act: str, question: str) -> None:
    asked = f"report(({question}))"
    untouched = run.report(asked)
    assert run(act).result == b""
    assert run.report(asked) == untouched


def test_exit_hooks_and_finalizers_never_run(run: Runner) -> None:
    code = """
        import atexit
        class Last:
            def __del__(self): report('finalizer')
        keep = sys.keep = Last()
        atexit.register(report, 'hook')
        threading._register_atexit(report, 'thread hook')
    """
    # The program's own frame may drop the object, the interpreter must not.
    assert run(code.replace("keep = sys.keep", "sys.keep")).result == b""


def test_hashes_are_the_same_in_every_run(run: Runner) -> None:
    assert len({run.report("report(hash('abc'))") for _ in range(5)}) == 1


def test_random_bytes_are_not(run: Runner) -> None:
    assert len({run.report("report(os.urandom(8).hex())") for _ in range(5)}) == 5


def test_the_random_module_does_not_repeat_itself_when_it_seeds(run: Runner) -> None:
    code = "import random\nreport(random.SystemRandom().random())"
    assert len({run.report(code) for _ in range(5)}) == 5


def test_codecs_and_late_parts_of_loaded_packages_can_be_imported(run: Runner) -> None:
    code = """
        import ctypes.util, importlib.metadata, json.tool
        report('ü'.encode('cp1252') + 'あ'.encode('shift_jis') + 'ü'.encode('idna'))
    """
    assert run.report(code) == str("ü".encode("cp1252") + "あ".encode("shift_jis") + b"xn--tda")


LOCKS = """
import fcntl
report([attempt(fcntl.fcntl, os.open({path}, os.O_RDONLY), command, bytes(64))
        for command in (fcntl.F_GETLK, fcntl.F_SETLK, fcntl.F_SETLKW, 36, 37, 38)]
       + [attempt(fcntl.flock, os.open({path}, os.O_RDONLY), fcntl.LOCK_SH)])
"""


@pytest.mark.parametrize("path", ["'/dev/null'", "sys.path[0] + '/os.py'"])
def test_no_lock_on_a_file_that_boxes_share_carries_a_bit(run: Runner, path: str) -> None:
    assert set(ast.literal_eval(run.report(LOCKS.format(path=path)))) <= set(REFUSALS)


@pytest.mark.parametrize("path", ["'/dev/null'", "'/dev/zero'", "sys.path[0] + '/os.py'", "'/'"])
def test_no_time_of_a_file_that_boxes_share_can_be_changed(run: Runner, path: str) -> None:
    assert run.report(f"report(attempt(os.utime, {path}, (1, 1)))") in (*REFUSALS, "EROFS")
