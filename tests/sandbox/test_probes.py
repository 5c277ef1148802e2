"""The doctor: what each probe says of a machine that has what it looks for or lacks it.

Lacks are put in by hand: a call that refuses, a rule that does not hold, a figure that is wrong.
"""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from attack_box import start
from processes import children

from submissions_sandbox import (
    ALL_TIERS,
    Outcome,
    OutcomeKind,
    Sandbox,
    SandboxError,
    SandboxUnavailable,
    Tier,
)
from submissions_sandbox.__main__ import main
from submissions_sandbox.cgroups import Groups, Lacking
from submissions_sandbox.probes import (
    attacks,
    boxes,
    fixes,
    groups,
    machine,
    run_probes,
    tier_a,
    way_to,
)
from submissions_sandbox.probes.attacks import ATTACKS, PROGRAM, Attack, held, probe_attacks
from submissions_sandbox.probes.bait import Bait
from submissions_sandbox.probes.report import (
    Decides,
    DidNotHold,
    NotThere,
    Probe,
    ProbeBroke,
    Report,
    State,
    attempt,
    settle,
)
from submissions_sandbox.probes.trial import fork, in_child, wait_within

PROJECT = Path(attacks.__file__).resolve().parents[2]
NAMESPACES = ("user", "pid", "mnt", "net", "ipc", "uts", "cgroup")
BELOW_FILTER = """
import sys
import tier_here
from submissions_sandbox.__main__ import main
tier_here.refuse(*sys.argv[1].split())
sys.exit(main(["check", "--json", *sys.argv[2:]]))
"""


def raising(error: Exception) -> Callable[..., Any]:
    def act(*_: object, **__: object) -> Any:
        raise error

    return act


def refusing(number: int = errno.EPERM) -> Callable[..., Any]:
    return raising(OSError(number, os.strerror(number)))


def by_name(probes: Any) -> dict[str, Any]:
    return {probe["name"] if isinstance(probe, dict) else probe.name: probe for probe in probes}


class TestLines:
    def test_a_probe_that_returns_is_ok_and_needs_no_fix(self) -> None:
        line = attempt("name", Decides.TIER_A, lambda: "it is\nthere")
        assert line == Probe("name", State.OK, "it is there", "", Decides.TIER_A)
        assert line.lines() == ["ok   name: it is there"]

    def test_what_is_not_there_is_marked_and_has_one_line_that_mends_it(self) -> None:
        line = attempt("name", Decides.NOTHING, raising(NotThere("gone", "type\nthis")))
        assert (line.state, line.passed) == (State.ABSENT, True)
        assert line.lines() == ["--   name: gone", "     fix: type this"]

    def test_what_does_not_hold_is_a_failure(self) -> None:
        line = attempt("name", Decides.NOTHING, raising(DidNotHold("open", "report it")))
        assert (line.state, line.passed) == (State.FAILED, False)
        assert line.lines()[0] == "FAIL name: open"

    def test_a_probe_that_breaks_is_a_failure_in_its_own_words(self) -> None:
        line = attempt("name", Decides.NOTHING, raising(KeyError("what")))
        assert (line.state, line.detail) == (State.FAILED, "KeyError: 'what'")
        assert line.fix

    def test_words_from_elsewhere_cannot_disturb_a_terminal(self) -> None:
        line = attempt("name", Decides.NOTHING, raising(ProbeBroke("\x1b[2J" + "x" * 5000)))
        assert "\x1b" not in line.detail
        assert len(line.detail) < 1000

    def test_what_lacks_is_a_failure_only_where_no_wanted_tier_could_be_had(self) -> None:
        lines = [Probe(str(d), State.ABSENT, decides=d) for d in Decides]

        def failed(tier: Tier | None, wanted: tuple[Tier, ...]) -> set[str]:
            return {line.name for line in settle(lines, tier, wanted) if not line.passed}

        assert failed(Tier.A, ALL_TIERS) == failed(Tier.B, ALL_TIERS) == {"every tier"}
        assert failed(None, ALL_TIERS) == {"every tier", "tier A", "tier B"}
        assert failed(None, (Tier.B,)) == {"every tier", "tier B"}

    def test_a_machine_is_fit_with_a_tier_and_without_a_failure(self) -> None:
        good = Report(Tier.A, ("seccomp",), "", (Probe("one", State.ABSENT),))
        assert (good.fit, good.summary()) == (True, ["fit, in tier A"])
        weak = replace(good, tier=Tier.B, fix="sysctl")
        assert weak.fit
        assert "ONLY IN TIER B" in weak.summary()[0]
        assert "sysctl" in weak.summary()[1]
        failed = replace(good, probes=(*good.probes, Probe("two", State.FAILED)))
        assert not failed.fit
        assert failed.summary() == ["NOT FIT, in tier A: 1 failed, first: two"]
        assert not replace(good, tier=None).fit

    def test_programs_get_the_same(self) -> None:
        line = Probe("one", State.FAILED, "detail", "fix", Decides.TIER_B)
        told = json.loads(json.dumps(Report(None, (), "way", (line,)).as_json()))
        assert told == {
            "passed": False,
            "fit": False,
            "tier": None,
            "layers": [],
            "fix": "way",
            "probes": [
                {
                    "name": "one",
                    "state": "failed",
                    "passed": False,
                    "detail": "detail",
                    "fix": "fix",
                    "decides": "tier B",
                }
            ],
        }


class TestChildren:
    def test_a_child_answers_and_the_caller_stays_what_it_is(self) -> None:
        def become() -> str:
            os.chdir("/")
            os.environ["CHANGED"] = "1"
            return str(os.getpid())

        before = Path.cwd()
        assert int(in_child(become)) != os.getpid()
        assert (Path.cwd(), os.environ.get("CHANGED")) == (before, None)

    @pytest.mark.parametrize("error", [NotThere, DidNotHold])
    def test_what_it_found_comes_out(self, error: type[NotThere]) -> None:
        with pytest.raises(error) as raised:
            in_child(raising(error("detail", "fix")))
        assert type(raised.value) is error
        assert (raised.value.detail, raised.value.fix) == ("detail", "fix")

    def test_what_breaks_it_comes_out_as_words(self) -> None:
        with pytest.raises(ProbeBroke, match=r"ValueError: odd"):
            in_child(raising(ValueError("odd")))

    def test_a_child_that_dies_is_told(self) -> None:
        with pytest.raises(ProbeBroke, match="died with status -9"):
            in_child(lambda: str(os.kill(os.getpid(), signal.SIGKILL)))

    def test_a_child_that_hangs_is_ended_with_what_it_started(self) -> None:
        read_end, write_end = os.pipe()

        def hang() -> str:
            if os.fork() == 0:
                signal.pause()
            signal.pause()
            return "never"

        with pytest.raises(ProbeBroke, match="it hung"):
            in_child(hang, wall_s=0.2)
        os.close(write_end)
        # Both held the other end: it ends with the last of them.
        assert os.read(read_end, 1) == b""
        os.close(read_end)

    def test_waiting_for_a_child_ends_too(self) -> None:
        pid = fork()
        if pid == 0:
            signal.pause()
            os._exit(0)
        with pytest.raises(ProbeBroke, match="it hung"):
            wait_within(pid, 0.05)
        with pytest.raises(ChildProcessError):
            os.waitpid(pid, 0)


def proc_with(folder: Path, seccomp: int = 0, **switches: str) -> Path:
    """A stand-in for /proc; names of switches with two underscores for a dot."""
    (folder / "self").mkdir()
    (folder / "self/status").write_text(f"Name:\tx\nSeccomp:\t{seccomp}\n")
    for name, value in switches.items():
        path = folder / "sys" / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{value}\n")
    return folder


class TestFixes:
    refused = PermissionError(errno.EPERM, "Operation not permitted")

    @pytest.mark.parametrize(
        ("switches", "typed"),
        [
            (
                {"kernel__unprivileged_userns_clone": "0"},
                "sysctl -w kernel.unprivileged_userns_clone=1",
            ),
            (
                {"kernel__apparmor_restrict_unprivileged_userns": "1"},
                "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
            ),
            ({"user__max_user_namespaces": "0"}, "sysctl -w user.max_user_namespaces=10000"),
        ],
    )
    def test_a_switch_that_forbids_is_the_one_to_be_set(
        self, tmp_path: Path, switches: dict[str, str], typed: str
    ) -> None:
        proc = proc_with(tmp_path, seccomp=2, **switches)
        assert fixes.way_to_namespaces(self.refused, proc).endswith(typed)

    def test_switches_that_allow_are_left_alone(self, tmp_path: Path) -> None:
        proc = proc_with(
            tmp_path,
            kernel__unprivileged_userns_clone="1",
            kernel__apparmor_restrict_unprivileged_userns="0",
            user__max_user_namespaces="63000",
        )
        assert "sysctl" not in fixes.way_to_namespaces(self.refused, proc)

    def test_in_a_container_it_is_its_profile(self, tmp_path: Path) -> None:
        proc = proc_with(tmp_path, seccomp=2)
        assert "security_opt" in fixes.way_to_namespaces(self.refused, proc)
        assert "docker-seccomp.json" in fixes.way_to_landlock(proc)

    def test_elsewhere_it_is_the_kernel(self, tmp_path: Path) -> None:
        proc = proc_with(tmp_path)
        assert "CONFIG_USER_NS" in fixes.way_to_namespaces(self.refused, proc)
        assert fixes.way_to_landlock(proc).startswith("Linux 5.13")

    def test_a_root_that_cannot_be_mapped_becomes_another_user(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(os, "geteuid", lambda: 0)
        error = PermissionError(errno.EPERM, "no", "/proc/self/uid_map")
        assert "another user" in fixes.way_to_namespaces(error, proc_with(tmp_path))

    def test_a_switch_has_a_line_of_its_own(self, tmp_path: Path) -> None:
        switch = fixes.SWITCHES[0]
        nowhere, forbids = tmp_path / "nowhere", tmp_path / "forbids"
        forbids.mkdir()
        proc_with(forbids, kernel__unprivileged_userns_clone="0")
        line = machine.switch_probe(switch, works=True, proc=nowhere)
        assert (line.state, line.decides) == (State.OK, Decides.TIER_A)
        line = machine.switch_probe(switch, works=False, proc=forbids)
        assert (line.state, line.fix) == (State.ABSENT, switch.fix())
        assert machine.switch_probe(switch, works=True, proc=forbids).state is State.OK


class TestMachine:
    """Every probe is a small function; here each meets a kernel that refuses it."""

    def probed(self, act: Callable[[], str]) -> Probe:
        return attempt("probe", Decides.NOTHING, lambda: in_child(act))

    @pytest.mark.parametrize(
        ("act", "module", "call"),
        [
            (tier_a.user_namespace, tier_a, "unshare"),
            (tier_a.namespaces, tier_a, "enter_namespaces"),
            (tier_a.mounts, tier_a, "mount"),
            (tier_a.root_change, tier_a, "enter_root"),
            (machine.landlock_rules, machine.landlock, "make_ruleset"),
            (machine.call_filter, machine, "_make"),
            (machine.process_descriptor, os, "pidfd_open"),
        ],
    )
    def test_a_refusal_is_a_lack_with_a_fix(
        self, monkeypatch: pytest.MonkeyPatch, act: Callable[[], str], module: Any, call: str
    ) -> None:
        monkeypatch.setattr(tier_a, "enter_namespaces", lambda: False)
        monkeypatch.setattr(tier_a, "mount", lambda *_: None)
        monkeypatch.setattr(machine.landlock, "abi", lambda: 1)
        monkeypatch.setattr(module, call, refusing())
        line = self.probed(act)
        assert (line.state, line.detail) == (State.ABSENT, "Operation not permitted")
        assert line.fix

    def test_a_kernel_without_landlock(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(machine.landlock, "abi", lambda: 0)
        line = self.probed(machine.landlock_rules)
        assert (line.state, bool(line.fix)) == (State.ABSENT, True)

    def test_walls_that_are_taken_and_do_not_hold_are_failures(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(machine.landlock, "abi", lambda: 1)
        monkeypatch.setattr(machine.landlock, "make_ruleset", lambda *_: 0)
        monkeypatch.setattr(machine, "_make", lambda _: None)
        monkeypatch.setattr(tier_a, "enter_namespaces", lambda: False)
        monkeypatch.setattr(tier_a, "enter_root", lambda *_: None)
        monkeypatch.setattr(machine.signal, "pidfd_send_signal", lambda *_: None)
        monkeypatch.setattr(machine, "_STEP_WALL_S", 0.05)
        for act in (
            machine.landlock_rules,
            machine.call_filter,
            machine.process_descriptor,
            tier_a.root_change,
        ):
            assert self.probed(act).state is State.FAILED

    @pytest.mark.parametrize("is_masked", [True, False])
    def test_proc_and_io_uring_are_only_told(
        self, monkeypatch: pytest.MonkeyPatch, is_masked: bool
    ) -> None:
        monkeypatch.setattr(tier_a, "enter_namespaces", lambda: False)
        monkeypatch.setattr(tier_a, "mount", refusing() if is_masked else lambda *_: None)
        monkeypatch.setattr(machine, "system_call", refusing() if is_masked else lambda *_: 0)
        proc, ring = self.probed(tier_a.proc_mount), self.probed(machine.io_uring)
        assert (proc.state, ring.state) == (State.OK, State.OK)
        assert proc.detail.startswith("masked") is is_masked
        assert ring.detail.startswith("not offered") is is_masked

    def test_a_step_is_not_tried_where_the_one_before_it_lacks(self) -> None:
        steps = (
            machine.Step("first", Decides.TIER_A, raising(NotThere("gone", "type this"))),
            machine.Step("second", Decides.TIER_A, lambda: "never", "first"),
            machine.Step("third", Decides.TIER_A, lambda: "never", "second"),
        )
        first, second, third, *switches = machine.probe_machine(steps)
        assert (second.state, second.detail) == (State.ABSENT, "not tried, needs: first")
        assert second.fix == third.fix == "as for: first"
        assert [line.was_tried for line in (first, second, third)] == [True, False, False]
        assert len(switches) == len(fixes.SWITCHES)

    def test_the_caller_keeps_its_namespaces_filters_and_children(self) -> None:
        def own() -> list[str]:
            status = Path("/proc/self/status").read_text()
            marks = ("Seccomp:", "NoNewPrivs:", "Uid:", "CapEff:")
            kept = [line for line in status.splitlines() if line.startswith(marks)]
            links = [str(Path(f"/proc/self/ns/{name}").readlink()) for name in NAMESPACES]
            return [*kept, *links, str(children(os.getpid()))]

        before = own()
        names = [line.name for line in machine.probe_machine()]
        assert own() == before
        assert names == [
            "user namespace",
            "namespaces and id map",
            "mount",
            "pivot_root",
            "/proc",
            "Landlock",
            "seccomp filter",
            "pidfd",
            "io_uring",
            *(switch.name for switch in fixes.SWITCHES),
        ]


class FakeGroup:
    """A group that tells what it is told to tell."""

    def __init__(self, *, peak_kb: int, kills: int) -> None:
        self._peak_kb = peak_kb
        self._kills = iter((0, kills))

    def __enter__(self) -> "FakeGroup":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def limit(self, memory_kb: int, processes: int) -> None:
        pass

    def begin(self) -> int:
        return 0

    def add(self, pid: int) -> None:
        self.pid = pid

    def peak_kb(self) -> int:
        return self._peak_kb

    def oom_kills(self) -> int:
        return next(self._kills)


class TestGroups:
    def counters(self, *, peak_kb: int, kills: int = 1) -> Probe:
        fake: Any = SimpleNamespace(
            source="cgroup v2", open=lambda: FakeGroup(peak_kb=peak_kb, kills=kills)
        )
        return attempt("counters", Decides.NOTHING, lambda: groups.memory_counters(fake))

    def test_a_machine_without_groups_gets_the_line_that_makes_them(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Groups, "find", lambda: Lacking("not writable", "Delegate=memory"))
        found, lines = groups.probe_groups()
        assert found is None
        assert lines == [Probe("control groups", State.ABSENT, "not writable", "Delegate=memory")]

    def test_real_groups_count_and_kill(self) -> None:
        found, lines = groups.probe_groups()
        if found is None:
            pytest.skip(f"no control groups here: {lines[0].detail}")
        found.close()
        assert [(line.name, line.state) for line in lines] == [
            ("control groups", State.OK),
            ("memory counters", State.OK),
        ]

    @pytest.mark.parametrize("peak_kb", [0, 1024, 900 * 1024])
    def test_a_peak_that_is_not_true_is_a_failure(self, peak_kb: int) -> None:
        assert self.counters(peak_kb=peak_kb).state is State.FAILED

    def test_memory_over_the_limit_that_is_not_ended_is_told_with_a_fix(self) -> None:
        line = self.counters(peak_kb=25 * 1024)
        assert (line.state, "swap" in line.fix) == (State.ABSENT, True)

    def test_a_group_that_takes_nobody_is_a_failure_and_leaves_no_process(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(FakeGroup, "add", raising(SandboxError("a control group fails")))
        before = children(os.getpid())
        line = self.counters(peak_kb=25 * 1024)
        assert (line.state, line.detail) == (State.FAILED, "SandboxError: a control group fails")
        assert children(os.getpid()) == before


class FakeSandbox:
    """A sandbox whose every run comes to the same."""

    tier = Tier.A

    def __init__(self, came_to: Outcome | Exception) -> None:
        self._came_to = came_to

    def open_box(self) -> "FakeSandbox":
        return self

    def __enter__(self) -> "FakeSandbox":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def run(self, *_: object, **__: object) -> Outcome:
        if isinstance(self._came_to, Exception):
            raise self._came_to
        return self._came_to


def sandbox_that(came_to: Outcome | Exception) -> Any:
    return FakeSandbox(came_to)


DONE = Outcome(OutcomeKind.EXITED, exit_code=0, result=b"tried done", memory_kb=81920)
REFUSED = Outcome(OutcomeKind.EXITED, exit_code=1, result=b"tried ")


class TestBoxes:
    @pytest.mark.parametrize(("told_kb", "is_true"), [(81920, True), (1400, False), (95000, False)])
    def test_a_peak_within_a_tenth_is_true(self, told_kb: int, is_true: bool) -> None:
        sandbox = sandbox_that(replace(DONE, memory_kb=told_kb))
        line = attempt("peak", Decides.FITNESS, lambda: boxes.true_peak(sandbox))
        assert line.passed is is_true
        assert str(told_kb) in line.detail

    def test_a_program_that_fails_is_told_with_its_last_words(self) -> None:
        sandbox = sandbox_that(replace(REFUSED, stderr=b"MemoryError: x"))
        line = attempt("peak", Decides.FITNESS, lambda: boxes.true_peak(sandbox))
        assert not line.passed
        assert "MemoryError: x" in line.detail

    def test_numpy_that_is_not_installed_is_not_there(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(boxes, "python_profile", raising(ModuleNotFoundError("numpy is not")))
        line = attempt("numpy", Decides.FITNESS, lambda: boxes.numpy_runs(Tier.A, None))
        assert (line.state, line.fix) == (State.ABSENT, "pip install numpy")

    def test_numpy_that_does_not_load_in_a_zygote_is_a_failure(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(boxes, "python_profile", lambda *_: None)
        monkeypatch.setattr(boxes, "Sandbox", raising(SandboxUnavailable("no libm")))
        line = attempt("numpy", Decides.FITNESS, lambda: boxes.numpy_runs(Tier.A, None))
        assert (line.passed, line.detail) == (False, "SandboxUnavailable: no libm")

    def test_memory_that_nobody_may_read_is_only_told(
        self, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr(boxes, "_PROC", tmp_path)
        (tmp_path / str(os.getpid())).mkdir()
        (tmp_path / str(os.getpid()) / "stat").write_text("1 (x) S" + " 0" * 30)
        line = attempt("memory", Decides.NOTHING, lambda: boxes.private_memory(sandbox))
        assert line.state is State.ABSENT

    def test_costs_are_told_in_figures(self, sandbox: Sandbox) -> None:
        assert boxes.private_memory(sandbox)[0].isdigit()
        assert " ms" in boxes.fork_floor(sandbox)


def one_attack(**changes: Any) -> Attack:
    return replace(Attack("acts", "pass"), **changes)


class TestAttacks:
    @pytest.mark.parametrize(
        ("outcome", "ends", "is_held"),
        [
            (REFUSED, None, True),
            (DONE, None, False),
            (replace(REFUSED, result=b""), None, False),  # it was not even tried
            (replace(REFUSED, kind=OutcomeKind.TIME), OutcomeKind.TIME, True),
            (REFUSED, OutcomeKind.TIME, False),
        ],
    )
    def test_an_attack_is_held_if_it_was_tried_and_not_done(
        self, outcome: Outcome, ends: OutcomeKind | None, is_held: bool
    ) -> None:
        attack = one_attack(ends=ends)
        line = attempt("held", Decides.FITNESS, lambda: held(sandbox_that(outcome), attack))
        assert line.passed is is_held

    def test_harm_that_shows_outside_counts_whatever_the_program_says(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Bait, "harm", lambda _: "a file was written")
        with pytest.raises(DidNotHold) as raised:
            held(sandbox_that(REFUSED), one_attack())
        assert "a file was written" in raised.value.detail

    def test_a_sandbox_that_breaks_fails_every_line_and_no_other_probe(self) -> None:
        broken = sandbox_that(SandboxError("the zygote is gone"))
        lines = probe_attacks(broken, (one_attack(name="one"), one_attack(name="two")))
        assert [line.name for line in lines] == [
            "refused: one",
            "refused: two",
            "an honest program runs after them",
        ]
        assert {line.detail for line in lines} == {"SandboxError: the zygote is gone"}

    def test_there_are_more_than_eight_and_each_has_its_name(self) -> None:
        assert len({attack.name for attack in ATTACKS}) == len(ATTACKS) > 8


def run_bare(code: str) -> bytes:
    """What an attack says of itself without any sandbox around it."""
    read_end, write_end = os.pipe()
    # Its own descriptor 3, as in a box.
    script = f"import os; os.dup2({write_end}, 3)\n{PROGRAM}\nmain({code!r})\n"
    process = subprocess.Popen(  # noqa: S603 - our own interpreter and attacks
        [sys.executable, "-c", script],
        pass_fds=(write_end,),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(write_end)
    with os.fdopen(read_end, "rb") as result:
        said = result.read()
    process.wait()
    return said


BITES = (
    "reads a file of the host",
    "reads the host's accounts",
    "lists processes",
    "writes outside",
    "makes a process",
    "opens a socket",
    "reaches a neighbour",
    "ends another process",
    "starts a program",
    "takes more memory than its limit",
    "takes it as shared memory",
)


@pytest.mark.parametrize("name", BITES)
def test_an_attack_has_its_effect_where_nothing_holds_it(name: str) -> None:
    """Otherwise that it is held would prove nothing."""
    attack = next(one for one in ATTACKS if one.name == name)
    seen_outside = {
        "writes outside": "a file was written",
        "reaches a neighbour": "a socket was reached",
        "ends another process": "a process was ended",
    }
    with Bait() as bait:
        places = {key: getattr(bait, key) for key in ("secret", "folder", "victim", "address")}
        assert run_bare(attack.code.format(**places)) == b"tried done"
        # The end of a process is not told before its parent has been asked a little later.
        wanted, give_up_s = seen_outside.get(name, ""), time.monotonic() + 20
        while (harm := bait.harm()) != wanted and time.monotonic() < give_up_s:
            time.sleep(0.01)
        assert harm == wanted


def test_bait_leaves_nothing_behind() -> None:
    before = children(os.getpid())
    with Bait() as bait:
        assert bait.harm() == ""
        folder = Path(bait.folder)
        assert folder.is_dir()
    assert not folder.exists()
    assert children(os.getpid()) == before


@pytest.fixture(scope="module")
def both_tiers() -> None:
    for tier in ALL_TIERS:
        start(tier=tier).close()


@pytest.mark.usefixtures("both_tiers")
class TestWholeReport:
    @pytest.mark.slow
    @pytest.mark.parametrize("tier", ALL_TIERS)
    def test_a_tier_that_is_asked_for_is_probed_and_holds(self, tier: Tier) -> None:
        report = run_probes((tier,))
        failed = [line for line in report.probes if not line.passed]
        assert (report.tier, failed, report.fit) == (tier, [], True)
        lines = by_name(report.probes)
        assert {f"refused: {attack.name}" for attack in ATTACKS} <= lines.keys()
        assert "seccomp" in report.layers
        assert (report.fix == "") is (tier is Tier.A)
        said = lines["isolation"].detail
        assert said.startswith("tier A: " if tier is Tier.A else "TIER B ONLY, weaker than A: ")

    def test_every_line_that_is_not_ok_has_a_fix(self) -> None:
        for line in run_probes().probes:
            assert line.state is State.OK or line.fix

    def test_without_what_every_tier_needs_no_sandbox_is_started(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lacking = Probe("pidfd", State.ABSENT, "gone", "type this", Decides.EVERY_TIER)
        monkeypatch.setattr("submissions_sandbox.probes.probe_machine", lambda: [lacking])
        monkeypatch.setattr("submissions_sandbox.probes.Sandbox", raising(AssertionError()))
        report = run_probes()
        assert (report.tier, report.fit, report.fix) == (None, False, "type this")
        assert by_name(report.probes)["pidfd"].state is State.FAILED
        assert way_to(ALL_TIERS) == "type this"

    def test_a_sandbox_that_breaks_at_its_start_is_a_line(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(
            "submissions_sandbox.probes.Sandbox", raising(SandboxError("does not answer"))
        )
        report = run_probes()
        assert report.tier is None
        assert report.probes[-1].detail == "SandboxError: does not answer"

    def below_filter(self, calls: str, *options: str) -> tuple[int, dict[str, Any]]:
        done = subprocess.run(  # noqa: S603 - our own interpreter and package
            [sys.executable, "-c", BELOW_FILTER, calls, *options],
            env={"PYTHONPATH": f"{PROJECT}:{Path(__file__).parent}", "PATH": os.environ["PATH"]},
            capture_output=True,
            check=False,
        )
        assert done.stderr == b""
        return done.returncode, json.loads(done.stdout)

    def test_a_machine_without_namespaces_is_fit_in_tier_b_and_says_what_decided(self) -> None:
        status, told = self.below_filter("namespaces")
        lines = by_name(told["probes"])
        assert (status, told["fit"], told["tier"]) == (0, True, "B")
        assert lines["isolation"]["detail"].endswith("decided by: user namespace")
        for name in ("user namespace", "mount", "pivot_root"):
            assert (lines[name]["state"], lines[name]["decides"]) == ("absent", "tier A")
        assert told["fix"] == lines["isolation"]["fix"] == lines["user namespace"]["fix"]
        assert told["fix"] == fixes.CONTAINER
        assert told["passed"] is told["fit"]

    def test_without_landlock_either_nothing_is_fit_and_both_ways_out_are_told(self) -> None:
        status, told = self.below_filter("namespaces landlock")
        lines = by_name(told["probes"])
        assert (status, told["fit"], told["tier"], told["layers"]) == (1, False, None, [])
        assert lines["user namespace"]["state"] == lines["Landlock"]["state"] == "failed"
        assert "for tier A: " in told["fix"]
        assert "for tier B: " in told["fix"]
        assert not any(name.startswith("refused: ") for name in lines)

    def test_tier_a_is_asked_for_in_vain(self) -> None:
        status, told = self.below_filter("namespaces", "--tier", "A")
        assert (status, told["tier"]) == (1, None)
        assert by_name(told["probes"])["user namespace"]["state"] == "failed"

    def test_without_landlock_alone_tier_a_is_fit_and_the_second_wall_is_missed(self) -> None:
        status, told = self.below_filter("landlock")
        assert (status, told["tier"]) == (0, "A")
        assert by_name(told["probes"])["Landlock"]["state"] == "absent"


class TestCommands:
    """What ``python -m submissions_sandbox`` says of itself to who uses it wrongly or asks."""

    def said(self, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[object, str]:
        with pytest.raises(SystemExit) as ended:
            main(list(words))
        captured = capsys.readouterr()
        return ended.value.code, captured.out + captured.err

    def test_a_tier_that_does_not_exist_is_answered_by_those_that_do(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        status, words = self.said(capsys, "check", "--tier", "C")
        assert status == 2
        assert "(choose from 'A', 'B')" in words or "(choose from A, B)" in words

    def test_help_says_what_is_run_where_and_how_it_ends(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        status, words = self.said(capsys, "run", "--help")
        assert status == 0
        for part in ("-- PROGRAM [ARGUMENT ...]", "/usr/bin", "128 + N", "124", "125", "2  "):
            assert part in words
        assert "exit status: 0" in self.said(capsys, "check", "--help")[1]
