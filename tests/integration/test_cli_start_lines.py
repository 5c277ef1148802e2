"""What ``judge serve`` and ``judge worker`` say at their start of the sandbox that they have."""

import socket
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import update
from typer.testing import CliRunner
from worker_fakes import FakeGrader, judged
from worker_rows import Court

from judge.cli import serve, worker
from judge.cli.main import build_app
from judge.db.engine import Database
from judge.db.queries.workers import LIVE_S, LiveWorker, list_live_workers
from judge.db.tables import worker as rows_of_workers
from judge.db.types import now
from judge.domain.verdicts import Verdict
from judge.errors import CannotIsolate, JudgeBroken
from judge.queue.workers import SelfTest, WorkerInfo, register
from judge.worker import loop
from judge.worker.loop import WorkerConfig, run

FIX = "sysctl kernel.unprivileged_userns_clone=1"
OPEN_ANYWAY = "JUDGE_REGISTRATION=open-in-any-tier"


@pytest.fixture
def court(sqlite_database: Database, tmp_path: Path) -> Court:
    return Court(sqlite_database, tmp_path)


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

    def test_whose_operator_has_closed_it_is_not_told_again(self) -> None:
        lines = serve._judging_lines(TIER_B, 1, "closed")
        assert [line.partition(":")[0] for line in lines] == ["sandbox", "sandbox", "self-test"]

    @pytest.mark.parametrize(
        "tested",
        [TIER_A, TIER_B, reported("", [], "", "failed"), None],
        ids=["tier A", "tier B", "no sandbox", "no worker"],
    )
    def test_that_anybody_may_register_below_tier_a_is_said_whatever_is_known_of_workers(
        self, tested: LiveWorker | None
    ) -> None:
        lines = serve._judging_lines(tested, 0, "open-in-any-tier")
        (said,) = [line for line in lines if line.startswith("registration: ")]
        assert said.startswith("registration: open below tier A")
        assert OPEN_ANYWAY in said

    def test_a_self_test_that_failed_leads_to_the_doctor(self) -> None:
        failed = reported("A", [], "", "failed")
        lines = serve._judging_lines(failed, 1, "open")
        assert lines == ["self-test: failed, nothing is judged; see: judge doctor"]

    def test_without_a_sandbox_only_that_and_what_would_mend_it(self) -> None:
        failed = reported("", [], FIX, "failed")
        (line,) = serve._judging_lines(failed, 1, "open")
        assert line.startswith("self-test: failed, nothing is judged; no sandbox")
        assert line.endswith(FIX)

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
                raise CannotIsolate("tier A: refused", FIX)

        monkeypatch.setattr(worker, "stop_event", lambda **_: stop)
        monkeypatch.setattr(worker, "Grader", lambda *_, **__: NoSandbox().make())
        done = CliRunner().invoke(build_app("worker"), ["worker"])
        assert (done.exit_code, done.stdout) == (0, "")
        (line,) = caplog.text.splitlines()
        assert "tier A: refused" in line
        assert line.endswith(FIX)


class TestComplaints:
    """A worker that fails tries again for ever; its log says why once, and what has changed."""

    def failed_with(
        self, errors: list[Exception], court: Court, monkeypatch: pytest.MonkeyPatch
    ) -> list[LiveWorker]:
        """What a worker said of itself behind each of these failures, one after the other."""
        monkeypatch.setattr(loop, "_RETRY_SELF_TEST_S", 0.0)
        stop, left, rows = threading.Event(), list(errors), []

        class Failing(FakeGrader):
            def describe(self) -> dict[str, str]:
                with court.database.read() as connection:
                    rows.extend(list_live_workers(connection, now()))
                if len(left) == 1:
                    stop.set()
                raise left.pop(0)

        run(court.database, court.bell, Failing().make, WorkerConfig("w1"), stop)
        return rows

    def test_no_sandbox_is_one_line_without_a_traceback_and_said_once(
        self, court: Court, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        same = [CannotIsolate("no namespaces", FIX) for _ in range(3)]
        other = CannotIsolate("no Landlock", FIX)
        rows = self.failed_with([*same, other, same[0]], court, monkeypatch)
        said = [record.getMessage() for record in caplog.records]
        assert [("no namespaces" in words, "no Landlock" in words) for words in said] == [
            (True, False),
            (False, True),
            (True, False),
        ]
        assert all(record.exc_info is None for record in caplog.records)
        assert {(row.tier, row.fix, row.self_test) for row in rows} == {("", FIX, "failed")}

    def test_what_nobody_foresaw_keeps_its_traceback(
        self, court: Court, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        broken = [JudgeBroken("odd") for _ in range(3)]
        rows = self.failed_with(broken, court, monkeypatch)
        (record,) = caplog.records
        assert record.exc_info
        assert {row.fix for row in rows} == {""}


class TestWorkerCheck:
    """``judge worker --check``: for whoever watches one machine, or one container."""

    @pytest.fixture(autouse=True)
    def here(
        self, sqlite_database: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        url = sqlite_database.url.render_as_string(hide_password=False)
        monkeypatch.setenv("JUDGE_DATABASE_URL", url)
        monkeypatch.setenv("JUDGE_DATA_DIR", str(tmp_path / "data"))
        self.database = sqlite_database

    def add(self, name: str, verdict: str, fix: str = "", host: str = "") -> None:
        info = WorkerInfo(
            id=name,
            host=host or socket.gethostname(),
            process_id=1,
            languages={},
            tier="",
            layers=(),
            self_test=SelfTest(verdict, {}),
            fix=fix,
        )
        register(self.database, info)

    def check(self) -> tuple[int, str]:
        done = CliRunner().invoke(build_app("worker"), ["worker", "--check"])
        return done.exit_code, done.output

    def test_a_worker_of_this_machine_that_passed_its_self_test(self) -> None:
        self.add("w1", "failed")
        self.add("w2", "passed")
        assert self.check() == (0, "")

    def test_none_lives_here(self) -> None:
        self.add("w1", "passed", host="elsewhere")
        status, words = self.check()
        assert status == 1
        assert "none lives on this machine" in words

    def test_one_that_is_silent_lives_no_more(self) -> None:
        self.add("w1", "passed")
        with self.database.write() as connection:
            long_ago = now() - timedelta(seconds=LIVE_S + 5)
            connection.execute(update(rows_of_workers).values(heartbeat_at=long_ago))
        assert self.check()[0] == 1

    @pytest.mark.parametrize(("fix", "said"), [(FIX, FIX), ("", "judge doctor")])
    def test_one_that_failed_says_what_to_do(self, fix: str, said: str) -> None:
        self.add("w1", "failed", fix)
        status, words = self.check()
        assert status == 1
        assert said in words
