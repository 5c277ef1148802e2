"""Fairness: one account's flood delays another's submission by one submission per worker at most.

Workers are threads around a fake grader, which writes down what it is given; a gate in it holds
them all in the middle of a submission, so that what comes next is decided by the queue alone.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from queue_rows import add_account
from worker_fakes import FakeGrader, grade_by_source
from worker_rows import PATIENCE_S, SLUG, Court

from judge.actions.submit import NewSubmission, submit
from judge.db.engine import Database
from judge.domain.access import Caller, Role
from judge.domain.problem import Problem
from judge.domain.submission import Judgement
from judge.queue.workers import PASSED, SelfTest, WorkerInfo
from judge.worker.graders import Graders, OnStage
from judge.worker.heartbeat import Heartbeat
from judge.worker.judge_job import JobJudge
from judge.worker.revisions import Revisions

FLOOD = 50


class Workshop:
    """Workers over one database; ``started`` is the order in which accounts were served."""

    def __init__(self, database: Database, folder: Path, workers: int) -> None:
        self.court = Court(database, folder)
        self.started: list[str] = []
        self._workers = workers
        self._lock = threading.Lock()
        self._all_busy = threading.Semaphore(0)
        self._gate = threading.Event()
        self._callers: dict[str, Caller] = {}

    def submit(self, handle: str, times: int = 1) -> None:
        database = self.court.database
        if handle not in self._callers:
            account_id = add_account(database, handle)
            self._callers[handle] = Caller(account_id, handle, Role.LEARNER)
        for number in range(times):
            source = f"def accepted(): ...  # {handle} {number}"
            submit(database, self._callers[handle], NewSubmission(SLUG, "python", source))

    @contextmanager
    def all_busy(self) -> Iterator[None]:
        """Every worker is in the middle of a submission; afterwards they judge all that waits."""
        threads = [
            threading.Thread(target=self._work, args=(f"w{n}",)) for n in range(self._workers)
        ]
        for thread in threads:
            thread.start()
        try:
            for _ in threads:
                assert self._all_busy.acquire(timeout=PATIENCE_S)
            yield
        finally:
            self._gate.set()
            for thread in threads:
                thread.join(PATIENCE_S)

    def _work(self, worker_id: str) -> None:
        """One worker process: submission after submission until nothing waits."""
        court = self.court
        info = WorkerInfo(worker_id, "host", 1, {}, "fake", (), SelfTest(PASSED, {}))
        beat = Heartbeat(
            court.database,
            lambda: None,
            lease_s=600.0,
            longest_pause_s=3600.0,
            on_hang=lambda: None,
        )
        graders = Graders(FakeGrader(self._grade).make)
        judge = JobJudge(court.database, court.bell, graders, Revisions(court.database), beat, info)
        for _ in range(FLOOD + 10):
            judge.judge_next("python")

    def _grade(
        self, problem: Problem, source: bytes, language: str, on_stage: OnStage
    ) -> Judgement:
        with self._lock:
            self.started.append(source.decode().split("# ")[1].split()[0])
        if not self._gate.is_set():
            self._all_busy.release()
            assert self._gate.wait(PATIENCE_S)
        return grade_by_source(problem, source, language, on_stage)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_flood_delays_another_account_by_one_submission_a_worker(
    database: Database, tmp_path: Path, workers: int
) -> None:
    workshop = Workshop(database, tmp_path, workers)
    workshop.submit("flooder", FLOOD)
    with workshop.all_busy():
        assert workshop.started == ["flooder"] * workers
        workshop.submit("other")
    assert workshop.started.count("other") == 1
    assert len(workshop.started) == FLOOD + 1
    # What was begun before it came is all that it waited for.
    assert workshop.started.index("other") <= 2 * workers - 1


@pytest.mark.parametrize("workers", [1, 2])
def test_so_it_is_for_every_one_of_several_accounts(
    database: Database, tmp_path: Path, workers: int
) -> None:
    workshop = Workshop(database, tmp_path, workers)
    workshop.submit("flooder", FLOOD)
    others = ["ada", "ben", "cyd"]
    with workshop.all_busy():
        for handle in others:
            workshop.submit(handle)
    last = max(workshop.started.index(handle) for handle in others)
    before = workshop.started[workers:last]
    assert before.count("flooder") <= workers
    assert len(workshop.started) == FLOOD + len(others)


def test_two_floods_take_turns(database: Database, tmp_path: Path) -> None:
    workshop = Workshop(database, tmp_path, workers=1)
    workshop.submit("first", 10)
    with workshop.all_busy():
        workshop.submit("second", 6)
    assert workshop.started == ["first", *["second", "first"] * 6, *["first"] * 3]


def test_many_accounts_of_one_submission_each_are_served_in_their_order(
    database: Database, tmp_path: Path
) -> None:
    workshop = Workshop(database, tmp_path, workers=1)
    workshop.submit("flooder", 3)
    handles = [f"learner{number}" for number in range(6)]
    with workshop.all_busy():
        for handle in handles:
            workshop.submit(handle)
    assert workshop.started == ["flooder", *handles, "flooder", "flooder"]
