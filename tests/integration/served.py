"""A judge as ``judge serve`` starts it: web side, a worker with a real sandbox, a verifier."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from judge_data import JUDGE_DATA

ROOT = Path(__file__).resolve().parents[2]
START_S = 120


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
    """The URL of a served judge; it is ready when it has printed that."""
    process = subprocess.Popen(
        [sys.executable, "-m", "judge", "serve", "--workers", "1", "--port", "0"],
        cwd=folder,
        env=environment(folder, **more),
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
