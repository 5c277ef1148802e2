"""Tiers: the strongest that a machine offers is taken and told; below B nothing runs."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from attack_box import HONEST, PROGRAM, start

import submissions_sandbox
from submissions_sandbox import ALL_TIERS, RunLimits, Sandbox, SandboxUnavailable, Tier
from submissions_sandbox.namespaces import UNUSED_HOST_ID
from submissions_sandbox.probes import fixes
from submissions_sandbox.profiles import exec_profile, python_profile

PACKAGE = Path(submissions_sandbox.__file__).resolve().parent
SCRIPT = Path(__file__).with_name("tier_here.py")
# Somebody who is not root, not us, and nobody else on this machine.
STRANGER = UNUSED_HOST_ID - 1
NOTHING_SEEN: list[str] = []
LAYERS_OF_ALL = {"rlimits", "capabilities", "no_new_privs", "seccomp"}
LAYERS_OF_A = {"user", "pid", "mount", "net", "ipc", "uts", "cgroup", "pivot_root"}


@dataclass(frozen=True)
class Machine:
    """Whose machine it is: an interpreter, a copy of the package, and a user (None for our own)."""

    python: str
    project: Path
    user: int | None

    def without(self, *calls: str) -> dict[str, Any]:
        """What a sandbox says of itself where these groups of calls are refused."""
        other = {} if self.user is None else {"user": self.user, "group": self.user}
        done = subprocess.run(  # noqa: S603 - our own script
            [self.python, "-B", str(self.project / SCRIPT.name), *calls],
            env={"PYTHONPATH": str(self.project), "PATH": os.environ["PATH"]},
            cwd="/",
            capture_output=True,
            check=False,
            **({**other, "extra_groups": []} if other else {}),
        )
        assert done.returncode == 0, done.stderr.decode()
        said: dict[str, Any] = json.loads(done.stdout)
        return said


@pytest.fixture(scope="module")
def isolating() -> None:
    start().close()  # skips where there are no namespaces
    start(tier=Tier.B).close()  # skips where there is no Landlock


@pytest.fixture(scope="module")
def public_copy() -> Iterator[Path]:
    """The package and the script in a folder that everybody can read."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        shutil.copytree(PACKAGE, copy / PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(SCRIPT, copy)
        for path in (copy, *copy.rglob("*")):
            path.chmod(0o755)
        yield copy


@pytest.fixture(scope="module", params=["the own user", "an ordinary user"])
def machine(request: pytest.FixtureRequest, isolating: None, public_copy: Path) -> Machine:
    if request.param == "the own user":
        return Machine(sys.executable, public_copy, None)
    if os.geteuid() != 0:
        pytest.skip("the own user is an ordinary one")
    python = python_for(STRANGER)
    if python is None:
        pytest.skip("no interpreter that an ordinary user can start")
    return Machine(python, public_copy, STRANGER)


def python_for(user: int) -> str | None:
    """An interpreter that somebody else can start; ours may lie in a closed folder."""
    code = "import sys, ctypes, json; assert sys.version_info >= (3, 11)"
    for python in dict.fromkeys((sys.executable, "/usr/bin/python3", "/usr/local/bin/python3")):
        try:
            subprocess.run(  # noqa: S603 - an interpreter
                [python, "-I", "-c", code],
                user=user,
                group=user,
                extra_groups=[],
                cwd="/",
                check=True,
                capture_output=True,
            )
        except (OSError, subprocess.CalledProcessError):
            continue
        return python
    return None


def test_a_machine_with_namespaces_gives_tier_a_to_root_and_to_an_ordinary_user(
    machine: Machine,
) -> None:
    said = machine.without()
    assert (said["tier"], said["fix"]) == ("A", "")
    assert set(said["layers"]) > LAYERS_OF_A | LAYERS_OF_ALL
    assert ("own_uid" in said["layers"]) <= (said["user"] == 0)
    seen, user, request = said["reported"]
    assert (seen, request, said["stderr"]) == (NOTHING_SEEN, "honest", "")
    assert user == 1000


def test_a_process_that_may_have_no_namespace_gets_tier_b_and_is_told_what_to_do(
    machine: Machine,
) -> None:
    said = machine.without("namespaces")
    assert said["tier"] == "B"
    assert LAYERS_OF_A.isdisjoint(said["layers"])
    assert set(said["layers"]) > LAYERS_OF_ALL
    assert any(layer.startswith("landlock_") for layer in said["layers"])
    # One way, for what refuses here: a filter of somebody else, as in a container.
    assert said["fix"] == fixes.CONTAINER
    seen, user, request = said["reported"]
    assert (seen, request, said["stderr"]) == (NOTHING_SEEN, "honest", "")
    assert (user == said["user"]) is ("own_uid" not in said["layers"])


def test_root_in_tier_b_runs_programs_as_somebody_whose_files_there_are_none(
    isolating: None, public_copy: Path
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can become somebody else")
    python = python_for(STRANGER)
    if python is None:
        pytest.skip("no interpreter that somebody else could read")
    said = Machine(python, public_copy, None).without("namespaces")
    assert "own_uid" in said["layers"]
    assert said["reported"][1] > UNUSED_HOST_ID


def test_without_landlock_either_it_refuses_and_names_both_reasons(machine: Machine) -> None:
    said = machine.without("namespaces", "landlock")
    assert set(said) == {"refused", "fix"}
    assert "tier A: " in said["refused"]
    assert "Operation not permitted" in said["refused"]
    assert "this kernel has no Landlock" in said["refused"].partition("tier B: ")[2]
    assert "refuses to run without isolation" in said["refused"]
    assert said["fix"].startswith(f"for tier A: {fixes.CONTAINER}; or for tier B: ")
    assert "Landlock" in said["fix"]
    assert "sysctl" not in said["refused"] + said["fix"]


def test_tier_a_stands_without_landlock_and_does_not_claim_it(machine: Machine) -> None:
    said = machine.without("landlock")
    assert said["tier"] == "A"
    assert not any(layer.startswith("landlock") for layer in said["layers"])
    assert said["reported"] == [NOTHING_SEEN, 1000, "honest"]


@pytest.mark.usefixtures("isolating")
@pytest.mark.parametrize("tier", ALL_TIERS)
def test_a_tier_can_be_asked_for_and_no_other_is_taken(tier: Tier) -> None:
    with Sandbox(python_profile(PROGRAM), (tier,)) as sandbox, sandbox.open_box() as box:
        assert (sandbox.tier, sandbox.description.tier) == (tier, tier.value)
        assert box.run(HONEST.encode(), RunLimits()).result == b"45"


def test_no_tier_at_all_is_none_that_is_good_enough() -> None:
    with pytest.raises(SandboxUnavailable, match="refuses to run without isolation"):
        Sandbox(python_profile(PROGRAM), ())


def test_layers_and_versions_are_told(sandbox: Sandbox) -> None:
    said = sandbox.description
    assert set(said.layers) >= LAYERS_OF_ALL
    assert (set(said.layers) >= LAYERS_OF_A) is (sandbox.tier is Tier.A)
    assert said.versions["python"] == sys.version.split()[0]


@pytest.mark.parametrize("tier", ALL_TIERS)
def test_a_started_program_needs_no_proc(tier: Tier) -> None:
    """``/proc`` is not there or closed, and programs of the system still do their work."""
    with start(exec_profile(), tier) as sandbox, sandbox.open_box() as box:
        refused = box.run(b"", RunLimits(), ("cat", "/proc/self/status", "/proc/version"))
        assert (refused.exit_code, refused.stdout) == (1, b"")
        assert box.run(b"b\na\n", RunLimits(), ("sort",)).stdout == b"a\nb\n"


def test_a_python_program_needs_no_proc(run: Any) -> None:
    code = """
        import concurrent.futures, ctypes.util, json, tempfile
        assert attempt(os.listdir, '/proc') in ('ENOENT', 'EACCES')
        assert attempt(os.open, '/proc/self/maps', os.O_RDONLY) in ('ENOENT', 'EACCES')
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            report(json.dumps(sorted(pool.map(abs, (-2, 1)))))
    """
    assert run.report(code, memory_kb=512 * 1024, cpu_ms=1000) == "[1, 2]"
