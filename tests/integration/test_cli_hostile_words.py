"""Whatever a command is given: one clear line and an exit status, never a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from sampling import some_always

ROOT = Path(__file__).parents[2]
PATIENCE_S = 60
TOKEN = "jt_canary"  # noqa: S105 - no token


def run(
    *words: str | bytes, folder: Path, stdin: bytes = b"", output: int = subprocess.PIPE, **env: str
) -> subprocess.CompletedProcess[bytes]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JUDGE_")}
    given = {"JUDGE_DATA_DIR": str(folder), "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    return subprocess.run(  # noqa: S603 - the test's own command
        [sys.executable, "-m", "judge", *words],
        cwd=folder,
        env={**kept, **given, **env},
        input=stdin,
        stdout=output,
        stderr=subprocess.PIPE,
        timeout=PATIENCE_S,
        check=False,
    )


def one_line(done: subprocess.CompletedProcess[bytes], status: int) -> str:
    text = done.stderr.decode()
    assert done.returncode == status, text
    assert len(text.splitlines()) == 1, text
    return text


@pytest.fixture
def source(tmp_path: Path) -> str:
    path = tmp_path / "solution.py"
    path.write_text("x = 1\n")
    return str(path)


@pytest.mark.parametrize(
    "server",
    some_always(
        [
            "http://[",
            "http://127.0.0.1:abc",
            "http://127.0.0.1:99999",
            "http://127.0.0.1:8123 x",
            "http://127.0.0.1:8123\nx",
            "http://",
            "http://:80",
            "http://judgé.example",
            "ftp://somewhere",
            "",
        ]
    ),
)
def test_an_address_that_is_none(server: str, source: str, tmp_path: Path) -> None:
    done = run("submit", "sample_token", source, "--server", server, folder=tmp_path)
    assert "--server" in one_line(done, 2)


@pytest.mark.parametrize("end", some_always(["\n", "\nX: y", " ", "é", "中", "\x7f"]))
def test_a_token_that_is_none_is_not_repeated(end: str, source: str, tmp_path: Path) -> None:
    done = run(
        *("submit", "sample_token", source, "--server", "http://127.0.0.1:1"),
        folder=tmp_path,
        JUDGE_TOKEN=TOKEN + end,
    )
    line = one_line(done, 2)
    assert "JUDGE_TOKEN" in line
    assert TOKEN not in line


def test_a_problem_that_is_no_text_ends_with_one_line(source: str, tmp_path: Path) -> None:
    done = run("submit", b"a\xff", source, "--server", "http://127.0.0.1:1", folder=tmp_path)
    one_line(done, 3)


@pytest.mark.parametrize("port", some_always(["99999", "-1", "65536"]))
def test_a_port_that_is_none(port: str, tmp_path: Path) -> None:
    done = run("serve", "--port", port, folder=tmp_path)
    assert done.returncode == 2
    assert b"--port" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("host", some_always(["a" * 70, "..", "a..b"]))
def test_a_host_that_is_none(host: str, tmp_path: Path) -> None:
    done = run("serve", "--host", host, "--port", "0", folder=tmp_path)
    assert "judge serve: " in one_line(done, 2)


@pytest.mark.parametrize(
    "words",
    [
        ("token", b"a\xff"),
        ("role", b"a\xff", "admin"),
        ("create", b"a\xff", "--password-stdin"),
        ("create", "ada", "--locale", b"\xff", "--password-stdin"),
        ("create", "ada", "--time-zone", b"\xff", "--password-stdin"),
    ],
)
def test_words_that_are_no_text(words: tuple[str | bytes, ...], tmp_path: Path) -> None:
    one_line(run("accounts", *words, folder=tmp_path, stdin=b"correct horse\n"), 2)


def test_a_token_name_that_is_no_text(tmp_path: Path) -> None:
    run("accounts", "create", "ada", "--password-stdin", folder=tmp_path, stdin=b"correct horse\n")
    one_line(run("accounts", "token", "ada", "--name", b"\xff", folder=tmp_path), 2)


@pytest.mark.parametrize("handle", some_always(["-x", "a b", "é"]))
def test_a_handle_is_refused_before_the_password_is_asked_for(handle: str, tmp_path: Path) -> None:
    done = run("accounts", "create", "--", handle, folder=tmp_path)
    assert "A handle has" in one_line(done, 2)
    assert b"Password" not in done.stdout


@pytest.mark.parametrize(
    "password", some_always([b"correct \xff horse\n", b"correct\0horse\n", b"", b"short\n"])
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8:surrogateescape"])
def test_a_password_that_cannot_be_typed_again(
    password: bytes, encoding: str, tmp_path: Path
) -> None:
    done = run(
        *("accounts", "create", "ada", "--password-stdin"),
        folder=tmp_path,
        stdin=password,
        PYTHONIOENCODING=encoding,
    )
    one_line(done, 2)


def test_output_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = run("--help", folder=tmp_path, output=full.fileno())
    assert "judge: the judge's own fault: OSError: " in one_line(done, 3)


def test_a_reader_that_left_is_no_complaint(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = run("--help", folder=tmp_path, output=writing)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


UNEXPECTED = """
from judge.cli.exits import run_guarded
def command():
    raise RuntimeError("the first line\\n[SQL: INSERT]\\n[parameters: secret]")
run_guarded(command)
"""


@pytest.mark.parametrize(("level", "lines"), [("info", 1), ("debug", 2)])
def test_the_unexpected_is_one_line_unless_debugging(level: str, lines: int) -> None:
    done = subprocess.run(  # noqa: S603 - the test's own command
        [sys.executable, "-c", UNEXPECTED],
        env={**os.environ, "PYTHONPATH": str(ROOT), "JUDGE_LOG_LEVEL": level},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 3
    shown = done.stderr.splitlines()
    assert shown[-1] == "judge: the judge's own fault: RuntimeError: the first line"
    assert ("Traceback (most recent call last):" in shown) == (lines > 1)


@pytest.mark.parametrize("words", [("accounts", "token", "ada"), ("serve", "--port", "0")])
def test_a_full_disk_at_the_start_prints_no_sql(words: tuple[str, ...], tmp_path: Path) -> None:
    limited = "import resource as r; r.setrlimit(r.RLIMIT_FSIZE, (9000, 9000)); "
    done = subprocess.run(  # noqa: S603 - the test's own command
        [sys.executable, "-c", limited + "from judge.cli.main import main; main()", *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "JUDGE_DATA_DIR": str(tmp_path)},
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    line = one_line(done, done.returncode)
    assert done.returncode in (2, 3)
    assert "database" in line
    assert "CREATE" not in line
