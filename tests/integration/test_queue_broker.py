"""The broker keeps no messages: the bell wakes it, the poll is its net, the row is the truth."""

import queue
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import dramatiq
import pytest
from queue_rows import add_job, job_row

from judge.db.engine import Database
from judge.queue import jobs
from judge.queue.broker import SqlBroker, declare_lane
from judge.queue.wakeup import Bell

NEVER_S = 3600.0
# How long a test waits for what must happen; reached only by a test that fails.
PATIENCE_S = 30.0


@pytest.fixture
def bell(tmp_path: Path) -> Bell:
    return Bell(tmp_path / "bell")


class Ledger:
    """Claims and finishes the lane's next job and notes its id, as a judge worker would."""

    def __init__(self, database: Database) -> None:
        self.finished: queue.Queue[str] = queue.Queue()
        self.database = database

    def judge_next(self) -> None:
        claimed = jobs.claim(self.database, ("python",), "w1", 60.0)
        if claimed is None:
            return
        with self.database.write() as connection:
            assert jobs.finish(connection, claimed)
        self.finished.put(claimed.job_id)


@contextmanager
def working(
    database: Database, bell: Bell, judge_next: Callable[[], None], poll_s: float = NEVER_S
) -> Iterator[None]:
    """One Dramatiq worker with one thread on the lane python."""
    broker = SqlBroker(database, bell, poll_s)
    declare_lane(broker, "python", judge_next)
    worker = dramatiq.Worker(broker, worker_timeout=50, worker_threads=1)
    worker.start()
    try:
        yield
    finally:
        worker.stop()


def test_what_waits_at_the_start_is_found_without_a_ring(database: Database, bell: Bell) -> None:
    expected = [add_job(database) for _ in range(3)]
    ledger = Ledger(database)
    with working(database, bell, ledger.judge_next):
        assert [ledger.finished.get(timeout=PATIENCE_S) for _ in range(3)] == expected


def test_the_bell_delivers_without_a_poll(database: Database, bell: Bell) -> None:
    ledger = Ledger(database)
    with working(database, bell, ledger.judge_next):
        for _ in range(5):
            job_id = add_job(database)
            bell.ring("lane:python")
            assert ledger.finished.get(timeout=PATIENCE_S) == job_id


def test_a_deaf_bell_loses_nothing(database: Database, bell: Bell) -> None:
    ledger = Ledger(database)
    with working(database, bell, ledger.judge_next, poll_s=0.05):
        expected = [add_job(database) for _ in range(5)]
        assert [ledger.finished.get(timeout=PATIENCE_S) for _ in range(5)] == expected


def test_rings_for_others_are_no_reason_to_look(sqlite_url: str, bell: Bell) -> None:
    with CountingDatabase(sqlite_url) as database:
        consumer = lane_consumer(database, bell)
        for _ in range(5):
            bell.ring("lane:java")
            bell.ring("submission:1")
            assert next(consumer) is None
        assert database.reads == 1
        consumer.close()


def test_an_idle_lane_makes_no_query_before_the_next_poll(sqlite_url: str, bell: Bell) -> None:
    with CountingDatabase(sqlite_url) as database:
        consumer = lane_consumer(database, bell)
        assert [next(consumer) for _ in range(20)] == [None] * 20
        assert (database.reads, database.writes) == (1, 0)
        bell.ring("lane:python")
        assert next(consumer) is None
        assert database.reads == 2
        consumer.close()


def test_a_second_message_waits_until_the_first_is_done(
    sqlite_database: Database, bell: Bell
) -> None:
    add_job(sqlite_database)
    add_job(sqlite_database)
    consumer = lane_consumer(sqlite_database, bell)
    first = next(consumer)
    assert first is not None
    bell.ring("lane:python")
    assert next(consumer) is None
    consumer.ack(first)
    assert next(consumer) is not None
    consumer.close()


def test_a_job_committed_while_another_is_judged_is_found_without_a_ring(
    sqlite_database: Database, bell: Bell
) -> None:
    add_job(sqlite_database)
    consumer = lane_consumer(sqlite_database, bell)
    first = next(consumer)
    assert first is not None
    claimed = jobs.claim(sqlite_database, ("python",), "w1", 60.0)
    assert claimed is not None
    add_job(sqlite_database)
    consumer.ack(first)
    assert next(consumer) is not None
    consumer.close()


def test_an_actor_that_breaks_is_tried_again_at_the_next_poll(
    sqlite_database: Database, bell: Bell
) -> None:
    job_id = add_job(sqlite_database)
    ledger = Ledger(sqlite_database)
    failures = iter([OSError("the database is away"), OSError("still away")])

    def breaks_twice() -> None:
        for failure in failures:
            raise failure
        ledger.judge_next()

    with working(sqlite_database, bell, breaks_twice, poll_s=0.05):
        assert ledger.finished.get(timeout=PATIENCE_S) == job_id
    assert job_row(sqlite_database, job_id)["losses"] == 0


def test_a_lane_that_was_never_declared_cannot_be_consumed(
    sqlite_database: Database, bell: Bell
) -> None:
    with pytest.raises(dramatiq.ActorNotFound):
        SqlBroker(sqlite_database, bell).consume("python")


class CountingDatabase(Database):
    """Counts transactions."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.reads = 0
        self.writes = 0

    def read(self):
        self.reads += 1
        return super().read()

    def write(self):
        self.writes += 1
        return super().write()


def lane_consumer(database: Database, bell: Bell) -> dramatiq.Consumer:
    broker = SqlBroker(database, bell, NEVER_S)
    declare_lane(broker, "python", lambda: None)
    return broker.consume("python", timeout=1)
