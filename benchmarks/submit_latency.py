"""From POST to the final answer: one submission over the API, judged by a real server.

Starts ``judge serve`` with one worker and an empty data folder, registers an account, and submits
an accepted source again and again with ``wait``. The client is this process, over loopback. By
turns the source has a comment that no one before it had, so that it is compiled ("first"), and is
sent once more as it is ("again"). ``--cases`` publishes the problem with fewer test cases first.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from shortened import publish_shortened

from judge.harness.languages import LANGUAGES

_ROOT = Path(__file__).resolve().parent.parent


class Client:
    """A minimal JSON client that keeps one token."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._headers = {"Content-Type": "application/json"}

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """One call; raises on any status over 399."""
        request = urllib.request.Request(  # noqa: S310 - the URL is our own server's
            f"{self._url}/api/v1{path}",
            data=None if body is None else json.dumps(body).encode(),
            method=method,
            headers=self._headers,
        )
        with urllib.request.urlopen(request) as response:  # noqa: S310
            cookie = response.headers.get("Set-Cookie")
            if cookie:
                self._headers["Cookie"] = cookie.partition(";")[0]
            return json.loads(response.read() or b"null")


def _start(data_dir: str, workers: int) -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "judge", "serve", "--port", "0", "--workers", str(workers)]
    environment = {**os.environ, "JUDGE_DATA_DIR": data_dir, "PYTHONPATH": str(_ROOT)}
    process = subprocess.Popen(  # noqa: S603
        command, env=environment, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None  # noqa: S101
    for line in process.stdout:
        found = re.search(r"http://\S+", line)
        if found:
            return process, found.group()
    raise SystemExit("the server did not start")


def _source(problem: str, language: str, name: str) -> str:
    folder = _ROOT / "problems" / problem
    suffix = LANGUAGES[language].suffixes[0]
    paths = sorted((folder / "submissions" / "accepted").glob(f"{name}{suffix}"))
    return paths[0].read_text()


def _report(what: str, times_ms: list[float]) -> None:
    median, fastest, slowest = statistics.median(times_ms), min(times_ms), max(times_ms)
    print(f"{what}: median {median:.0f} ms, fastest {fastest:.0f} ms, slowest {slowest:.0f} ms")


def main() -> None:
    """Print the medians and the spread."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--problem", default="sample_token")
    parser.add_argument("--language", choices=tuple(LANGUAGES), default="python")
    parser.add_argument("--name", default="*", help="of the file below submissions/accepted")
    parser.add_argument("--cases", type=int, default=0, help="with so many test cases only")
    options = parser.parse_args()
    source = _source(options.problem, options.language, options.name)
    comment = "#" if options.language == "python" else "//"
    times: dict[str, list[float]] = {"first": [], "again": []}
    with tempfile.TemporaryDirectory() as data_dir, tempfile.TemporaryDirectory() as folder:
        if options.cases:
            publish_shortened(options.problem, options.cases, Path(folder), data_dir)
        process, url = _start(data_dir, options.workers)
        try:
            client = Client(url)
            account = {"handle": "bench", "password": "correct horse battery"}
            client.call("POST", "/auth/register", account)
            path = f"/problems/{options.problem}/submissions?wait=25"
            for run in range(options.runs + 1):
                body = {"language": options.language, "source": f"{source}\n{comment} {run}\n"}
                for measured in times.values():
                    start = time.perf_counter()
                    judged = client.call("POST", path, body)
                    measured.append((time.perf_counter() - start) * 1000)
                    if judged["verdict"] != "accepted":
                        raise SystemExit(f"not accepted: {judged}")
        finally:
            process.terminate()
            process.wait()
    cases = judged["tests"]["total"]
    print(f"{options.problem}, {options.language}: {cases} test cases, {options.runs} each")
    for what, measured in times.items():
        _report(what, measured[1:])  # the first round loads the package


if __name__ == "__main__":
    main()
