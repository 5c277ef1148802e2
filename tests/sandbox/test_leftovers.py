"""Tools start processes and, in tier B, write files of the host: none of either stays.

A tool here executes its request as Python. What it leaves behind must be gone before the next run,
for that may be another submission's, and must not outlive whoever was to look after it.
"""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from attack_box import outer_pid, start, zygote_pid
from forks import fork_with_threads
from processes import descendants, has_ended

import submissions_sandbox
from submissions_sandbox import (
    ALL_TIERS,
    Box,
    Outcome,
    RunLimits,
    Sandbox,
    SandboxError,
    Spare,
    Tier,
    tool_profile,
)
from submissions_sandbox.leftovers import empty_folder
from submissions_sandbox.namespaces import UNUSED_HOST_ID

LIMITS = RunLimits(cpu_ms=4000, memory_kb=512 * 1024)
TOOL = """
import os, signal, subprocess, sys, time

def preload():
    pass

def main(request):
    names = {"os": os, "signal": signal, "subprocess": subprocess, "sys": sys, "time": time}
    exec(compile(request, "tool", "exec"), names)
"""
# A daemon by the book, as far as it may: nobody who looks at parents or waits for words ends it.
DAEMON = """
ready, say = os.pipe()
if os.fork() == 0:
    try: os.setsid()
    except PermissionError: pass
    if os.fork() == 0:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        os.closerange(0, 3)
        os.write(say, b"x")
        while True: time.sleep(1000)
    os._exit(0)
os.read(ready, 1)
os.wait()
"""
# What a compiler's box might be made to leave: deep, closed, many, and links to elsewhere.
TREES = {
    "a file": "open('left', 'w').close()",
    "a hidden file": "open('.left', 'w').close()",
    "a folder with a file": "os.mkdir('left'); open('left/file', 'w').close()",
    "a folder that nobody may enter": "os.mkdir('left'); os.mkdir('left/in', 0); os.mkdir('l', 0)",
    "a folder that nobody may list": (
        "os.mkdir('left', 0o333); open('left/file', 'w').close(); os.mkdir('left/in', 0o333)"
    ),
    "a folder that nobody may write": (
        "os.umask(0o333); os.mkdir('left'); os.umask(0); os.mkdir('l', 0o777)"
    ),
    "a pipe": "os.mkfifo('left')",
    "names of every byte": (
        "[open(bytes([n]), 'w').close() for n in range(1, 256) if n not in b'./']"
    ),
    "folders as deep as they go": (
        "for _ in range(1100): os.mkdir('d'); os.chdir('d'); open('f', 'w').close()"
    ),
    "many files": "for n in range(1000): open(str(n), 'w').close()",
}


SUPERVISOR = """
import sys
from test_leftovers import Tier, begun, start_tools
with start_tools(Tier(sys.argv[1])) as tools:
    box, spare = begun(tools, sys.argv[2])
    print(tools._zygote._scratch, flush=True)
    spare._watch.follow()
"""


def start_tools(tier: Tier) -> Sandbox:
    return start(tool_profile(TOOL, ()), tier)


@pytest.fixture(params=ALL_TIERS, ids=[f"tier {tier}" for tier in ALL_TIERS])
def tools(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    with start_tools(request.param) as sandbox:
        yield sandbox


def execute(box: Box, code: str) -> Outcome:
    return box.run(code.encode(), LIMITS)


def begun(tools: Sandbox, code: str) -> tuple[Box, Spare]:
    """A run that has done what it was told, says so, and then goes on without end."""
    box = tools.open_box()
    spare = box.start(LIMITS)
    spare.wait_until_warm()
    request = f"{code}\nos.write(1, b'here')\nwhile True: time.sleep(1000)"
    spare._watch.begin(request.encode(), is_last=True)
    ended = spare._watch.follow_until(lambda: spare._streams[0].data != b"")
    assert ended is None, ended
    return box, spare


class Watched:
    """Processes, to be waited for by their pidfds."""

    def __init__(self, pids: list[int]) -> None:
        self._pidfds = [os.pidfd_open(pid) for pid in pids]

    def have_ended(self) -> bool:
        ended = [has_ended(pidfd) for pidfd in self._pidfds]
        for pidfd in self._pidfds:
            os.close(pidfd)
        return all(ended)


def a_run_with_a_daemon(tools: Sandbox) -> tuple[Box, Spare, Watched]:
    quiet = set(descendants(outer_pid(tools)))
    box, spare = begun(tools, DAEMON)
    added = [pid for pid in descendants(outer_pid(tools)) if pid not in quiet]
    assert len(added) == 3  # box init, the program, its daemon
    return box, spare, Watched(added)


class TestProcesses:
    def test_closing_a_box_ends_a_daemon_in_it(self, tools: Sandbox) -> None:
        box, spare, watched = a_run_with_a_daemon(tools)
        spare.close()
        box.close()
        assert watched.have_ended()
        with tools.open_box() as next_box:
            assert execute(next_box, "os.write(3, b'honest')").result == b"honest"

    def test_the_end_of_a_run_ends_a_daemon_of_it(self, tools: Sandbox) -> None:
        with tools.open_box() as box:
            assert execute(box, "os.write(3, b'honest')").result == b"honest"
            quiet = descendants(outer_pid(tools))
            outcome = execute(box, DAEMON)
            assert (outcome.kind, outcome.exit_code) == ("exited", 0)
            assert descendants(outer_pid(tools)) == quiet

    def test_a_run_that_is_killed_takes_its_daemon_along(self, tools: Sandbox) -> None:
        with tools.open_box() as box:
            execute(box, "")
            quiet = descendants(outer_pid(tools))
            outcome = box.run(
                (DAEMON + "while True: pass").encode(),
                RunLimits(cpu_ms=200, memory_kb=512 * 1024),
            )
            assert (outcome.kind, outcome.detail) == ("time", "cpu")
            assert descendants(outer_pid(tools)) == quiet

    @pytest.mark.parametrize("inner", [False, True], ids=["outer process", "inner process"])
    def test_a_zygote_that_is_killed_takes_daemons_along(self, tools: Sandbox, inner: bool) -> None:
        outer, zygote = outer_pid(tools), zygote_pid(tools)
        if inner and outer == zygote:
            pytest.skip("the zygote of tier B is one process")
        box, spare, watched = a_run_with_a_daemon(tools)
        os.kill(zygote if inner else outer, signal.SIGKILL)
        assert watched.have_ended()
        with pytest.raises(SandboxError):
            spare._watch.follow()
        spare.close()
        box.close()

    def test_a_box_init_that_is_killed_leaves_nobody_behind_for_long(self, tools: Sandbox) -> None:
        """In tier B its zygote takes over what was below it, until its own end."""
        box, spare, watched = a_run_with_a_daemon(tools)
        signal.pidfd_send_signal(box._init_pidfd, signal.SIGKILL)
        with pytest.raises(SandboxError):
            spare._watch.follow()
        spare.close()
        box.close()
        tools.close()
        assert watched.have_ended()

    def test_closing_a_sandbox_ends_daemons_in_boxes_that_nobody_closed(
        self, tools: Sandbox
    ) -> None:
        box, spare, watched = a_run_with_a_daemon(tools)
        tools.close()
        assert watched.have_ended()
        spare.close()
        box.close()

    def test_a_supervisor_that_is_killed_leaves_no_daemon_and_no_folder(
        self, sandbox: Sandbox
    ) -> None:
        tier = sandbox.tier
        with supervisor(tier, DAEMON) as (process, scratch):
            below = descendants(process.pid)
            assert len(below) == (5 if tier is Tier.A else 4)
            watched = Watched(below)
            process.kill()
            assert watched.have_ended()
        assert scratch == "" or not Path(scratch).exists()


@contextmanager
def supervisor(tier: Tier, code: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A process whose sandbox runs something for very long, and its scratch folder."""
    here, project = Path(__file__).parent, Path(submissions_sandbox.__file__).parents[1]
    paths = [str(project), str(here), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    with subprocess.Popen(  # noqa: S603 - our own interpreter and code
        [sys.executable, "-c", SUPERVISOR, tier.value, code],
        stdout=subprocess.PIPE,
        env=environment,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield process, process.stdout.readline().rstrip("\n")
        process.kill()


class TestFiles:
    @pytest.mark.parametrize("code", TREES.values(), ids=TREES)
    def test_what_a_run_left_is_not_there_for_the_next(self, tools: Sandbox, code: str) -> None:
        look = "os.write(3, repr(os.listdir('.')).encode())"
        with tools.open_box() as box:
            execute(box, code)
            assert execute(box, look).result == b"[]"
        with tools.open_box() as box:
            assert execute(box, look).result == b"[]"

    def test_nor_what_a_run_left_that_was_cut_short(self, tools: Sandbox) -> None:
        box, spare = begun(tools, TREES["folders as deep as they go"].replace("1100", "100"))
        spare.close()
        box.close()
        with tools.open_box() as next_box:
            assert execute(next_box, "os.write(3, b'%d' % len(os.listdir()))").result == b"0"

    def test_what_a_run_makes_it_finds_while_it_runs(self, tools: Sandbox) -> None:
        code = """
open('made', 'w').write('content')
os.mkdir('folder')
os.rename('made', 'folder/made')
os.write(3, subprocess.check_output(['/usr/bin/cat', 'folder/made']))
"""
        with tools.open_box() as box:
            assert execute(box, code).result == b"content"

    def test_the_folder_ends_with_its_sandbox(self) -> None:
        with start_tools(Tier.B) as tools, tools.open_box() as box:
            folder = Path(tools._zygote._scratch)
            assert execute(box, "open('made', 'w').close()").kind == "exited"
            assert folder.is_dir()
            assert list(folder.iterdir()) == []
        assert not folder.exists()

    def test_so_it_does_where_the_zygote_was_killed_over_a_full_one(self) -> None:
        with start_tools(Tier.B) as tools:
            folder = Path(tools._zygote._scratch)
            box, spare = begun(tools, TREES["folders as deep as they go"])
            os.kill(zygote_pid(tools), signal.SIGKILL)
            spare.close()
            box.close()
            assert list(folder.iterdir()) != []
        assert not folder.exists()

    def test_nobody_else_can_look_into_it(self) -> None:
        with start_tools(Tier.B) as tools, tools.open_box() as box:
            folder = Path(tools._zygote._scratch)
            assert execute(box, "").kind == "exited"
            assert folder.stat().st_mode & 0o077 == 0


class TestEmptyFolder:
    """The same by itself: as who we are, and where we are root as somebody without its powers."""

    @pytest.fixture(params=[None, UNUSED_HOST_ID - 1], ids=["the own user", "an ordinary user"])
    def inside(self, request: pytest.FixtureRequest) -> Iterator[Callable[[str], str]]:
        """Executes code in a folder, in a process of some user's; what it could not do."""
        user = request.param
        if user is not None and os.geteuid() != 0:
            pytest.skip("the own user is an ordinary one")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / "scratch"
            folder.mkdir()
            if user is not None:
                folder.chmod(0o700)
                Path(name).chmod(0o755)
                os.chown(folder, user, user)

            def execute_there(code: str) -> str:
                reading, writing = os.pipe()
                child = fork_with_threads()
                if child == 0:
                    os.write(writing, _result(user, str(folder), code).encode())
                    os._exit(0)
                os.close(writing)
                os.waitpid(child, 0)
                said = os.read(reading, 1 << 16).decode()
                os.close(reading)
                return said

            yield execute_there
            assert list(folder.iterdir()) == []

    @pytest.mark.slow
    @pytest.mark.parametrize("code", TREES.values(), ids=TREES)
    def test_every_tree_is_removed(self, inside: Callable[[str], str], code: str) -> None:
        assert inside(code) == "nothing left"

    def test_no_link_is_followed(self, inside: Callable[[str], str], tmp_path: Path) -> None:
        (tmp_path / "kept").mkdir(mode=0o777)
        (tmp_path / "kept/file").write_text("content")
        for path in (tmp_path, tmp_path / "kept", *tmp_path.parents[:2]):
            path.chmod(0o777)
        code = f"""
os.symlink({str(tmp_path / "kept")!r}, 'folder')
os.symlink({str(tmp_path / "kept/file")!r}, 'file')
os.symlink('.', 'itself')
os.symlink('nowhere', 'broken')
os.mkdir('deep')
os.symlink({str(tmp_path / "kept")!r}, 'deep/folder')
os.symlink('..', 'deep/up')
"""
        assert inside(code) == "nothing left"
        assert (tmp_path / "kept/file").read_text() == "content"
        assert (tmp_path / "kept").stat().st_mode & 0o777 == 0o777

    def test_what_cannot_be_removed_is_an_error(self, tmp_path: Path) -> None:
        with pytest.raises(OSError, match="nowhere"):
            empty_folder(str(tmp_path / "nowhere"))
        (tmp_path / "link").symlink_to(tmp_path)
        with pytest.raises(OSError, match="link"):
            empty_folder(str(tmp_path / "link"))


def _result(user: int | None, folder: str, code: str) -> str:
    """In the child."""
    try:
        if user is not None:
            os.setgroups([])
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
        os.chdir(folder)
        exec(code, {"os": os})  # noqa: S102 - of this file
        os.chdir("/")
        assert os.listdir(folder)  # noqa: PTH208 - as short as it gets
        empty_folder(folder)
    except BaseException as error:
        return repr(error)
    return "nothing left"
