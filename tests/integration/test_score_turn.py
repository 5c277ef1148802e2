"""Whoever asks what changed since loses nothing, however long a writer takes to commit."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from db_world import SLUG, hand_in, judgement, learner, publish_builder, take
from queue_rows import add_account
from sqlalchemy import select, update

from judge.actions.recompute import begin_score
from judge.actions.record import record
from judge.actions.score_check import find_differences
from judge.actions.score_turn import next_score_moment, take_score_turn
from judge.actions.submit import NewSubmission, submit
from judge.db.engine import Database
from judge.db.queries.judging import select_work
from judge.db.queries.problems import find_problem
from judge.db.queries.score_rows import ScoreFilter, list_score_rows
from judge.db.tables import best_score
from judge.db.types import now
from judge.domain.access import Caller, Role
from judge.queue.jobs import claim

ACCOUNTS, SUBMISSIONS, WORKERS = 50, 300, 4


@pytest.fixture
def problem_id(database: Database) -> str:
    publish_builder(database)
    with database.read() as connection:
        found = find_problem(connection, SLUG)
    assert found is not None
    return found.id


def test_a_later_change_waits_for_the_one_that_is_not_committed(
    database: Database, problem_id: str
) -> None:
    """Without turns the second one would be seen first, with the later time."""
    slow, fast = add_account(database, "slow"), add_account(database, "fast")
    has_written, may_commit = threading.Event(), threading.Event()

    def write_slowly() -> None:
        with database.write() as connection:
            begin_score(connection, slow, problem_id)
            has_written.set()
            may_commit.wait(10)

    def write() -> None:
        with database.write() as connection:
            begin_score(connection, fast, problem_id)

    first = threading.Thread(target=write_slowly)
    second = threading.Thread(target=write)
    first.start()
    assert has_written.wait(10)
    second.start()
    second.join(0.3)
    with database.read() as connection:
        assert list_score_rows(connection, ScoreFilter(), None, 10) == []
    may_commit.set()
    first.join()
    second.join()
    with database.read() as connection:
        rows = {row.handle: row for row in list_score_rows(connection, ScoreFilter(), None, 10)}
    assert rows["slow"].updated_at < rows["fast"].updated_at


def test_times_grow_though_a_clock_goes_back(database: Database, problem_id: str) -> None:
    ahead = now() + timedelta(hours=1)
    account_id = add_account(database, "ahead")
    with database.write() as connection:
        begin_score(connection, account_id, problem_id)
        connection.execute(update(best_score).values(updated_at=ahead))
    with database.write() as connection:
        take_score_turn(connection)
        assert next_score_moment(connection) == ahead + timedelta(microseconds=1)


def test_the_revision_of_the_score_stands_beside_it(database: Database, problem_id: str) -> None:
    ada = learner(database, "ada")
    submitted = hand_in(database, ada)
    with database.read() as connection:
        assert connection.scalar(select(best_score.c.revision_id)) is None
        revision_id = select_work(connection, submitted.judgement_id).revision_id
    assert record(database, take(database), judgement(50))
    with database.read() as connection:
        assert connection.scalar(select(best_score.c.revision_id)) == revision_id


class Rush:
    """Learners that submit, workers that judge, and a client that follows the changes."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.people = [
            Caller(add_account(database, f"a{number}"), f"a{number}", Role.LEARNER)
            for number in range(ACCOUNTS)
        ]
        self.seen: dict[str, tuple[object, ...]] = {}
        self.failures: list[BaseException] = []
        self._all_in, self._all_judged = threading.Event(), threading.Event()

    def run(self) -> None:
        """Everything at once, to its end."""
        hands = [
            self._thread(lambda part=part: self._hand_in(self.people[part::WORKERS]))
            for part in range(WORKERS)
        ]
        judges = [self._thread(self._judge) for _ in range(WORKERS)]
        follower = self._thread(self._follow)
        for thread in (*hands, *judges, follower):
            thread.start()
        for threads, event in ((hands, self._all_in), (judges, self._all_judged)):
            for thread in threads:
                thread.join()
            event.set()
        follower.join()

    def _thread(self, work: Callable[[], None]) -> threading.Thread:
        def guarded() -> None:
            try:
                work()
            except BaseException as failure:
                self.failures.append(failure)

        return threading.Thread(target=guarded)

    def _hand_in(self, mine: list[Caller]) -> None:
        for number in range(SUBMISSIONS // ACCOUNTS):
            for caller in mine:
                submit(self.database, caller, NewSubmission(SLUG, "python", f"x = {number}\n"))

    def _judge(self) -> None:
        while True:
            are_all_in = self._all_in.is_set()
            held = claim(self.database, ["python"], threading.current_thread().name, 60)
            if held is not None:
                # Some score, another one for most jobs.
                assert record(self.database, held, judgement(int(held.job_id, 16) % 101))
            elif are_all_in:
                return

    def _follow(self) -> None:
        since = None
        while True:
            is_last = self._all_judged.is_set()
            with self.database.read() as connection:
                wanted = ScoreFilter(changed_since=since)
                rows = list_score_rows(connection, wanted, None, SUBMISSIONS)
            for row in rows:
                self.seen[row.handle] = tuple(row)
            times = [row.updated_at for row in rows if row.updated_at is not None]
            since = max(times, default=since)
            if is_last:
                return


@pytest.mark.slow
def test_hundreds_of_submissions_of_fifty_accounts_at_once(
    database: Database, problem_id: str
) -> None:
    """Every best score is right, and a client that follows the changes has all of them."""
    rush = Rush(database)
    rush.run()
    assert rush.failures == []
    assert find_differences(database) == ()
    with database.read() as connection:
        rows = list_score_rows(connection, ScoreFilter(), None, SUBMISSIONS)
    assert sum(row.submissions for row in rows) == SUBMISSIONS
    assert {row.handle: tuple(row) for row in rows} == rush.seen
