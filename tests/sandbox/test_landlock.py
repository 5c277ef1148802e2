"""Landlock: which rules a profile becomes, what each version of it holds, and that it does hold."""

import ast
import ctypes
import errno
import fcntl
import json
import os
import sysconfig
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from attack_box import PROGRAM, Runner, start
from forks import fork_with_threads

from submissions_sandbox import (
    Bind,
    RunLimits,
    Sandbox,
    Tier,
    python_profile,
    sandbox,
    tool_profile,
)
from submissions_sandbox.kernel import system_call
from submissions_sandbox.landlock import (
    READ_DIR,
    READ_FILE,
    READ_TREE,
    READ_WRITE_FILE,
    RESTRICT_SELF,
    SCRATCH,
    WRITE_FILE,
    Allowed,
    abi,
    make_ruleset,
)
from submissions_sandbox.profile import Profile
from submissions_sandbox.walls import walls_in_own_root, walls_on_host

VERSIONS = (1, 2, 3, 4, 5, 6, 7)
DEVICES = {f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom")}
PR_SET_NO_NEW_PRIVS = 38
AF_INET_PORT_CLOSED = ("127.0.0.1", 9)
# Folders and files of every Linux machine, and what stands beside the standard library.
HOST = ["/etc/passwd", "/etc/hostname", "/proc/self/maps", "/proc/1/environ", "/proc/version"]
FOLDERS = ["/", "/proc", "/root", "/etc", "/home", "/tmp", "/var", "/sys"]  # noqa: S108 - looked at


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder with a covered part, its neighbours, and another folder beside it."""
    for name in ("shown/a", "shown/deep/b", "shown/deep/hidden/c", "shown/hidden/d", "beside/e"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return tmp_path


def profile_of(*binds: Bind) -> Profile:
    return Profile("test", binds)


def rights(rules: tuple[Allowed, ...]) -> dict[str, int]:
    """Rights by path, without the devices that every box has."""
    assert {one.path for one in rules if one.rights == READ_WRITE_FILE} == DEVICES
    return {one.path: one.rights for one in rules if one.path not in DEVICES}


class TestRules:
    def test_a_folder_without_covered_parts_is_allowed_as_it_is(self, tree: Path) -> None:
        rules = walls_on_host(profile_of(Bind(f"{tree}/shown", "/shown")), "")
        assert rights(rules) == {f"{tree}/shown": READ_TREE}

    def test_of_a_folder_with_covered_parts_the_neighbours_are_allowed(self, tree: Path) -> None:
        bind = Bind(f"{tree}/shown", "/shown", ("hidden", "deep/hidden"))
        rules = walls_on_host(profile_of(bind), "")
        assert rights(rules) == {
            f"{tree}/shown": READ_DIR,
            f"{tree}/shown/a": READ_TREE,
            f"{tree}/shown/deep/b": READ_TREE,
        }

    def test_a_covered_folder_that_is_not_there_takes_nothing_away(self, tree: Path) -> None:
        rules = walls_on_host(profile_of(Bind(f"{tree}/shown", "/x", ("nowhere", "deep/no"))), "")
        assert set(rights(rules)) >= {f"{tree}/shown/deep/hidden", f"{tree}/shown/hidden"}

    def test_the_scratch_folder_may_be_written_and_only_where_there_is_one(self) -> None:
        rules = walls_on_host(profile_of(), "/somewhere")
        assert rights(rules) == {"/somewhere": SCRATCH}
        assert rights(walls_on_host(profile_of(), "")) == {}

    def test_nothing_that_can_be_written_can_be_executed(self) -> None:
        for rules in (walls_on_host(profile_of(), "/x"), walls_in_own_root(profile_of())):
            assert [one for one in rules if one.rights & WRITE_FILE and one.rights & 1] == []

    def test_in_a_root_of_its_own_the_rules_name_what_the_box_sees(self, tree: Path) -> None:
        rules = walls_in_own_root(profile_of(Bind(f"{tree}/shown", "/seen", ("hidden",))))
        assert rights(rules) == {"/": READ_DIR, "/seen": READ_TREE, "/box": SCRATCH}


@pytest.fixture(scope="module")
def newest() -> int:
    version = abi()
    if not version:
        pytest.skip("this kernel has no Landlock")
    return version


@contextmanager
def entered(rules: list[Allowed], version: int) -> Iterator[Callable[[str], str]]:
    """Asks a process that has entered rules what became of an act (an expression)."""
    ruleset = make_ruleset(rules, version)

    def ask(act: str) -> str:
        reading, writing = os.pipe()
        child = fork_with_threads()
        if child == 0:
            os.write(writing, _answer(act, ruleset).encode())
            os._exit(0)
        os.close(writing)
        os.waitpid(child, 0)
        answer = os.read(reading, 1000).decode()
        os.close(reading)
        return answer

    try:
        yield ask
    finally:
        os.close(ruleset)


def _answer(act: str, ruleset: int) -> str:
    """In the child: enter the rules, act, and say how it went."""
    try:
        ctypes.CDLL(None).prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        system_call(RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
        eval(act)  # noqa: S307 - of this file
    except OSError as error:
        return errno.errorcode[error.errno or 0]
    except BaseException as error:
        return repr(error)
    return "done"


def versions_up_to(newest: int) -> list[int]:
    return [version for version in VERSIONS if version <= newest]


class TestVersions:
    """What an older kernel would hold; its version is a number that can be passed."""

    def test_every_version_denies_what_no_rule_allows(self, newest: int, tree: Path) -> None:
        for version in versions_up_to(newest):
            with entered([Allowed(f"{tree}/shown", READ_TREE)], version) as ask:
                assert ask(f"open({str(tree / 'shown/deep/b')!r})") == "done"
                assert ask(f"os.listdir({str(tree / 'shown')!r})") == "done"
                assert ask(f"open({str(tree / 'beside/e')!r})") == "EACCES"
                assert ask(f"os.listdir({str(tree)!r})") == "EACCES"
                assert ask(f"open({str(tree / 'shown/a')!r}, 'r+')") == "EACCES"
                assert ask(f"open({str(tree / 'shown/new')!r}, 'w')") == "EACCES"
                assert ask(f"os.remove({str(tree / 'shown/a')!r})") == "EACCES"
                assert ask("open('/proc/self/maps')") == "EACCES"

    def test_a_path_that_is_not_there_allows_nothing_and_harms_nothing(
        self, newest: int, tree: Path
    ) -> None:
        rules = [Allowed(f"{tree}/nowhere", READ_TREE), Allowed(f"{tree}/beside", READ_TREE)]
        for version in versions_up_to(newest):
            with entered(rules, version) as ask:
                assert ask(f"open({str(tree / 'beside/e')!r})") == "done"
                assert ask(f"open({str(tree / 'shown/a')!r})") == "EACCES"

    def test_of_the_rights_on_a_folder_a_file_gets_those_that_a_file_can_have(
        self, newest: int, tree: Path
    ) -> None:
        file = str(tree / "shown/a")
        for version in versions_up_to(newest):
            with entered([Allowed(file, READ_TREE | SCRATCH)], version) as ask:
                assert ask(f"open({file!r}, 'r+')") == "done"
                assert ask(f"os.listdir({str(tree / 'shown')!r})") == "EACCES"
                assert ask(f"os.remove({file!r})") == "EACCES"

    def test_a_folder_that_may_be_listed_does_not_open_its_files(
        self, newest: int, tree: Path
    ) -> None:
        for version in versions_up_to(newest):
            with entered([Allowed(f"{tree}/shown", READ_DIR)], version) as ask:
                assert ask(f"os.listdir({str(tree / 'shown')!r})") == "done"
                assert ask(f"open({str(tree / 'shown/a')!r})") == "EACCES"

    def test_a_link_leads_to_no_more_than_its_target(self, newest: int, tree: Path) -> None:
        (tree / "shown/link").symlink_to(tree / "beside/e")
        with entered([Allowed(f"{tree}/shown", READ_TREE)], newest) as ask:
            assert ask(f"open({str(tree / 'shown/link')!r})") == "EACCES"

    def test_moves_between_folders_are_held_by_every_version(self, newest: int, tree: Path) -> None:
        move = f"os.rename({str(tree / 'shown/a')!r}, {str(tree / 'shown/deep/a')!r})"
        out = f"os.link({str(tree / 'shown/a')!r}, {str(tree / 'beside/a')!r})"
        for version in versions_up_to(newest):
            with entered([Allowed(f"{tree}/shown", SCRATCH)], version) as ask:
                assert ask(out) in ("EXDEV", "EACCES")
                # The first version knows no right to it, and denies it always.
                assert ask(move) == ("EXDEV" if version == 1 else "done")
            if not (tree / "shown/a").exists():
                (tree / "shown/deep/a").rename(tree / "shown/a")

    def test_truncation_is_held_since_the_third(self, newest: int, tree: Path) -> None:
        """Before that the system call filter does (submissions_sandbox.seccomp)."""
        for version in versions_up_to(newest):
            with entered([Allowed(f"{tree}/shown", READ_TREE)], version) as ask:
                answer = ask(f"os.truncate({str(tree / 'shown/a')!r}, 3)")
            assert answer == ("done" if version < 3 else "EACCES")

    def test_connections_are_held_since_the_fourth(self, newest: int) -> None:
        connect = "__import__('socket').create_connection(AF_INET_PORT_CLOSED)"
        for version in versions_up_to(newest):
            with entered([Allowed("/", READ_TREE)], version) as ask:
                answer = ask(connect)
            assert (answer == "EACCES") is (version >= 4)

    def test_device_ioctls_are_held_since_the_fifth(self, newest: int) -> None:
        act = f"fcntl.ioctl(os.open('/dev/zero', os.O_RDONLY), {termios.TIOCGWINSZ}, bytes(8))"
        assert fcntl.ioctl
        for version in versions_up_to(newest):
            with entered([Allowed("/dev", READ_TREE)], version) as ask:
                assert ask(act) == ("ENOTTY" if version < 5 else "EACCES")

    def test_signals_to_others_are_held_since_the_sixth(self, newest: int) -> None:
        for version in versions_up_to(newest):
            with entered([Allowed("/", READ_FILE)], version) as ask:
                assert ask("os.kill(os.getppid(), 0)") == ("done" if version < 6 else "EPERM")


def test_no_file_of_the_host_opens_and_no_folder_lists(run: Runner) -> None:
    """In tier B there is no mount namespace that would help."""
    opened, listed = ast.literal_eval(
        run.report(
            f"report(([attempt(os.open, p, os.O_RDONLY) for p in {HOST}],"
            f" [attempt(os.listdir, p) for p in {FOLDERS}]))"
        )
    )
    if run.tier is Tier.B:
        assert set(opened) == {"EACCES"}
        assert set(listed) <= {"EACCES", "ENOENT"}  # Debian's containers lack /home
    else:
        assert set(opened) == {"ENOENT"}
        assert set(listed) == {"done", "ENOENT"}  # its own root and /tmp


def test_packages_of_this_interpreter_do_not_open(run: Runner) -> None:
    stdlib, packages = Path(sysconfig.get_path("stdlib")), Path(pytest.__file__)
    candidates = [packages, *stdlib.glob("*-packages/*/*.py")]
    paths = [str(path) for path in candidates[:20]]
    code = f"report([attempt(os.open, path, os.O_RDONLY) for path in {paths}])"
    assert set(ast.literal_eval(run.report(code))) <= {"EACCES", "ENOENT"}


def with_tree(tree: Path) -> Profile:
    """Python boxes that see a folder of the test's, with a covered part."""
    profile = python_profile(PROGRAM)
    bind = Bind(f"{tree}/shown", "/shown", ("hidden", "deep/hidden"))
    return replace(profile, binds=(*profile.binds, bind))


@pytest.mark.parametrize("tier", [Tier.A, Tier.B])
def test_covered_parts_of_what_is_shown_stay_closed(tree: Path, tier: Tier) -> None:
    for folder in (tree, *tree.parents[:2]):
        folder.chmod(0o755)
    profile = with_tree(tree)
    names = ("a", "deep/b", "hidden/d", "deep/hidden/c")
    paths = [profile.seen_at(f"/shown/{name}", tier) for name in names]
    with start(profile, tier) as box_maker, box_maker.open_box() as box:
        code = f"report([attempt(os.open, path, os.O_RDONLY) for path in {paths}])"
        opened = ast.literal_eval(Runner(box, tier).report(code))
    assert opened[:2] == ["done", "done"]
    assert set(opened[2:]) <= {"EACCES", "ENOENT"}


def without_a_rule_for(target: str) -> str:
    """The zygote's start, with rules that have lost the one for a path."""
    return sandbox._START_LINE.replace(
        "from submissions_sandbox.zygote import main;",
        "from submissions_sandbox import zygote; from submissions_sandbox.zygote import main; "
        "walls = zygote.walls_in_own_root; zygote.walls_in_own_root = lambda profile: "
        f"tuple(one for one in walls(profile) if one.path != {target!r});",
    )


@pytest.mark.parametrize("has_rule", [True, False], ids=["with its rule", "without it"])
def test_in_tier_a_landlock_holds_where_a_mount_would_let_through(
    tree: Path, newest: int, monkeypatch: pytest.MonkeyPatch, has_rule: bool
) -> None:
    """Two walls: of a folder that is mounted by mistake names can be seen, and no file opens."""
    for folder in (tree, *tree.parents[:2]):
        folder.chmod(0o755)
    if not has_rule:
        monkeypatch.setattr(sandbox, "_START_LINE", without_a_rule_for("/shown"))
    with start(with_tree(tree)) as box_maker, box_maker.open_box() as box:
        code = """
            report((os.listdir('/shown/deep'), os.stat('/shown/a').st_size,
                    attempt(os.open, '/shown/a', os.O_RDONLY)))
        """
        answer = ast.literal_eval(Runner(box).report(code))
    assert (set(answer[0]), answer[1]) == ({"b", "hidden"}, 7)
    assert answer[2] == ("done" if has_rule else "EACCES")


TOOL = """
import json, os, subprocess

def preload():
    pass

def main(request):
    folder, outside = json.loads(request)
    answers = []
    for act in (
        lambda: open("made", "w").write("x"),
        lambda: os.mkdir("folder"),
        lambda: os.rename("made", "folder/made"),
        lambda: subprocess.run(["/usr/bin/cp", "/usr/bin/true", "true"], check=True),
        lambda: os.execv(folder + "/true", ["true"]),
        lambda: open(outside + "/made", "w"),
        lambda: os.symlink("/etc/passwd", "link"),
    ):
        try:
            act()
            answers.append("done")
        except OSError as error:
            answers.append(error.strerror)
    os.write(3, json.dumps(answers).encode())
"""


def test_a_compiler_in_tier_b_writes_its_scratch_folder_and_executes_nothing_there() -> None:
    start(tier=Tier.B).close()  # skips where there is no Landlock
    with Sandbox(tool_profile(TOOL, ()), (Tier.B,)) as tools, tools.open_box() as box:
        scratch = tools._zygote._scratch
        request = json.dumps([scratch, str(Path(scratch).parent)]).encode()
        answers = json.loads(box.run(request, RunLimits(cpu_ms=2000)).result)
    assert answers[:4] == ["done"] * 4
    assert set(answers[4:]) <= {"Permission denied", "Operation not permitted"}
