"""What ``judge serve`` and ``judge worker`` say at their start of the sandbox that they have."""

import threading
from pathlib import Path

import pytest
from typer.testing import CliRunner
from worker_fakes import FakeGrader, judged

from judge.cli import serve, worker
from judge.cli.main import build_app
from judge.db.engine import Database
from judge.db.queries.workers import LiveWorker
from judge.db.types import now
from judge.domain.verdicts import Verdict
from judge.errors import JudgeBroken

FIX = "sysctl kernel.unprivileged_userns_clone=1"
OPEN_ANYWAY = "JUDGE_REGISTRATION=open-in-any-tier"


def reported(tier: str, layers: list[str], fix: str, self_test: str = "passed") -> LiveWorker:
    return LiveWorker(
        id="w1",
        host="here",
        languages={"python": {}},
        missing={},
        tier=tier,
        layers=layers,
        fix=fix,
        self_test=self_test,
        heartbeat_at=now(),
        is_draining=False,
    )


TIER_A = reported("A", ["userns", "seccomp"], "")
TIER_B = reported("B", ["landlock", "seccomp"], FIX)


class TestServe:
    def test_in_tier_a_one_line(self) -> None:
        lines = serve._judging_lines(TIER_A, 1, "open")
        assert lines == ["sandbox: tier A: userns, seccomp", "self-test: python ✓"]

    def test_below_it_the_way_there_and_that_nobody_may_register(self) -> None:
        tier, fix, registration, language = serve._judging_lines(TIER_B, 1, "open")
        assert tier == "sandbox: tier B: landlock, seccomp"
        assert fix == f"sandbox: for tier A: {FIX}"
        assert registration.startswith("registration: refused")
        assert registration.endswith(OPEN_ANYWAY)
        assert language == "self-test: python ✓"

    @pytest.mark.parametrize("registration", ["open-in-any-tier", "closed"])
    def test_whose_operator_has_decided_already_is_not_told_again(self, registration: str) -> None:
        lines = serve._judging_lines(TIER_B, 1, registration)
        assert [line.partition(":")[0] for line in lines] == ["sandbox", "sandbox", "self-test"]

    def test_without_a_sandbox_only_that(self) -> None:
        failed = reported("", [], "", "failed")
        lines = serve._judging_lines(failed, 1, "open")
        assert lines == ["self-test: failed, nothing is judged; see: judge doctor"]

    @pytest.mark.parametrize(("count", "command"), [(0, "judge worker"), (2, "judge doctor")])
    def test_without_a_report_what_to_do(self, count: int, command: str) -> None:
        (line,) = serve._judging_lines(None, count, "open")
        assert line.startswith("self-test: no worker")
        assert line.endswith(command)


class TestWorker:
    @pytest.fixture(autouse=True)
    def here(
        self, sqlite_database: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        url = sqlite_database.url.render_as_string(hide_password=False)
        monkeypatch.setenv("JUDGE_DATABASE_URL", url)
        monkeypatch.setenv("JUDGE_DATA_DIR", str(tmp_path / "data"))

    def start(
        self, monkeypatch: pytest.MonkeyPatch, grader: FakeGrader, *options: str
    ) -> tuple[list[str], str]:
        """Output and log of a worker that is told to stop at its third grading."""
        stop = threading.Event()
        graded = grader.grade
        seen: list[object] = []

        def grade(*arguments):
            seen.append(arguments)
            if len(seen) == 3:
                stop.set()
            return graded(*arguments)

        grader.grade = grade
        monkeypatch.setattr(worker, "stop_event", lambda **_: stop)
        monkeypatch.setattr(worker, "Grader", lambda *_, **__: grader.make())
        done = CliRunner().invoke(build_app("worker"), ["worker", *options])
        assert done.exit_code == 0, done.output
        return done.stdout.splitlines(), done.stderr

    def test_it_tells_tier_layers_and_the_way_to_tier_a(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lines, _ = self.start(monkeypatch, FakeGrader())
        assert lines == [
            "sandbox: tier fake: seccomp, rlimits",
            "sandbox: for tier A: run it elsewhere",
        ]

    def test_below_a_server_the_server_speaks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert self.start(monkeypatch, FakeGrader(), "--supervised")[0] == []

    def test_one_that_does_not_judge_has_no_start_line(
        self, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        always_accepted = FakeGrader(lambda problem, *_: judged(problem, Verdict.ACCEPTED))
        assert self.start(monkeypatch, always_accepted)[0] == []
        assert "self-test failed" in caplog.text

    def test_one_without_a_sandbox_says_why(
        self, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        stop = threading.Event()

        class NoSandbox(FakeGrader):
            def describe(self) -> dict[str, str]:
                stop.set()
                raise JudgeBroken(f"this machine cannot isolate: {FIX}")

        monkeypatch.setattr(worker, "stop_event", lambda **_: stop)
        monkeypatch.setattr(worker, "Grader", lambda *_, **__: NoSandbox().make())
        done = CliRunner().invoke(build_app("worker"), ["worker"])
        assert (done.exit_code, done.stdout) == (0, "")
        assert FIX in caplog.text
