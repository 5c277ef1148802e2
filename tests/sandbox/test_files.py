"""Files: a box sees the interpreter's library and its own small /tmp, and nothing of the host."""

import ast
import secrets
from pathlib import Path

import pytest
from attack_box import REFUSALS, REFUSED_PATHS, Runner, numbers_here

import submissions_sandbox
from submissions_sandbox import Tier

PROJECT = Path(submissions_sandbox.__file__).resolve().parents[1]
UNSEEN = [
    "/etc/passwd",
    "/etc/hostname",
    "/root",
    "/home",
    "/proc/self/maps",
    "/proc/self/environ",
    "/proc/1/root",
    "/sys/kernel",
    "/dev/shm",  # noqa: S108 - looked for, not used
    "/dev/tty",
    "/dev/fd",
    "/run",
    "/var",
    "/old",
    str(PROJECT),
    str(Path(submissions_sandbox.__file__)),
    str(PROJECT / "problems"),
]
ROOT_LISTING = {"bin", "box", "dev", "lib", "lib64", "python", "tmp", "usr"}

OUTSIDE = ["/x", "/usr/x", "/usr/lib/x", "/dev/x", "/python/x", "/python/lib/os.py", "/lib/x"]
# What the box has no use for is refused inside its own /tmp too.
REFUSED_IN_TMP = {
    "a symbolic link": "report(attempt(os.symlink, '/etc/passwd', 'link'))",
    "a hard link": "open('file', 'w').close()\nreport(attempt(os.link, 'file', 'link'))",
    "a set-uid bit": "open('file', 'w').close()\nreport(attempt(os.chmod, 'file', 0o4755))",
    "another owner": "open('file', 'w').close()\nreport(attempt(os.chown, 'file', 0, 0))",
    "a device": "report(attempt(os.mknod, 'device', 0o020666, os.makedev(1, 1)))",
    "a pipe file": "report(attempt(os.mkfifo, 'pipe'))",
    "another root": "os.mkdir('r')\nreport(attempt(os.chroot, 'r'))",
    "an executable map": (
        "import mmap\nopen('code', 'wb').write(bytes(4096))\n"
        "report(attempt(mmap.mmap, os.open('code', os.O_RDONLY), 4096,"
        " mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_EXEC))"
    ),
    "an extended attribute": (
        "open('file', 'w').close()\nreport(attempt(os.setxattr, 'file', 'user.a', b'b'))"
    ),
    "openat2": (
        "how = (ctypes.c_uint64 * 3)()\n"
        f"report(syscall({numbers_here(437, 437)}, -100, b'/tmp', how, 24))"
    ),
    "a file handle": (
        "handle = (ctypes.c_uint32 * 40)(128)\nmount = ctypes.c_int()\n"
        f"report(syscall({numbers_here(303, 264)}, -100, b'/tmp', handle, ctypes.byref(mount), 0))"
    ),
    "opening by handle": (
        "handle = (ctypes.c_uint32 * 40)(8, 1)\n"
        f"report(syscall({numbers_here(304, 265)}, -100, handle, 0))"
    ),
}


@pytest.fixture
def run_in_own_root(run: Runner) -> Runner:
    """For what only a root file system of its own can promise."""
    if run.tier is not Tier.A:
        pytest.skip("tier B shows that files exist, and has no /tmp")
    return run


def test_no_file_of_the_host_can_be_seen(run_in_own_root: Runner) -> None:
    answer = run_in_own_root.report(f"report([attempt(os.stat, path) for path in {UNSEEN}])")
    assert set(ast.literal_eval(answer)) == {"ENOENT"}


def test_no_file_of_the_host_can_be_opened(run: Runner) -> None:
    code = f"report([attempt(os.open, path, os.O_RDONLY) for path in {UNSEEN}])"
    assert set(ast.literal_eval(run.report(code))) <= {"ENOENT", "EACCES", "ENXIO"}


def test_no_folder_of_the_host_can_be_listed(run: Runner) -> None:
    folders = ["/etc", "/root", "/home", "/proc", "/sys", "/var", "/run", str(PROJECT)]
    code = f"report([attempt(os.listdir, path) for path in {folders}])"
    assert set(ast.literal_eval(run.report(code))) <= {"ENOENT", "EACCES"}


def test_nowhere_can_a_file_be_made_without_a_root_of_its_own(run: Runner) -> None:
    if run.tier is Tier.A:
        pytest.skip("tier A has a /tmp of its own")
    folders = ["/tmp", "/var/tmp", "/dev/shm", "/dev", "/", str(PROJECT)]  # noqa: S108
    name = f"/{secrets.token_hex(8)}"  # what is there already would be refused for that
    acts = [f"open(p + '{name}', 'w')", f"os.open(p + '{name}', 65)", f"os.mkdir(p + '{name}')"]
    for act in acts:
        code = f"report([attempt(lambda: {act}) for p in {folders}])"
        assert set(ast.literal_eval(run.report(code))) <= set(REFUSED_PATHS)


def test_the_root_holds_what_the_interpreter_needs(run_in_own_root: Runner) -> None:
    run = run_in_own_root
    root, dev, tmp, usr = ast.literal_eval(
        run.report("report([os.listdir(p) for p in ('/', '/dev', '/tmp', '/usr')])")
    )
    assert set(root) == ROOT_LISTING
    assert set(dev) == {"full", "null", "random", "urandom", "zero"}
    assert tmp == []
    assert set(usr) <= {"lib", "lib64"}


def test_packages_of_the_hosts_interpreter_are_not_shown(run_in_own_root: Runner) -> None:
    run = run_in_own_root
    code = """
        names = ('site-packages', 'dist-packages')
        found = [os.path.join(top, name)
                 for top, folders, _ in os.walk('/') for name in folders if name in names]
        report([path for path in found if os.listdir(path)])
    """
    assert run.report(code, cpu_ms=3000) == "[]"


@pytest.mark.parametrize("path", OUTSIDE)
def test_nothing_outside_tmp_can_be_written(run: Runner, path: str) -> None:
    answer = run.report(f"report(attempt(open, {path!r}, 'w'))")
    assert answer in ("EROFS", "EACCES", "EPERM")


@pytest.mark.parametrize("act", ["os.remove", "os.rmdir", "os.truncate"])
def test_nothing_outside_tmp_can_be_removed(run: Runner, act: str) -> None:
    length = ", 0" if act == "os.truncate" else ""
    answer = run.report(f"report(attempt({act}, sys.path[0] + '/os.py'{length}))")
    assert answer in ("EROFS", "EACCES", "EPERM", "ENOTDIR")


@pytest.mark.parametrize("flags", ["O_RDONLY", "O_WRONLY", "O_RDWR"])
def test_nothing_outside_tmp_can_be_emptied(run: Runner, flags: str) -> None:
    answer = run.report(
        f"report(attempt(os.open, sys.path[0] + '/os.py', os.{flags} | os.O_TRUNC))"
    )
    assert answer in ("EROFS", "EACCES", "EPERM")


@pytest.mark.parametrize("code", REFUSED_IN_TMP.values(), ids=REFUSED_IN_TMP)
def test_what_no_program_needs_is_refused_in_tmp(run: Runner, code: str) -> None:
    outcome = run(code)
    if run.tier is Tier.B and b"PermissionError" in outcome.stderr:
        return  # there is no file to do it to
    assert outcome.result.decode() in REFUSALS


def test_tmp_is_a_place_to_work_in(run_in_own_root: Runner) -> None:
    run = run_in_own_root
    code = """
        os.mkdir('folder')
        with open('folder/file', 'w') as stream: stream.write('content')
        os.rename('folder/file', '/tmp/file')
        with open('/tmp/file') as stream: content = stream.read()
        report((os.getcwd(), content, sorted(os.listdir('.'))))
    """
    assert run.report(code) == "('/box/tmp', 'content', ['file', 'folder'])"


def test_tmp_holds_no_more_bytes_than_allowed(run_in_own_root: Runner) -> None:
    run = run_in_own_root
    code = """
        def fill(name):
            with open(name, 'wb', buffering=0) as stream:
                while stream.write(bytes(1 << 16)): pass
        report([attempt(fill, name) for name in 'ab'])
    """
    # One file meets the limit on files or the end of the space, the next one finds no space.
    first, second = ast.literal_eval(run.report(code, tmp_bytes=1 << 20))
    assert first in ("EFBIG", "ENOSPC")
    assert second == "ENOSPC"


def test_tmp_holds_no_more_files_than_allowed(run_in_own_root: Runner) -> None:
    run = run_in_own_root
    code = """
        made = 0
        def fill():
            global made
            while True:
                os.close(os.open(f'f{made}', os.O_CREAT | os.O_WRONLY))
                made += 1
        report((attempt(fill), made))
    """
    answer, made = ast.literal_eval(run.report(code, tmp_files=20))
    assert answer == "ENOSPC"
    assert made <= 20


def test_no_more_descriptors_than_allowed(run: Runner) -> None:
    code = """
        def take():
            while True: os.dup(3)
        report(attempt(take))
    """
    assert run.report(code, open_files=16) == "EMFILE"


def test_no_core_file_is_written(run: Runner) -> None:
    code = "import signal\nos.kill(os.getpid(), signal.SIGQUIT)"
    folders = [Path("/"), Path("/tmp")]  # noqa: S108
    before = [set(folder.iterdir()) for folder in folders]
    assert run(code).signal == 3
    assert not [path for path in Path("/").iterdir() if path.name.startswith("core")]
    assert [set(folder.iterdir()) for folder in folders] == before
