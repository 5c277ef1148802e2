"""Where control groups are found, on machines of every kind; fake ones but for a few tests."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fake_cgroups import V2, FakeMachine, refusal

from submissions_sandbox import SandboxError, cgroup, cgroups
from submissions_sandbox.cgroup_place import lock
from submissions_sandbox.cgroups import Groups, Lacking

GONE, ALIVE = 4_000_001, 4_000_002


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeMachine:
    return FakeMachine(tmp_path, monkeypatch)


def find(machine: FakeMachine) -> Groups:
    found = Groups.find(machine.root, machine.proc)
    assert isinstance(found, Groups), found
    return found


def lacking(machine: FakeMachine) -> Lacking:
    found = Groups.find(machine.root, machine.proc)
    assert isinstance(found, Lacking)
    return found


# Finding


def test_version_1_groups_go_below_the_group_in_which_we_are(machine: FakeMachine) -> None:
    memory = machine.mount_v1("memory", own="/service")
    pids = machine.mount_v1("pids", own="/other")
    with find(machine) as groups:
        assert machine.ours() == []
        assert (groups.source, groups.controllers) == ("cgroup v1", ("memory", "pids"))
        group = groups.open()
        (name,) = machine.ours()
        assert (memory / name).is_dir()
        assert (pids / name).is_dir()
        assert str(os.getpid()) in name
        group.add(77)
        assert machine.processes(memory / name) == machine.processes(pids / name) == [77]
        machine._move(77, memory / "cgroup.procs")
    assert machine.ours() == []


def test_controllers_of_version_1_may_share_a_mount(machine: FakeMachine) -> None:
    machine.mount_v1("pids,memory", own="/service")
    with find(machine) as groups, groups.open():
        assert groups.controllers == ("memory", "pids")
        assert len(machine.ours()) == 1


def test_version_1_beside_an_empty_version_2_is_used(machine: FakeMachine) -> None:
    machine.mount_v1("memory")
    machine.mount_v1("pids")
    machine.mount_v2(own="/", controllers="hugetlb")
    before = machine.snapshot()
    with find(machine) as groups:
        assert groups.source == "cgroup v1"
        assert machine.snapshot() == before


def test_memory_without_pids_is_enough(machine: FakeMachine) -> None:
    machine.mount_v1("memory")
    with find(machine) as groups, groups.open() as group:
        assert groups.controllers == ("memory",)
        group.limit(1024, 4)


def test_pids_that_are_not_writable_are_left_out(machine: FakeMachine) -> None:
    machine.mount_v1("memory")
    machine.mount_v1("pids")
    refuse_mkdir(machine, "pids", errno.EACCES)
    with find(machine) as groups:
        assert groups.controllers == ("memory",)


def test_names_with_spaces(machine: FakeMachine) -> None:
    own = machine.mount_v2(own="/my: own group", name="c group", processes=[5])
    with find(machine) as groups, groups.open() as group:
        assert Path(str(group)).parent == own


def test_a_mount_may_show_a_part_of_the_hierarchy(machine: FakeMachine) -> None:
    own = machine.mount_v1("memory", own="/docker/abc/judge", shown="/docker/abc")
    assert own == machine.root / "memory" / "judge"
    with find(machine) as groups, groups.open() as group:
        assert Path(str(group)).parent == own


@pytest.mark.parametrize("own", ["/docker/abcd", "/docker", "/", "/../abc", "/docker/abc/../x"])
def test_a_mount_that_does_not_show_our_group_is_none(machine: FakeMachine, own: str) -> None:
    (machine.proc / "self/cgroup").write_text(f"4:memory:{own}\n")
    point = machine.root / "memory"
    line = f"35 31 0:32 /docker/abc {point} rw - cgroup none rw,memory\n"
    (machine.proc / "self/mountinfo").write_text(line)
    assert "no memory controller is mounted" in lacking(machine).detail


def test_mounts_outside_the_root_that_was_given_are_not_looked_at(machine: FakeMachine) -> None:
    machine.mount_v1("memory")
    found = Groups.find(machine.root / "other", machine.proc)
    assert isinstance(found, Lacking)


def test_a_machine_without_control_groups(machine: FakeMachine) -> None:
    found = lacking(machine)
    assert found.detail == "no memory controller is mounted"
    assert "mount -t cgroup2" in found.fix


def test_a_machine_without_proc(tmp_path: Path) -> None:
    found = Groups.find(tmp_path, tmp_path / "proc")
    assert isinstance(found, Lacking)
    assert "cannot be read" in found.detail


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES])
@pytest.mark.parametrize("version", [1, 2])
def test_a_tree_that_is_not_writable_stays_as_it_was(
    machine: FakeMachine, version: int, number: int
) -> None:
    if version == 1:
        own = machine.mount_v1("memory", own="/service")
        machine.mount_v1("pids", own="/service")
    else:
        own = machine.mount_v2(processes=[5, 6])
    before = machine.snapshot()
    refuse_mkdir(machine, "", number)
    found = lacking(machine)
    assert str(own) in found.detail
    assert os.strerror(number) in found.detail
    assert "write" in found.fix
    assert "\n" not in found.detail + found.fix
    assert machine.snapshot() == before


def refuse_mkdir(machine: FakeMachine, part: str, number: int) -> None:
    def refuse(folder: Path) -> None:
        if part in folder.parts or not part:
            raise refusal(number, folder)

    machine.before_mkdir = refuse


# Version 2: the group is divided first


def test_processes_are_moved_into_a_leaf_before_controllers_are_handed_on(
    machine: FakeMachine,
) -> None:
    own = machine.mount_v2(processes=[5, 6, os.getpid()])
    with find(machine) as groups:
        assert (groups.source, groups.controllers) == ("cgroup v2", ("memory", "pids"))
        assert machine.processes(own) == []
        assert machine.processes(own / "judge-self") == sorted([5, 6, os.getpid()])
        assert (own / "cgroup.subtree_control").read_text().split() == ["memory", "pids"]
        group = groups.open()
        assert Path(str(group)).parent == own
    assert machine.ours() == ["judge-self"]


def test_a_process_that_starts_in_the_leaf_takes_the_group_above_it(machine: FakeMachine) -> None:
    leaf = machine.mount_v2(own="/service/judge-self", processes=[5])
    (leaf.parent / "cgroup.controllers").write_text("memory pids\n")
    (leaf.parent / "cgroup.subtree_control").write_text("memory pids\n")
    with find(machine) as groups, groups.open() as group:
        assert Path(str(group)).parent == leaf.parent
    assert machine.processes(leaf) == [5]


def test_the_root_group_keeps_its_processes(machine: FakeMachine) -> None:
    root = machine.mount_v2(own="/", processes=[1, 2])
    (root / "cgroup.type").unlink()
    with find(machine):
        assert machine.processes(root) == [1, 2]
        assert machine.ours() == []


def test_what_is_forked_meanwhile_is_moved_too(machine: FakeMachine) -> None:
    own = machine.mount_v2(processes=[5])
    forks = iter([6, 7])

    def fork(path: Path, text: str) -> None:
        if path.name == "cgroup.subtree_control":
            machine.put(own, [pid for pid in [next(forks, 0)] if pid])

    machine.before_write = fork
    with find(machine):
        assert machine.processes(own / "judge-self") == [5, 6, 7]


def test_a_process_that_ends_meanwhile_does_no_harm(machine: FakeMachine) -> None:
    own = machine.mount_v2(processes=[5, 6])

    def end(path: Path, text: str) -> None:
        if text == "5":
            (own / "cgroup.procs").write_text("6\n")
            raise refusal(errno.ESRCH, path)

    machine.before_write = end
    with find(machine):
        assert machine.processes(own / "judge-self") == [6]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("judge-self/cgroup.procs", "5"),
        ("judge-self/cgroup.procs", "6"),
        ("service/cgroup.subtree_control", "+memory +pids"),
    ],
    ids=["the first process", "a later process", "controllers"],
)
def test_a_refusal_is_undone(machine: FakeMachine, name: str, text: str) -> None:
    machine.mount_v2(processes=[5, 6])
    before = machine.snapshot()

    def refuse(path: Path, written: str) -> None:
        if str(path).endswith(name) and written == text:
            raise refusal(errno.EACCES, path)

    machine.before_write = refuse
    found = lacking(machine)
    assert "is not delegated: Permission denied" in found.detail
    assert "Delegate=memory pids" in found.fix
    assert machine.snapshot() == before


def test_a_process_that_we_cannot_see_is_a_refusal(machine: FakeMachine) -> None:
    machine.mount_v2(processes=[0, 5])
    before = machine.snapshot()
    assert "busy" in lacking(machine).detail
    assert machine.snapshot() == before


def test_a_list_of_processes_that_is_not_writable_is_a_refusal(
    machine: FakeMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.mount_v2(processes=[5])
    before = machine.snapshot()
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    assert "cgroup.procs is not writable" in lacking(machine).detail
    assert machine.snapshot() == before


@pytest.mark.parametrize("controllers", ["", "cpu io pids"])
def test_memory_must_be_given_to_our_group(machine: FakeMachine, controllers: str) -> None:
    machine.mount_v2(controllers=controllers, processes=[5])
    before = machine.snapshot()
    assert "the memory controller is not given" in lacking(machine).detail
    assert machine.snapshot() == before


def test_pids_need_not_be_given(machine: FakeMachine) -> None:
    own = machine.mount_v2(controllers="memory", processes=[5])
    with find(machine) as groups:
        assert groups.controllers == ("memory",)
        assert (own / "cgroup.subtree_control").read_text().split() == ["memory"]


def test_a_kernel_without_a_peak_is_too_old_and_everything_is_undone(
    machine: FakeMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(V2, "memory.peak")
    machine.mount_v2(processes=[5, 6])
    before = machine.snapshot()
    found = lacking(machine)
    assert "memory.peak" in found.detail
    assert "5.19" in found.fix
    assert machine.snapshot() == before


# Files of a group


def test_figures_are_in_kibibytes(machine: FakeMachine) -> None:
    machine.mount_v1("memory")
    with find(machine) as groups, groups.open() as group:
        assert groups.resets
        assert group.begin() == 8
        assert group.oom_kills() == 3
        (Path(str(group)) / "memory.max_usage_in_bytes").write_text("1048576\n")
        assert group.peak_kb() == 1024


def test_version_2_limits_leave_no_swap(machine: FakeMachine) -> None:
    machine.mount_v2()
    with find(machine) as groups, groups.open() as group:
        group.limit(1024, 16)
        folder = Path(str(group))
        limits = {name: (folder / name).read_text() for name in ("memory.max", "memory.swap.max")}
        assert limits == {"memory.max": "1048576", "memory.swap.max": "0"}
        assert (folder / "pids.max").read_text() == "16"
        assert group.oom_kills() == 3


def test_where_the_peak_cannot_be_reset_a_group_serves_one_run(
    machine: FakeMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(os, "pwrite", refuse)
    machine.mount_v2()
    with find(machine) as groups:
        assert not groups.resets
        group = groups.open()
        assert (group.begin(), group.peak_kb()) == (8, 8)
        with pytest.raises(SandboxError, match="cannot be forgotten"):
            group.begin()
        (first,) = set(machine.ours()) - {"judge-self"}
        group.close()
        with groups.open():
            assert first not in machine.ours()


def test_a_limit_below_what_is_charged_makes_version_1_drop_caches(
    machine: FakeMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[tuple[str, str]] = []

    def write(path: Path, text: str) -> None:
        charged = ("memory.force_empty", "0") not in written
        written.append((path.name, text))
        if (path.name, text) == ("memory.limit_in_bytes", "1048576") and charged:
            raise refusal(errno.EBUSY, path)

    monkeypatch.setattr(cgroup, "write_once", write)
    machine.mount_v1("memory")
    with find(machine) as groups, groups.open() as group:
        group.limit(1024, 16)
        group.limit(1024, 16)
    assert written == [
        ("memory.memsw.limit_in_bytes", "-1"),
        ("memory.limit_in_bytes", "1048576"),
        ("memory.force_empty", "0"),
        ("memory.limit_in_bytes", "1048576"),
        ("memory.memsw.limit_in_bytes", "1048576"),
    ]


def test_what_the_kernel_refuses_is_an_error_of_the_sandbox(machine: FakeMachine) -> None:
    machine.mount_v1("memory")
    with find(machine) as groups:
        group = groups.open()
        (Path(str(group)) / "memory.limit_in_bytes").unlink()
        with pytest.raises(SandboxError, match="limit_in_bytes"):
            group.limit(1024, 16)
    with pytest.raises(SandboxError, match="Bad file descriptor"):
        group.begin()
    with pytest.raises(SandboxError, match="closed"):
        groups.open()


# The pool, and what is left behind


def test_a_group_is_lent_again_once_it_is_empty(machine: FakeMachine) -> None:
    machine.mount_v1("memory")
    with find(machine) as groups:
        first = groups.open()
        second = groups.open()
        assert first is not second
        machine.put(Path(str(first)), [77])
        first.close()
        first.close()
        third = groups.open()
        assert third not in (first, second)
        (Path(str(first)) / "cgroup.procs").write_text("")
        assert groups.open() is first
        assert groups.open() not in (first, second, third)


def test_a_group_that_somebody_removed_is_not_lent(machine: FakeMachine) -> None:
    machine.mount_v1("memory")
    with find(machine) as groups:
        first = groups.open()
        first.close()
        Path(str(first)).rmdir()
        with groups.open() as second:
            assert second is not first


def test_a_group_that_is_busy_for_a_moment_is_removed_all_the_same(machine: FakeMachine) -> None:
    machine.mount_v1("memory")
    groups = find(machine)
    groups.open()
    refusals = iter([True, True])

    def refuse(folder: Path) -> None:
        if next(refusals, False):
            raise refusal(errno.EBUSY, folder)

    machine.before_rmdir = refuse
    groups.close()
    assert machine.ours() == []


def test_a_group_that_stays_busy_is_left_behind_and_named(
    machine: FakeMachine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(cgroups, "_REMOVE_WALL_S", 0.0)
    machine.mount_v1("memory")
    groups = find(machine)
    group = groups.open()
    machine.put(Path(str(group)), [77])
    groups.close()
    assert str(group) in caplog.text


@pytest.mark.parametrize("version", [1, 2])
def test_groups_of_dead_processes_are_removed(machine: FakeMachine, version: int) -> None:
    own = machine.mount_v1("memory") if version == 1 else machine.mount_v2()
    (machine.proc / str(ALIVE)).mkdir()
    kept = [f"judge-{ALIVE}-0", f"judge-{GONE}-1", f"judge-{GONE}-x", "judge-others", "box"]
    locked = f"judge-{GONE}-2"
    for name in [*kept, locked, f"judge-{GONE}-0", f"judge-{os.getpid()}-7"]:
        (own / name).mkdir()
    machine.put(own / f"judge-{GONE}-1", [77])
    # As if its maker lived in another pid namespace.
    descriptor = lock(own / locked)
    with find(machine):
        left = {path.name for path in own.iterdir() if path.is_dir()}
        assert left - {"judge-self"} == {*kept, locked}
    os.close(descriptor)


@pytest.mark.parametrize("version", [1, 2])
def test_two_at_once_do_not_clash(machine: FakeMachine, version: int) -> None:
    if version == 1:
        machine.mount_v1("memory")
    else:
        machine.mount_v2(processes=[5])
    with find(machine) as one:
        mine = one.open()
        with find(machine) as other:
            assert str(other.open()) != str(mine)
        assert mine.begin() == 8
        assert Path(str(mine)).is_dir()


# An ordinary user on this machine


@contextmanager
def as_nobody() -> Iterator[None]:
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def ours_on_this_machine() -> set[Path]:
    return set(Path("/sys/fs/cgroup").rglob(f"judge-{os.getpid()}-*"))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_an_ordinary_user_is_told_without_noise(caplog: pytest.LogCaptureFixture) -> None:
    before = ours_on_this_machine()
    with as_nobody():
        found = Groups.find()
    assert isinstance(found, Lacking)
    assert found.detail
    assert found.fix
    assert caplog.text == ""
    assert ours_on_this_machine() == before
