"""What the commands say of languages that this machine can judge, and of those that it cannot."""

import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result
from worker_fakes import FIXES, VERSIONS, FakeGrader, judged

from judge.cli import doctor, doctor_languages, grade, serve, worker
from judge.cli.main import build_app
from judge.db.engine import Database
from judge.db.queries.workers import LiveWorker
from judge.db.types import now
from judge.domain.verdicts import Verdict
from judge.errors import JudgeBroken, Misconfigured
from judge.harness.languages import missing_sentence
from submissions_sandbox import ALL_TIERS, Tier
from submissions_sandbox.probes import Decides, Probe, Report, State

HELD = Probe("refused: lists processes", State.OK, "held", decides=Decides.FITNESS)
REPORT = Report(Tier.A, ("seccomp",), "", (HELD,))
NO_JAVA = missing_sentence("java", FIXES["java"])


class Machine(FakeGrader):
    """A grader for a machine without Java, in the place of the real one."""

    def __init__(
        self,
        named: tuple[str, ...] | None = None,
        *,
        data_dir: Path,
        tiers: tuple[Tier, ...] = ALL_TIERS,
    ) -> None:
        super().__init__(languages=named or ("python", "cpp"))
        self.tiers = tiers
        assert data_dir.is_dir()

    def __enter__(self) -> "Machine":
        if "java" in self.languages():
            raise Misconfigured(f"{NO_JAVA} (/usr/bin/java is not there)")
        return self

    def __exit__(self, *error: object) -> None:
        pass


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for module in (doctor_languages, grade, worker):
        monkeypatch.setattr(module, "Grader", Machine)
    monkeypatch.setattr(doctor, "run_probes", lambda _tiers: REPORT)
    monkeypatch.setattr(worker, "stop_event", lambda **_: threading.Event())
    monkeypatch.setenv("JUDGE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delenv("JUDGE_DATABASE_URL", raising=False)


def judge(*arguments: str) -> Result:
    return CliRunner().invoke(build_app(arguments[0]), list(arguments))


class TestDoctor:
    def test_it_has_a_line_for_each_language_and_a_missing_one_is_no_failure(self) -> None:
        done = judge("doctor")
        assert done.exit_code == 0, done.output
        assert done.stdout.splitlines() == [
            "ok   refused: lists processes: held",
            "ok   Python 3: python 3.11.0; judges right in tier A",
            "ok   C++17: g++ 12.2.0; judges right in tier A",
            "--   Java 17: not judged here: /usr/bin/java is not there",
            "     fix: apt-get install default-jdk-headless",
            "fit, in tier A",
        ]

    def test_it_tells_the_same_as_json(self) -> None:
        told = json.loads(judge("doctor", "--json").stdout)
        assert (told["passed"], told["fit"]) == (True, True)
        assert (told["tier"], told["layers"]) == ("A", ["seccomp"])
        assert told.keys() == REPORT.as_json().keys() | {"languages"}
        assert told["probes"] == [HELD.as_json()]
        by_id = {language["id"]: language for language in told["languages"]}
        assert by_id["cpp"] == {
            "id": "cpp",
            "title": "C++17",
            "available": True,
            "state": "ok",
            "versions": VERSIONS["cpp"],
            "detail": "g++ 12.2.0; judges right in tier A",
            "fix": "",
        }
        assert (by_id["java"]["available"], by_id["java"]["fix"]) == (False, FIXES["java"])

    def test_languages_are_judged_in_the_tier_that_was_asked_for(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked = []

        class Asked(Machine):
            def __enter__(self) -> "Asked":
                asked.append(self.tiers)
                return self

        def probe(tiers: tuple[Tier, ...]) -> Report:
            return replace(REPORT, tier=tiers[0], fix="sysctl")

        monkeypatch.setattr(doctor_languages, "Grader", Asked)
        monkeypatch.setattr(doctor, "run_probes", probe)
        done = judge("doctor", "--tier", "B")
        assert asked == [(Tier.B,)] * 3
        assert done.exit_code == 0
        assert "ONLY IN TIER B" in done.stdout.splitlines()[-2]

    def test_a_machine_that_cannot_judge_at_all_is_not_fit(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Broken(Machine):
            def __enter__(self) -> "Broken":
                raise JudgeBroken("the sandbox does not start")

        monkeypatch.setattr(doctor_languages, "Grader", Broken)
        done = judge("doctor")
        assert done.exit_code == 1
        assert "FAIL Python 3: JudgeBroken: the sandbox does not start" in done.stdout
        assert done.stdout.splitlines()[-1].startswith("NOT FIT, in tier A: 3 failed")

    def test_where_nothing_isolates_no_language_is_tried(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        nothing = replace(REPORT, tier=None, layers=(), fix="sysctl")
        monkeypatch.setattr(doctor, "run_probes", lambda _tiers: nothing)
        monkeypatch.setattr(doctor_languages, "Grader", None)
        told = json.loads(judge("doctor", "--json").stdout)
        assert (told["passed"], told["fit"], told["tier"]) == (False, False, None)
        assert [one["state"] for one in told["languages"]] == ["failed", "absent", "absent"]
        assert judge("doctor").exit_code == 1

    @pytest.mark.parametrize(
        ("always", "fix"),
        [
            (Verdict.RUNTIME_ERROR, "apt-get install --reinstall g++"),
            (Verdict.ACCEPTED, "SECURITY.md"),
        ],
    )
    def test_a_language_that_judges_wrong_makes_the_machine_unfit_and_has_its_reason(
        self, monkeypatch: pytest.MonkeyPatch, always: Verdict, fix: str
    ) -> None:
        """A worker does not start with it either; a program that got out is to be reported."""

        class Wrong(Machine):
            def __enter__(self) -> "Wrong":
                self.grade = lambda problem, *_: judged(problem, always)
                return self

        monkeypatch.setattr(doctor_languages, "Grader", Wrong)
        lines = (done := judge("doctor")).stdout.splitlines()
        assert done.exit_code == 1
        told = lines.index(
            f"FAIL C++17: does not judge right in tier A: cpp, honest: {always}; "
            f"cpp, hostile: {always}; cpp, honest again: {always}"
        )
        assert lines[told + 1].startswith("     fix: ")
        assert fix in lines[told + 1]

    def test_what_it_made_is_gone_afterwards(self, tmp_path: Path) -> None:
        judge("doctor")
        assert list((tmp_path / "data").iterdir()) == []


class TestNamedLanguages:
    def test_a_worker_for_a_missing_language_ends_with_its_remedy(
        self, sqlite_database: Database, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        url = sqlite_database.url.render_as_string(hide_password=False)
        monkeypatch.setenv("JUDGE_DATABASE_URL", url)
        done = judge("worker", "--language", "java")
        assert (done.exit_code, done.stderr) == (
            2,
            f"judge: {NO_JAVA} (/usr/bin/java is not there)\n",
        )

    def test_a_worker_for_a_language_that_there_is_not_names_those_that_there_are(self) -> None:
        done = judge("worker", "--language", "rust")
        assert done.exit_code == 2
        assert done.stderr == (
            "judge: language 'rust' is not offered; choose from: python, cpp, java\n"
        )

    def test_grading_a_file_of_a_missing_language_tells_the_remedy(self, tmp_path: Path) -> None:
        source = tmp_path / "Solution.java"
        source.write_text("class Solution {}")
        done = judge("grade", "sample_token", str(source))
        assert (done.exit_code, done.stderr) == (
            2,
            f"judge: {NO_JAVA} (/usr/bin/java is not there)\n",
        )


def reported(self_test: str) -> LiveWorker:
    return LiveWorker(
        id="w1",
        host="here",
        languages={"python": {}, "cpp": {}},
        missing={"java": FIXES["java"]},
        tier="A",
        layers=[],
        fix="",
        self_test=self_test,
        heartbeat_at=now(),
        is_draining=False,
    )


@pytest.mark.parametrize(
    ("self_test", "lines"),
    [
        (
            "passed",
            [
                "self-test: python ✓",
                "self-test: cpp ✓",
                "self-test: java missing; install it with: apt-get install default-jdk-headless",
            ],
        ),
        ("failed", ["self-test: failed, nothing is judged; see: judge doctor"]),
    ],
)
def test_a_server_that_starts_tells_how_each_language_stands(
    self_test: str, lines: list[str]
) -> None:
    said = serve._judging_lines(reported(self_test), 1, "open")
    assert [line for line in said if line.startswith("self-test")] == lines
