"""How commands of the service start: private files, and one clear line where they cannot."""

import os
import re
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from sampling import some_always

from judge.cli.start import open_settings
from judge.db.engine import Database
from judge.errors import Misconfigured

ROOT = Path(__file__).parents[2]
# A server that does start is stopped by the time limit, and the test fails.
PATIENCE_S = 60
COMMANDS = {
    "serve": ("serve", "--port", "0", "--workers", "0"),
    "worker": ("worker",),
    "accounts create": ("accounts", "create", "ada", "--password-stdin"),
    "accounts token": ("accounts", "token", "ada"),
    "problems publish": ("problems", "publish", "sample_token"),
}


def run(command: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a person would, with these JUDGE_ settings and no others."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JUDGE_")}
    given = {f"JUDGE_{name.upper()}": value for name, value in settings.items()}
    return subprocess.run(  # noqa: S603 - the test's own command
        [sys.executable, "-m", "judge", *COMMANDS[command]],
        cwd=ROOT,
        env={**kept, **given, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        input="correct horse\n",
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def refused_with(done: subprocess.CompletedProcess[str]) -> str:
    """The one line that a command left before it ended with 2."""
    assert done.returncode == 2, done.stdout + done.stderr
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    path.write_text("no folder and no database")
    return path


@pytest.mark.parametrize("command", some_always(list(COMMANDS)))
def test_a_data_folder_that_cannot_be_is_named(command: str, file: Path) -> None:
    for folder in (file, file / "below"):
        line = refused_with(run(command, data_dir=str(folder)))
        assert str(folder) in line


def test_a_data_folder_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUDGE_DATA_DIR", str(tmp_path))
    # Root may write everywhere, so the kernel's answer is made up.
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(Misconfigured, match=re.escape(str(tmp_path))):
        open_settings()


@pytest.mark.parametrize("command", some_always(list(COMMANDS)))
def test_a_database_that_cannot_be_reached_is_named_without_its_password(
    command: str, tmp_path: Path
) -> None:
    with socket.socket() as nobody:
        # Bound and not listening: the port is ours, and it refuses.
        nobody.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{nobody.getsockname()[1]}/judge"
        url = f"postgresql://ada:correct-horse@{place}"
        line = refused_with(run(command, data_dir=str(tmp_path), database_url=url))
    assert place in line
    assert "correct-horse" not in line


@pytest.mark.parametrize("command", ["worker", "accounts token"])
@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("mysql://somewhere/else", "SQLite and PostgreSQL"),
        ("ada:correct-horse@somewhere", "no URL"),
        ("sqlite://", "file"),
        ("sqlite:////dev/null/judge.db", "/dev/null/judge.db"),
    ],
)
def test_an_address_that_is_no_database_is_refused(
    command: str, url: str, words: str, tmp_path: Path
) -> None:
    line = refused_with(run(command, data_dir=str(tmp_path), database_url=url))
    assert words in line
    assert "correct-horse" not in line


def test_a_file_that_is_no_database_is_refused(file: Path, tmp_path: Path) -> None:
    settings = {"data_dir": str(tmp_path), "database_url": f"sqlite:///{file}"}
    assert "not a database" in refused_with(run("accounts token", **settings))


@pytest.mark.parametrize("command", some_always(list(COMMANDS)))
def test_settings_that_are_not_valid_are_all_named_in_one_line(
    command: str, tmp_path: Path
) -> None:
    wrong = {"registration": "perhaps", "max_waiting": "many", "public_url": "judge.example"}
    line = refused_with(run(command, data_dir=str(tmp_path), **wrong))
    for name in wrong:
        assert f"JUDGE_{name.upper()}: " in line


def test_new_files_are_their_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    assert run("accounts create", data_dir=str(folder)).returncode == 0
    assert mode(folder) == 0o700
    assert mode(folder / "judge.db") == 0o600
    with Database(f"sqlite:///{folder / 'judge.db'}") as database, database.write():
        found = {path.name: mode(path) for path in folder.glob("judge.db*")}
    assert found == dict.fromkeys(("judge.db", "judge.db-wal", "judge.db-shm"), 0o600)


def test_a_folder_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o750)
    assert run("accounts create", data_dir=str(tmp_path)).returncode == 0
    assert mode(tmp_path) == 0o750


def test_an_empty_setting_is_the_default(tmp_path: Path) -> None:
    done = run("accounts create", data_dir=str(tmp_path), database_url="", registration="")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "judge.db").is_file()


def test_checking_a_database_says_what_is_wrong() -> None:
    gone = Database("postgresql://nobody@127.0.0.1:1/nothing")
    with gone, pytest.raises(Misconfigured, match=r"127\.0\.0\.1:1/nothing: .+"):
        gone.check()
