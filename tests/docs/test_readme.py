"""The README's first submission works as it stands, against a server that this test starts."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from served import serving

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
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
    """A served judge with an empty data folder."""
    with serving(tmp_path) as url:
        yield url


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
