"""The commands ``judge accounts`` and ``judge submit`` against a real database and server."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from db_world import SLUG, judgement, publish_builder, take
from typer.testing import CliRunner, Result

from judge.actions.record import record
from judge.cli.main import build_app
from judge.db.engine import Database
from judge.queue.wakeup import Bell
from judge.server import create_app
from judge.settings import Settings


class Shell:
    """Runs commands with the environment of one data folder."""

    def __init__(self, folder: Path) -> None:
        self.environment = {"JUDGE_DATA_DIR": str(folder), "JUDGE_DATABASE_URL": ""}

    def run(self, *words: str, stdin: str = "") -> Result:
        return CliRunner().invoke(
            build_app(words[0]), list(words), input=stdin, env=self.environment
        )

    def create(self, handle: str, *options: str) -> Result:
        words = ("accounts", "create", handle, "--password-stdin", *options)
        return self.run(*words, stdin="correct horse\n")


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def test_accounts_roles_and_tokens(shell: Shell) -> None:
    assert shell.create("ada", "--role", "admin").output == "ada has the role admin\n"
    assert shell.create("bob").output == "bob has the role learner\n"
    assert shell.run("accounts", "role", "bob", "teacher").output == "bob has the role teacher\n"
    token = shell.run("accounts", "token", "bob").output.strip()
    assert token.startswith("jt_")


def test_the_chores_can_be_done_by_hand(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    done = shell.run("chores", "run")
    assert done.exit_code == 0
    assert {"exports made: 0", "accounts erased: 0"} <= set(done.output.splitlines())
    monkeypatch.setattr("judge.cli.chores.run_round", lambda _: {"exports made": None})
    failed = shell.run("chores", "run")
    assert (failed.exit_code, failed.output) == (3, "exports made: failed; see the log\n")


def test_links_are_printed_for_whoever_runs_the_judge(
    shell: Shell,
) -> None:
    first = shell.run("accounts", "link").output.strip()
    assert first.startswith("/setup?token=")
    shell.create("ada", "--role", "admin")
    refused = shell.run("accounts", "link")
    assert (refused.exit_code, "There is an admin already" in refused.output) == (2, True)
    invited = shell.run("accounts", "link", "--role", "teacher").output.strip()
    assert invited.startswith("/invitation?token=")
    shell.environment["JUDGE_PUBLIC_URL"] = "https://judge.example"
    reset = shell.run("accounts", "reset", "ada").output.strip()
    assert reset.startswith("https://judge.example/reset?token=")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("create", "a b", "--password-stdin"), "A handle has"),
        (("create", "ada", "--password-stdin"), "This handle is taken."),
        (("role", "ada", "learner"), "The last admin"),
        (("role", "nobody", "learner"), "no account called nobody"),
        (("token", "nobody"), "no account called nobody"),
        (("reset", "nobody"), "no account called nobody"),
    ],
)
def test_what_is_refused_is_said_and_ends_with_2(
    shell: Shell, words: tuple[str, ...], message: str
) -> None:
    shell.create("ada", "--role", "admin")
    result = shell.run("accounts", *words, stdin="correct horse\n")
    assert result.exit_code == 2
    assert message in result.output


class Served:
    """A server with one problem and a token, and a judge that answers as the test says."""

    def __init__(self, shell: Shell, folder: Path, address: str) -> None:
        self.shell = shell
        self.address = address
        self.bell = Bell(folder / "bell")
        self.database = Database(Settings(data_dir=folder, database_url="").database_url)
        publish_builder(self.database)
        shell.create("ada")
        self.token = shell.run("accounts", "token", "ada").output.strip()
        self.source = folder / "solution.py"
        self.source.write_text("def count_large(values, limit):\n    return 0\n")

    def submit(self, *options: str, problem: str = SLUG, token: str | None = None) -> Result:
        self.shell.environment["JUDGE_TOKEN"] = self.token if token is None else token
        words = ("submit", problem, str(self.source), "--server", self.address, *options)
        return self.shell.run(*words)

    def judge_next_with(self, earned: int | None) -> threading.Thread:
        """Judge whatever is submitted next, as soon as the lane's bell rings."""
        listener = self.bell.open()
        listener.setblocking(True)
        listener.settimeout(60)

        def judge() -> None:
            listener.recv(256)
            held = take(self.database)
            record(self.database, held, judgement(earned))
            self.bell.close(listener)

        thread = threading.Thread(target=judge)
        thread.start()
        return thread


@pytest.fixture
def served(shell: Shell, tmp_path: Path) -> Iterator[Served]:
    shell.create("admin")
    settings = Settings(data_dir=tmp_path, database_url="")
    config = uvicorn.Config(create_app(settings), port=0, log_config=None, access_log=False)
    listener = config.bind_socket()
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    judge = Served(shell, tmp_path, f"http://127.0.0.1:{listener.getsockname()[1]}")
    try:
        yield judge
    finally:
        server.should_exit = True
        thread.join()
        judge.database.close()


@pytest.mark.parametrize(
    ("earned", "status", "words"),
    [
        (100, 0, "accepted, 100 of 100 points, 4 of 4 test cases passed"),
        (40, 1, "wrong_answer (wrong_value), 40 of 100 points, 3 of 4 test cases passed"),
    ],
)
def test_submit_prints_the_verdict(served: Served, earned: int, status: int, words: str) -> None:
    worker = served.judge_next_with(earned)
    result = served.submit()
    worker.join()
    assert words in result.output
    assert result.exit_code == status


def test_submit_prints_json(served: Served) -> None:
    worker = served.judge_next_with(100)
    result = served.submit("--json")
    worker.join()
    assert json.loads(result.output)["verdict"] == "accepted"


def test_no_verdict_in_time_is_the_judges_fault(served: Served) -> None:
    result = served.submit("--wait", "0")
    assert "queued, no verdict yet" in result.output
    assert result.exit_code == 3


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"problem": "nothing"}, "[problem-not-found]"),
        ({"token": "jt_wrong"}, "[bad-token]"),
        ({"token": ""}, "[not-signed-in]"),
    ],
)
def test_a_refusal_ends_with_2(served: Served, changes: dict[str, str], words: str) -> None:
    result = served.submit(**changes)
    assert words in result.output
    assert result.exit_code == 2


def test_files_that_cannot_be_sent_end_with_2(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"\xff")
    (tmp_path / "b.txt").write_text("x")
    for name in ("a.py", "b.txt", "missing.py"):
        result = shell.run("submit", SLUG, str(tmp_path / name), "--server", "http://127.0.0.1:1")
        assert result.exit_code == 2
    (tmp_path / "c.py").write_text("x")
    result = shell.run("submit", SLUG, str(tmp_path / "c.py"), "--server", "ftp://somewhere")
    assert result.exit_code == 2


def test_a_server_that_is_not_there_is_not_the_callers_fault(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x")
    result = shell.run("submit", SLUG, str(tmp_path / "a.py"), "--server", "http://127.0.0.1:1")
    assert result.exit_code == 3
