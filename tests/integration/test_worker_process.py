"""Real worker processes that are killed, frozen, stopped and left alone in mid-judging."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from queue_rows import age_leases
from sqlalchemy import select
from worker_rows import PATIENCE_S, Court

from judge.db.engine import Database
from judge.db.tables import worker
from judge.db.types import new_id
from judge.worker.supervise import Supervisor

SCRIPT = Path(__file__).with_name("worker_process.py")
ROOT = Path(__file__).parents[2]
GATED = "def accepted(): ...  # gate"
GATED_ONCE = "def accepted(): ...  # gate once"


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Worker processes import the judge from this checkout."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


@pytest.fixture
def court(sqlite_database: Database, tmp_path: Path) -> Court:
    return armed_court(sqlite_database, tmp_path)


def armed_court(database: Database, folder: Path) -> Court:
    """A court whose gates (worker_process.py) are closed."""
    (folder / "armed").touch()
    return Court(database, folder)


def command(court: Court, folder: Path, worker_id: str, drain_s: float = 60.0) -> list[str]:
    url = court.database.url.render_as_string(hide_password=False)
    return [sys.executable, str(SCRIPT), url, str(folder / "bell"), worker_id, str(drain_s)]


@contextmanager
def supervised(court: Court, folder: Path, count: int = 1) -> Iterator[Supervisor]:
    supervisor = Supervisor(
        court.database, court.bell, count, lambda worker_id: command(court, folder, worker_id)
    )
    supervisor.start()
    try:
        yield supervisor
    finally:
        supervisor.stop(timeout_s=PATIENCE_S)


@contextmanager
def alone(
    court: Court, folder: Path, worker_id: str, drain_s: float = 60.0
) -> Iterator[subprocess.Popen[bytes]]:
    """A worker process without a supervisor; its id is ``worker_id``."""
    arguments = command(court, folder, worker_id, drain_s)
    child = subprocess.Popen(arguments, stdin=subprocess.PIPE)  # noqa: S603 - the test's own
    try:
        yield child
    finally:
        child.kill()
        child.communicate()


def worker_ids(court: Court) -> set[str]:
    with court.database.read() as connection:
        return set(connection.scalars(select(worker.c.id)))


def submit_and_ring(court: Court, source: str):
    submitted = court.submit(source)
    court.bell.ring("lane:python")
    return submitted


def is_judged(court: Court, submitted) -> bool:
    return court.judgement(submitted)["state"] == "judged"


def assert_counted_once(court: Court, submitted) -> None:
    assert court.judgement(submitted)["verdict"] == "accepted"
    assert court.job(submitted)["state"] == "done"
    assert len(court.results(submitted)) == 4
    assert court.events(submitted).count("judged") == 1
    assert [(best["score_num"], best["submissions"]) for best in court.best_scores()] == [(100, 1)]


def test_the_bell_brings_a_submission_to_a_waiting_worker(court: Court, tmp_path: Path) -> None:
    with court.listening() as ear, supervised(court, tmp_path):
        ear.wait_for_message("worker:")
        submitted = submit_and_ring(court, "def accepted(): ...")
        ear.wait_until(lambda: is_judged(court, submitted))
    assert_counted_once(court, submitted)


def test_a_worker_killed_in_mid_judging_costs_nobody_anything(
    database: Database, tmp_path: Path
) -> None:
    court = armed_court(database, tmp_path)
    with court.listening() as ear, supervised(court, tmp_path) as supervisor:
        submitted = submit_and_ring(court, GATED_ONCE)
        first = ear.wait_for_message("gate:started:").rpartition(":")[2]
        os.kill(supervisor.process_id(first), signal.SIGKILL)
        ear.wait_until(lambda: is_judged(court, submitted))
        assert worker_ids(court).isdisjoint({first})
    assert_counted_once(court, submitted)
    assert court.job(submitted)["losses"] == 1


def test_a_second_worker_takes_over_at_once_where_one_waits(court: Court, tmp_path: Path) -> None:
    with court.listening() as ear, supervised(court, tmp_path, count=2) as supervisor:
        ear.wait_until(lambda: len(worker_ids(court)) == 2)
        first, second = supervisor.worker_ids()
        submitted = submit_and_ring(court, GATED)
        holder = ear.wait_for_message("gate:started:").rpartition(":")[2]
        os.kill(supervisor.process_id(holder), signal.SIGKILL)
        heir = ear.wait_for_message("gate:started:").rpartition(":")[2]
        assert {holder, heir} == {first, second}
        court.bell.ring("gate:go")
        ear.wait_until(lambda: is_judged(court, submitted))
    assert_counted_once(court, submitted)


def test_a_worker_frozen_past_its_lease_records_nothing(court: Court, tmp_path: Path) -> None:
    frozen_id, awake_id = new_id(), new_id()
    with court.listening() as ear, alone(court, tmp_path, frozen_id) as frozen:
        submitted = submit_and_ring(court, GATED_ONCE)
        assert ear.wait_for_message("gate:started:").endswith(frozen_id)
        frozen.send_signal(signal.SIGSTOP)
        age_leases(court.database)
        with alone(court, tmp_path, awake_id):
            ear.wait_until(lambda: is_judged(court, submitted))
            assert_counted_once(court, submitted)
            court.bell.ring("gate:go")
            frozen.send_signal(signal.SIGCONT)
            frozen.terminate()
            assert frozen.wait(PATIENCE_S) == 0
    assert_counted_once(court, submitted)
    assert court.job(submitted)["attempt"] == 2


def test_a_worker_that_is_told_to_stop_ends_the_job_at_hand(court: Court, tmp_path: Path) -> None:
    worker_id = new_id()
    with court.listening() as ear, alone(court, tmp_path, worker_id) as child:
        submitted = submit_and_ring(court, GATED)
        ear.wait_for_message("gate:started:")
        waiting = submit_and_ring(court, "def accepted(): ...")
        child.terminate()
        ear.wait_until(lambda: _drains(court, worker_id))
        court.bell.ring("gate:go")
        assert child.wait(PATIENCE_S) == 0
    assert court.judgement(submitted)["verdict"] == "accepted"
    assert court.judgement(waiting)["state"] == "queued"
    assert worker_ids(court) == set()


def test_a_job_that_does_not_end_in_time_is_given_back_without_a_loss(
    court: Court, tmp_path: Path
) -> None:
    with court.listening() as ear, alone(court, tmp_path, new_id(), drain_s=0.0) as child:
        submitted = submit_and_ring(court, GATED)
        ear.wait_for_message("gate:started:")
        child.terminate()
        assert child.wait(PATIENCE_S) == 0
    job = court.job(submitted)
    assert (job["state"], job["losses"], job["claimed_by"]) == ("queued", 0, None)
    assert court.judgement(submitted)["state"] == "queued"


def test_a_worker_whose_supervisor_is_gone_leaves(court: Court, tmp_path: Path) -> None:
    with court.listening() as ear, alone(court, tmp_path, new_id()) as child:
        ear.wait_for_message("worker:")
        assert child.stdin is not None
        child.stdin.close()
        assert child.wait(PATIENCE_S) == 0
        child.stdin = None
    assert worker_ids(court) == set()


def test_a_submission_that_brings_down_three_workers_is_our_fault_and_costs_nothing(
    court: Court, tmp_path: Path
) -> None:
    with court.listening() as ear, supervised(court, tmp_path):
        submitted = submit_and_ring(court, "crash")
        ear.wait_until(lambda: is_judged(court, submitted))
        assert court.judgement(submitted)["verdict"] == "internal_error"
        assert court.best_scores() == []
        honest = submit_and_ring(court, "def accepted(): ...")
        ear.wait_until(lambda: is_judged(court, honest))
    assert_counted_once(court, honest)


def test_a_stopped_supervisor_leaves_no_worker_behind(court: Court, tmp_path: Path) -> None:
    with court.listening() as ear:
        with supervised(court, tmp_path, count=2) as supervisor:
            ear.wait_until(lambda: len(worker_ids(court)) == 2)
        assert supervisor.worker_ids() == ()
    assert worker_ids(court) == set()


def _drains(court: Court, worker_id: str) -> bool:
    with court.database.read() as connection:
        drained = connection.scalar(select(worker.c.draining_at).where(worker.c.id == worker_id))
    return drained is not None


@pytest.mark.parametrize(
    "program", [[sys.executable, "-c", "raise SystemExit(3)"], ["/no/such/program"]]
)
def test_a_worker_that_cannot_start_is_tried_again_and_does_not_hold_up_the_end(
    court: Court, program: list[str]
) -> None:
    started: list[str] = []
    third = threading.Event()

    def command_of(worker_id: str) -> list[str]:
        started.append(worker_id)
        if len(started) == 3:
            third.set()
        return program

    supervisor = Supervisor(court.database, court.bell, 1, command_of)
    supervisor.start()
    assert third.wait(PATIENCE_S)
    supervisor.stop()
    assert len(set(started)) == len(started)
