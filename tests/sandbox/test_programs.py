"""Programs started by argv, and the command line: ``check`` and ``run``."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from attack_box import start

import submissions_sandbox
from submissions_sandbox import Box, Outcome, RunLimits, Sandbox, exec_profile

LIMITS = RunLimits(cpu_ms=300, memory_kb=128 * 1024)
PROJECT = Path(submissions_sandbox.__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    """A box of the profile that starts programs of the host's /usr."""
    start().close()  # skips where there is no isolation
    with Sandbox(exec_profile()) as sandbox, sandbox.open_box() as box:
        yield box


def execute(box: Box, *argv: str, stdin: bytes = b"") -> Outcome:
    return box.run(stdin, LIMITS, argv)


def command(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(  # noqa: S603 - our own interpreter and package
        [sys.executable, "-m", "submissions_sandbox", *arguments],
        cwd=PROJECT,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )


def test_the_request_is_the_programs_standard_input(box: Box) -> None:
    outcome = execute(box, "cat", stdin=b"bytes\x00\xff")
    assert (outcome.kind, outcome.exit_code, outcome.stdout) == ("exited", 0, b"bytes\x00\xff")


def test_the_environment_is_five_fixed_variables(box: Box) -> None:
    names = {line.partition(b"=")[0] for line in execute(box, "env").stdout.splitlines()}
    assert names == {b"HOME", b"LANG", b"OPENBLAS_NUM_THREADS", b"PATH", b"PYTHONHASHSEED"}


def test_a_program_that_is_not_there_exits_with_127(box: Box) -> None:
    outcome = execute(box, "no-such-program")
    assert (outcome.exit_code, outcome.stderr[:12]) == (127, b"cannot start")


def test_a_started_program_still_cannot_make_another(box: Box) -> None:
    outcome = execute(box, "sh", "-c", "cat /dev/null; echo made")
    assert b"made" not in outcome.stdout
    assert outcome.exit_code != 0


def test_a_started_program_sees_no_file_of_the_host(box: Box) -> None:
    outcome = execute(box, "cat", "/etc/passwd", str(PROJECT / "README.md"), "/proc/self/maps")
    assert (outcome.exit_code, outcome.stdout) == (1, b"")


def test_a_started_programs_memory_is_its_own_and_limited(box: Box) -> None:
    outcome = execute(box, "head", "-c", "400M", "/dev/zero")
    assert (outcome.kind, outcome.detail) == ("output", "stdout")
    grown = execute(box, "sort", "-S", "300M", "/dev/zero")
    assert (grown.kind, grown.exit_code) != ("exited", 0)
    assert grown.memory_kb <= LIMITS.memory_kb


def test_an_endless_program_is_ended_for_cpu_time(box: Box) -> None:
    outcome = execute(box, "sh", "-c", "while :; do :; done")
    assert (outcome.kind, outcome.detail) == ("time", "cpu")


@pytest.fixture
def isolating() -> None:
    start().close()


@pytest.mark.usefixtures("isolating")
def test_check_attacks_this_machine_and_reports_every_line() -> None:
    done = command("check", "--json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["passed"], report["fit"], report["tier"]) == (
        0,
        True,
        True,
        "A",
    )
    names = [probe["name"] for probe in report["probes"]]
    assert len([name for name in names if name.startswith("refused: ")]) >= 8
    lines = command("check").stdout.decode().splitlines()
    told = [line for line in lines if line.startswith(("ok   ", "--   "))]
    assert [line[5:].partition(": ")[0] for line in told if "refused" not in line] == [
        name for name in names if not name.startswith("refused: ")
    ]
    assert lines[-1] == "fit, in tier A"


@pytest.mark.slow
@pytest.mark.usefixtures("isolating")
def test_check_says_loudly_that_a_tier_is_the_weaker_one() -> None:
    done = command("check", "--tier", "B")
    if b"Landlock: version" not in done.stdout:
        pytest.skip("no Landlock here")
    *_, loud, fix = done.stdout.decode().splitlines()
    assert done.returncode == 0
    assert "ONLY IN TIER B" in loud
    assert fix.startswith("     fix: ")


def test_check_knows_no_other_tier() -> None:
    assert command("check", "--tier", "C").returncode == 2


@pytest.mark.usefixtures("isolating")
def test_run_passes_streams_and_exit_status_through() -> None:
    done = command("run", "--facts", "--", "sh", "-c", "echo out; echo err >&2; exit 3")
    assert (done.returncode, done.stdout) == (3, b"out\n")
    err, facts = done.stderr.splitlines()
    assert err == b"err"
    assert json.loads(facts)["exit_code"] == 3


@pytest.mark.usefixtures("isolating")
def test_run_says_why_it_ended_a_program() -> None:
    done = command("run", "--cpu-ms", "100", "--", "sh", "-c", "while :; do :; done")
    assert done.returncode == 124
    assert b"ended for time (cpu)" in done.stderr


def test_the_package_uses_the_standard_library_only() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(PROJECT)!r}); import submissions_sandbox;"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run(  # noqa: S603 - our own interpreter and package
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split()) - {"submissions_sandbox", "__main__"}
    assert loaded <= set(sys.stdlib_module_names)
