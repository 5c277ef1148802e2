"""What the commands say of languages that this machine can judge, and of those that it cannot."""

import json
import socket
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner, Result
from worker_fakes import FIXES, VERSIONS, FakeGrader

from judge.cli import doctor, grade, serve, worker
from judge.cli.main import build_app
from judge.db.engine import Database
from judge.db.queries.workers import LiveWorker
from judge.db.types import now
from judge.domain.verdicts import Verdict
from judge.errors import JudgeBroken, Misconfigured
from judge.harness.languages import missing_sentence
from submissions_sandbox.probes import Probe

HELD = Probe("sees processes", passed=True)
NO_JAVA = missing_sentence("java", FIXES["java"])


class Machine(FakeGrader):
    """A grader for a machine without Java, in the place of the real one."""

    def __init__(self, named: tuple[str, ...] | None = None, *, data_dir: Path) -> None:
        super().__init__(languages=named or ("python", "cpp"))
        self.grade = lambda *_: SimpleNamespace(verdict=Verdict.ACCEPTED, passed=31)
        assert data_dir.is_dir()

    def __enter__(self) -> "Machine":
        if "java" in self.languages():
            raise Misconfigured(NO_JAVA)
        return self

    def __exit__(self, *error: object) -> None:
        pass


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for module in (doctor, grade, worker):
        monkeypatch.setattr(module, "Grader", Machine)
    monkeypatch.setattr(doctor, "run_probes", lambda: [HELD])
    monkeypatch.setattr(worker, "stop_event", lambda **_: threading.Event())
    monkeypatch.setenv("JUDGE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delenv("JUDGE_DATABASE_URL", raising=False)


def judge(*arguments: str) -> Result:
    return CliRunner().invoke(build_app(arguments[0]), list(arguments))


class TestDoctor:
    def test_it_has_a_line_for_each_language_and_a_missing_one_is_no_failure(self) -> None:
        done = judge("doctor")
        assert done.exit_code == 0, done.output
        assert done.stdout.splitlines()[-3:] == [
            "ok   Python 3: python 3.11.0",
            "ok   C++17: g++ 12.2.0",
            "--   Java 17: missing; install it with: apt-get install default-jdk-headless",
        ]

    def test_it_tells_the_same_as_json(self) -> None:
        told = json.loads(judge("doctor", "--json").stdout)
        assert told["fit"] is True
        assert [probe["passed"] for probe in told["probes"]] == [True, True]
        by_id = {language["id"]: language for language in told["languages"]}
        assert by_id["cpp"] == {
            "id": "cpp",
            "title": "C++17",
            "available": True,
            "versions": VERSIONS["cpp"],
            "fix": "",
        }
        assert (by_id["java"]["available"], by_id["java"]["fix"]) == (False, FIXES["java"])

    def test_a_machine_that_cannot_judge_at_all_is_not_fit(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Broken(Machine):
            def __enter__(self) -> "Broken":
                raise JudgeBroken("user namespaces are switched off")

        monkeypatch.setattr(doctor, "Grader", Broken)
        done = judge("doctor")
        assert done.exit_code == 1
        assert done.stdout.splitlines()[-1] == (
            "FAIL an honest submission is accepted: user namespaces are switched off"
        )


class TestNamedLanguages:
    def test_a_worker_for_a_missing_language_ends_with_its_remedy(
        self, sqlite_database: Database, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        url = sqlite_database.url.render_as_string(hide_password=False)
        monkeypatch.setenv("JUDGE_DATABASE_URL", url)
        done = judge("worker", "--language", "java")
        assert (done.exit_code, done.stderr) == (2, f"judge: {NO_JAVA}\n")

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
        assert (done.exit_code, done.stderr) == (2, f"judge: {NO_JAVA}\n")


def reported(self_test: str) -> LiveWorker:
    return LiveWorker(
        id="w1",
        host="here",
        languages={"python": {}, "cpp": {}},
        missing={"java": FIXES["java"]},
        tier="A",
        layers=[],
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
    sqlite_database: Database, self_test: str, lines: list[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        said = serve._announcement(listener, sqlite_database, reported(self_test), 1)
    assert [line for line in said if line.startswith("self-test")] == lines
