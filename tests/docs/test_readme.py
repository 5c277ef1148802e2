"""The README's first submission works as it stands, against a server that this test starts."""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from judge_data import JUDGE_DATA

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
START_S = 120
RUN_S = 90
_BLOCK = re.compile(r"^<!-- test: ([\w-]+) -->\n```bash\n(.*?)^```$", re.M | re.S)


def script(name: str) -> str:
    """The blocks of one name, in order, as one script."""
    blocks = [text for kind, text in _BLOCK.findall(README.read_text()) if kind == name]
    assert blocks
    return "set -euo pipefail\n" + "".join(blocks)


def json_values(text: str) -> list[Any]:
    """Every JSON value of a text in which they follow each other."""
    decoder, values, rest = json.JSONDecoder(), [], text.lstrip()
    while rest:
        value, end = decoder.raw_decode(rest)
        values.append(value)
        rest = rest[end:].lstrip()
    return values


@pytest.fixture
def server_url(tmp_path: Path) -> Iterator[str]:
    """A served judge with an empty data folder; ready when it has printed its URL.

    Only toolchains may be prepared already: each of the grading tests would have done it as well.
    """
    (JUDGE_DATA / "cache").mkdir(parents=True, exist_ok=True)
    (tmp_path / "data").mkdir(mode=0o700)
    (tmp_path / "data" / "cache").symlink_to(JUDGE_DATA / "cache")
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("JUDGE_")},
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",
        "JUDGE_DATA_DIR": str(tmp_path / "data"),
        # As the README says for machines below tier A.
        "JUDGE_REGISTRATION": "open-in-any-tier",
    }
    command = [sys.executable, "-m", "judge", "serve", "--workers", "1", "--port", "0"]
    process = subprocess.Popen(  # noqa: S603 - fixed arguments
        command,
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    # A server that hangs is ended, which ends the reading below as well.
    watchdog = threading.Timer(START_S, process.kill)
    watchdog.start()
    assert process.stdout
    printed, found = "", None
    for line in process.stdout:
        printed += line
        if found := re.search(r"http://\S+", line):
            break
    watchdog.cancel()
    # From here on nobody reads: a thread keeps the pipe from filling up.
    reader = threading.Thread(target=process.stdout.read, daemon=True)
    reader.start()
    try:
        assert found is not None, printed
        yield found[0]
    finally:
        process.terminate()
        process.wait(timeout=60)
        reader.join()
        process.stdout.close()


@pytest.mark.e2e
def test_a_first_submission_as_the_readme_says(server_url: str) -> None:
    if shutil.which("curl") is None:
        reason = "missing program: curl"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    done = subprocess.run(  # noqa: S603 - our own README
        ["bash", "-c", script("first-submission")],  # noqa: S607 - bash of the machine
        cwd=ROOT,
        env={**os.environ, "URL": server_url},
        capture_output=True,
        text=True,
        timeout=RUN_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    account, submission, scores, progress, scores_by_token = json_values(done.stdout)

    assert account["handle"] == "first-learner"
    assert submission.get("verdict") == "accepted", submission
    assert submission["score"] == submission["max_score"] > 0
    assert submission["tests"]["passed"] == submission["tests"]["total"] >= 30
    (row,) = [row for row in scores["items"] if row["problem"] == "sample_token"]
    assert row["score"] == submission["score"]
    assert progress["points"] == submission["score"]
    assert scores_by_token == scores


def test_the_readme_names_the_two_commands() -> None:
    text = README.read_text()
    assert re.search(r"^scripts/run ", text, re.M)
    assert re.search(r"^scripts/test ", text, re.M)


def test_every_path_that_the_readme_names_exists() -> None:
    named = re.findall(r"^\| `([^`]+)`(?:, `([^`]+)`)? \|", README.read_text(), re.M)
    paths = [path for pair in named for path in pair if path.endswith("/")]
    assert paths
    assert [path for path in paths if not (ROOT / path).is_dir()] == []
