"""``judge serve`` as people start it: one command, a URL, a verdict from real sandboxes."""

import os
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from judge_data import JUDGE_DATA
from package_builder import REFERENCE
from worker_rows import PATIENCE_S, SLUG, Court

from judge.actions.accounts import NewAccount, create_account
from judge.db import migrate
from judge.db.engine import Database
from judge.db.queries.workers import list_live_workers
from judge.db.types import now
from judge.harness.languages import LANGUAGES

ROOT = Path(__file__).parents[2]
HOSTILE = "import os\n\n\ndef count_large(values, limit):\n    os._exit(0)\n"


class Served:
    """A running ``judge serve`` and what it has printed."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.data = folder / "data"
        self.url = ""
        self.lines: list[str] = []
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PYTHONUTF8": "1",
            "JUDGE_DATA_DIR": str(self.data),
            "JUDGE_DATABASE_URL": f"sqlite:///{self.data / 'judge.db'}",
        }
        self.process = subprocess.Popen(  # noqa: S603 - the test's own command
            [sys.executable, "-m", "judge", "serve", "--workers", "1", *options],
            stdout=subprocess.PIPE,
            cwd=folder,
            env=environment,
            text=True,
            start_new_session=True,
        )
        self._printed: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def wait_until_ready(self) -> None:
        while len(self.self_tests()) < len(LANGUAGES):
            self.lines.append(self._printed.get(timeout=PATIENCE_S))
        found = re.search(r"http://127\.0\.0\.1:\d+", "\n".join(self.lines))
        assert found, self.lines
        self.url = found.group()

    def self_tests(self) -> list[str]:
        """What was said of each language."""
        return [line for line in self.lines if line.startswith("self-test: ")]

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE_S)

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self._printed.put(line.rstrip("\n"))


@pytest.fixture(scope="module")
def court(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Court]:
    """A data folder in which a small problem is published already."""
    folder = tmp_path_factory.mktemp("serve")
    (folder / "data").mkdir()
    # Preparing toolchains anew would take longer than all that is asked here.
    (JUDGE_DATA / "cache").mkdir(parents=True, exist_ok=True)
    (folder / "data" / "cache").symlink_to(JUDGE_DATA / "cache")
    url = f"sqlite:///{folder / 'data' / 'judge.db'}"
    migrate.upgrade(url)
    with Database(url) as database:
        yield Court(database, folder / "data")


@pytest.fixture(scope="module")
def served(court: Court, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    url = court.database.url.database
    assert url is not None
    server = Served(Path(url).parents[1], "--port", "0")
    try:
        server.wait_until_ready()
        yield server
        assert server.stop() == 0
        with court.database.read() as connection:
            assert list_live_workers(connection, now()) == ()
    finally:
        server.process.kill()
        server.process.wait()


@pytest.fixture(scope="module")
def learner(served: Served, court: Court) -> Iterator[httpx2.Client]:
    """Somebody with an account, whatever tier this machine has."""
    create_account(court.database, NewAccount("ada", "correct horse battery"))
    with httpx2.Client(base_url=f"{served.url}/api/v1", timeout=PATIENCE_S) as client:
        answer = client.post(
            "/auth/login", json={"handle": "ada", "password": "correct horse battery"}
        )
        assert answer.status_code == 200, answer.text
        yield client


def submit(learner: httpx2.Client, source: str) -> dict[str, object]:
    answer = learner.post(
        f"/problems/{SLUG}/submissions",
        params={"wait": 30},
        json={"language": "python", "source": source},
    )
    assert answer.status_code == 201, answer.text
    judged: dict[str, object] = answer.json()
    return judged


def test_the_start_tells_the_url_and_that_the_judge_judges(served: Served) -> None:
    assert f"Decode Judge: {served.url}" in served.lines
    assert served.self_tests()[0] == "self-test: python ✓"
    assert any("accounts create" in line and "--role admin" in line for line in served.lines)


def test_the_start_prints_a_link_for_the_first_admin(served: Served) -> None:
    (line,) = (one for one in served.lines if "/setup?token=" in one)
    address, _, token = line.rpartition(" ")[2].partition("/setup?token=")
    assert address == served.url
    told = httpx2.post(f"{served.url}/api/v1/auth/links:check", json={"token": token})
    assert (told.status_code, told.json()["purpose"]) == (200, "first_admin")


def test_the_server_says_that_it_is_ready(served: Served) -> None:
    ready = httpx2.get(f"{served.url}/readyz")
    assert ready.status_code == 200
    answer = ready.json()
    assert answer["tiers"] == {answer["tier"]: 1}
    assert (answer["fix"] == "") is (answer["tier"] == "A")
    for language in LANGUAGES:
        assert (language in answer["languages"]) is not (language in answer["missing"])


def test_every_language_is_tested_or_its_remedy_is_told(served: Served) -> None:
    items = httpx2.get(f"{served.url}/api/v1/languages").json()["items"]
    assert sorted(served.self_tests()) == sorted(
        f"self-test: {one['id']} ✓"
        if one["available"]
        else f"self-test: {one['id']} missing; install it with: {one['fix']}"
        for one in items
    )


def test_the_start_tells_the_tier_its_layers_and_below_a_the_way_there(served: Served) -> None:
    ready = httpx2.get(f"{served.url}/readyz").json()
    said = [line for line in served.lines if line.startswith("sandbox: ")]
    lines = [f"sandbox: tier {ready['tier']}: {', '.join(ready['layers'])}"]
    if ready["fix"]:
        lines.append(f"sandbox: for tier A: {ready['fix']}")
    assert said == lines


def test_strangers_register_from_the_first_moment_on_if_the_tier_is_a(served: Served) -> None:
    stranger = {"handle": "eve", "password": "correct horse battery"}
    answer = httpx2.post(f"{served.url}/api/v1/auth/register", json=stranger)
    if "sandbox: tier A:" in "\n".join(served.lines):
        assert answer.status_code == 201, answer.text
    else:
        assert (answer.status_code, answer.json()["code"]) == (403, "registration-unsafe")
        assert any(line.startswith("registration: refused") for line in served.lines)


def test_a_judgement_of_a_real_sandbox_carries_tier_and_every_layer(
    served: Served, learner: httpx2.Client
) -> None:
    ready = httpx2.get(f"{served.url}/readyz").json()
    judgement = submit(learner, REFERENCE)["judgement"]
    assert isinstance(judgement, dict)
    toolchain = judgement["toolchain"]
    assert toolchain["tier"] == ready["tier"]
    assert toolchain["layers"].split(",") == ready["layers"] != []


def test_one_call_brings_the_verdict(learner: httpx2.Client) -> None:
    judged = submit(learner, REFERENCE)
    assert (judged["state"], judged["verdict"]) == ("judged", "accepted")
    assert (judged["score"], judged["max_score"]) == (100.0, 100.0)


def test_a_hostile_submission_is_its_authors_failure_and_the_next_one_is_judged(
    learner: httpx2.Client,
) -> None:
    assert submit(learner, HOSTILE)["verdict"] == "runtime_error"
    assert submit(learner, REFERENCE)["verdict"] == "accepted"


def test_a_killed_worker_is_replaced_and_judging_goes_on(
    served: Served, court: Court, learner: httpx2.Client
) -> None:
    with court.listening() as ear:
        (victim,) = _worker_processes(court)
        os.kill(victim, signal.SIGKILL)
        ear.wait_until(lambda: _worker_processes(court) not in ([victim], []))
    assert submit(learner, REFERENCE)["verdict"] == "accepted"


def test_a_port_in_use_is_one_clear_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = subprocess.run(  # noqa: S603 - the test's own command
            [sys.executable, "-m", "judge", "serve", "--port", str(port)],
            capture_output=True,
            check=False,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            text=True,
        )
    assert refused.returncode == 2
    assert refused.stdout == ""
    assert refused.stderr.splitlines() == [
        f"judge serve: port {port} of 127.0.0.1 is in use; choose another one with --port"
    ]
    assert not (tmp_path / ".data").exists()


def _worker_processes(court: Court) -> list[int]:
    with court.database.read() as connection:
        found = connection.exec_driver_sql("SELECT process_id FROM worker").scalars()
        return list(found)
