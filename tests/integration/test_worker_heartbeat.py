"""The heartbeat keeps the claim and the worker's row alive, and ends a worker that hangs."""

from datetime import timedelta
from functools import partial

import pytest
from queue_rows import add_job, age_leases, job_row
from sqlalchemy import select, update

from judge.db.engine import Database
from judge.db.tables import worker
from judge.db.types import now
from judge.queue import jobs, workers
from judge.queue.workers import PASSED, SelfTest, WorkerInfo
from judge.worker.heartbeat import Heartbeat

INFO = WorkerInfo(
    id="w1",
    host="host",
    process_id=1,
    languages={"python": {"python": "3.11.0"}},
    tier="fake",
    layers=("none",),
    self_test=SelfTest(PASSED, {"python, honest": "accepted"}),
    missing={"cpp": "apt-get install g++"},
)


class Hangs(Exception):
    """Raised where a real worker would end its process."""


def heartbeat(database: Database, longest_pause_s: float = 3600.0) -> Heartbeat:
    def on_hang() -> None:
        raise Hangs

    keep_row = partial(workers.keep_row, database, INFO)
    return Heartbeat(
        database, keep_row, lease_s=60.0, longest_pause_s=longest_pause_s, on_hang=on_hang
    )


def worker_row(database: Database) -> dict[str, object] | None:
    with database.read() as connection:
        row = connection.execute(select(worker).where(worker.c.id == "w1")).one_or_none()
    return None if row is None else dict(row._mapping)


def test_registering_writes_what_the_worker_says_of_itself(database: Database) -> None:
    workers.register(database, INFO)
    workers.register(database, INFO)
    row = worker_row(database)
    assert row is not None
    assert (row["self_test"], row["self_test_report"]) == (
        "passed",
        {"python, honest": "accepted"},
    )
    assert row["languages"] == {"python": {"python": "3.11.0"}}
    assert row["missing"] == {"cpp": "apt-get install g++"}
    assert row["layers"] == ["none"]
    assert row["draining_at"] is None


def test_a_beat_extends_the_lease_of_the_job_at_hand(database: Database) -> None:
    workers.register(database, INFO)
    job_id = add_job(database)
    claim = jobs.claim(database, ("python",), "w1", 60.0)
    assert claim is not None
    beating = heartbeat(database)
    age_leases(database)
    with beating.holding(claim):
        assert beating.held == claim
        beating.beat()
    assert beating.held is None
    assert jobs.claim(database, ("python",), "w2", 60.0) is None
    assert job_row(database, job_id)["losses"] == 0


def test_a_beat_after_the_claim_was_lost_takes_nothing_back(database: Database) -> None:
    workers.register(database, INFO)
    add_job(database)
    mine = jobs.claim(database, ("python",), "w1", 60.0)
    age_leases(database)
    theirs = jobs.claim(database, ("python",), "w2", 60.0)
    assert mine is not None
    assert theirs is not None
    beating = heartbeat(database)
    with beating.holding(mine):
        beating.beat()
    with database.write() as connection:
        assert jobs.finish(connection, theirs)


def test_a_beat_moves_the_workers_own_heartbeat(database: Database) -> None:
    workers.register(database, INFO)
    long_ago = now() - timedelta(hours=1)
    with database.write() as connection:
        connection.execute(update(worker).values(heartbeat_at=long_ago))
    heartbeat(database).beat()
    row = worker_row(database)
    assert row is not None
    assert row["heartbeat_at"] > long_ago


def test_a_worker_whose_row_was_tidied_away_writes_it_again(database: Database) -> None:
    workers.register(database, INFO)
    workers.remove_silent(database, older_than_s=-60.0)
    assert worker_row(database) is None
    heartbeat(database).beat()
    assert worker_row(database) is not None


def test_workers_that_speak_are_not_tidied_away(database: Database) -> None:
    workers.register(database, INFO)
    workers.remove_silent(database, older_than_s=60.0)
    assert worker_row(database) is not None


def test_a_grading_without_progress_ends_the_worker(
    sqlite_database: Database,
) -> None:
    workers.register(sqlite_database, INFO)
    add_job(sqlite_database)
    claim = jobs.claim(sqlite_database, ("python",), "w1", 60.0)
    assert claim is not None
    beating = heartbeat(sqlite_database, longest_pause_s=-1.0)
    beating.beat()
    with beating.holding(claim), pytest.raises(Hangs):
        beating.beat()


def test_the_thread_beats_until_it_is_stopped(sqlite_database: Database) -> None:
    workers.register(sqlite_database, INFO)
    beating = Heartbeat(
        sqlite_database, lambda: None, lease_s=0.01, longest_pause_s=3600.0, on_hang=lambda: None
    )
    beating.start()
    beating.stop()


@pytest.mark.parametrize("ended", [True, False])
def test_a_job_that_ends_while_the_beat_waits_is_not_called_lost(
    sqlite_database: Database,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    ended: bool,
) -> None:
    workers.register(sqlite_database, INFO)
    add_job(sqlite_database)
    claim = jobs.claim(sqlite_database, ("python",), "w1", 60.0)
    assert claim is not None
    beating = heartbeat(sqlite_database)

    def extend(*_: object) -> bool:
        if ended:
            beating.held = None
        return False

    monkeypatch.setattr(jobs, "extend", extend)
    with beating.holding(claim):
        beating.beat()
    assert ("lost to another worker" in caplog.text) != ended
