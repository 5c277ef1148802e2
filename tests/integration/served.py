"""A judge as ``judge serve`` starts it: web side, a worker with a real sandbox, a verifier."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from judge_data import JUDGE_DATA

ROOT = Path(__file__).resolve().parents[2]
START_S = 120
LOG = "printed.log"


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Variables of a judge whose data are in ``folder``, and of its command line.

    Only toolchains may be prepared already: each of the grading tests would have done it as well.
    """
    (JUDGE_DATA / "cache").mkdir(parents=True, exist_ok=True)
    data = folder / "data"
    if not data.exists():
        data.mkdir(mode=0o700)
        (data / "cache").symlink_to(JUDGE_DATA / "cache")
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("JUDGE_")},
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",
        "JUDGE_DATA_DIR": str(data),
        # As the README says for machines below tier A.
        "JUDGE_REGISTRATION": "open-in-any-tier",
        **more,
    }


@contextmanager
def serving(folder: Path, **more: str) -> Iterator[str]:
    """The URL of a served judge, which is ready when it has printed that; ``read_log`` reads it."""
    with (folder / LOG).open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "judge", "serve", "--workers", "1", "--port", "0"],
            cwd=folder,
            env=environment(folder, **more),
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        yield _wait_for_url(process, folder)
    finally:
        process.terminate()
        process.wait(timeout=60)


def read_log(folder: Path) -> str:
    """Everything that the judge in this folder, its worker and its verifier have printed."""
    return (folder / LOG).read_text()


def _wait_for_url(process: subprocess.Popen[bytes], folder: Path) -> str:
    deadline = time.monotonic() + START_S
    while process.poll() is None and time.monotonic() < deadline:
        if found := re.search(r"http://\S+(?=\s)", read_log(folder)):
            return found[0]
        time.sleep(0.05)
    raise AssertionError(read_log(folder))
