"""The job row: exclusive claims, the fencing token, losses, fairness."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from queue_rows import add_account, add_job, age_leases, job_row
from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError

from judge.db.engine import Database
from judge.db.tables import job
from judge.db.types import new_id
from judge.queue import jobs, losses
from judge.queue.jobs import Claim

LANES = ("python",)
LEASE_S = 60.0


def claim(database: Database, worker_id: str = "w1", lanes: tuple[str, ...] = LANES) -> Claim:
    claimed = jobs.claim(database, lanes, worker_id, LEASE_S)
    assert claimed is not None
    return claimed


def finish(database: Database, held: Claim) -> bool:
    with database.write() as connection:
        return jobs.finish(connection, held)


def test_a_claim_carries_what_was_enqueued(database: Database) -> None:
    account_id = add_account(database, "ada")
    job_id = add_job(database, account_id)
    claimed = claim(database)
    row = job_row(database, job_id)
    assert claimed == Claim(job_id, "submission", str(row["ref_id"]), account_id, "python", 1, "w1")
    assert (row["state"], row["claimed_by"], row["losses"]) == ("claimed", "w1", 0)


def test_an_empty_queue_gives_no_claim(database: Database) -> None:
    assert jobs.claim(database, LANES, "w1", LEASE_S) is None
    assert not jobs.has_work(database, "python")


def test_a_lane_sees_only_its_own_jobs(database: Database) -> None:
    add_job(database, lane="java")
    assert jobs.claim(database, LANES, "w1", LEASE_S) is None
    assert (jobs.has_work(database, "python"), jobs.has_work(database, "java")) == (False, True)
    assert claim(database, lanes=("python", "java")).lane == "java"


def test_an_open_job_cannot_be_enqueued_twice_and_a_finished_one_can(database: Database) -> None:
    ref_id = new_id()

    def enqueue() -> None:
        with database.write() as connection:
            jobs.enqueue(
                connection,
                kind="submission",
                ref_id=ref_id,
                account_id=None,
                lane="python",
                priority=jobs.SUBMIT,
            )

    enqueue()
    with pytest.raises(IntegrityError):
        enqueue()
    assert finish(database, claim(database))
    enqueue()


def test_a_job_that_is_not_committed_cannot_be_claimed(database: Database) -> None:
    def enqueue_and_fail() -> None:
        with database.write() as connection:
            jobs.enqueue(
                connection,
                kind="submission",
                ref_id=new_id(),
                account_id=None,
                lane="python",
                priority=jobs.SUBMIT,
            )
            raise KeyError("the rest of the action")

    with pytest.raises(KeyError, match="the rest of the action"):
        enqueue_and_fail()
    assert jobs.claim(database, LANES, "w1", LEASE_S) is None


def test_eight_threads_at_once_claim_every_job_exactly_once(database: Database) -> None:
    accounts = [add_account(database, f"learner{number}") for number in range(3)]
    added = {add_job(database, accounts[number % 3]) for number in range(40)}
    together = threading.Barrier(8)

    def take_all(worker_id: str) -> list[str]:
        together.wait()
        taken = []
        while (claimed := jobs.claim(database, LANES, worker_id, LEASE_S)) is not None:
            taken.append(claimed.job_id)
        return taken

    with ThreadPoolExecutor(8) as pool:
        taken = [name for names in pool.map(take_all, map(str, range(8))) for name in names]
    assert len(taken) == 40
    assert set(taken) == added


def test_a_result_counts_once_however_often_it_is_finished(database: Database) -> None:
    add_job(database)
    held = claim(database)
    assert finish(database, held)
    assert not finish(database, held)
    assert not jobs.has_work(database, "python")


def test_a_worker_frozen_past_its_lease_is_fenced_out(database: Database) -> None:
    job_id = add_job(database)
    frozen = claim(database, "frozen")
    age_leases(database)
    awake = claim(database, "awake")
    assert (awake.job_id, awake.attempt) == (job_id, 2)
    assert not jobs.extend(database, frozen, LEASE_S)
    assert not finish(database, frozen)
    assert not jobs.give_back(database, frozen)
    assert losses.lose(database, frozen.job_id, frozen.attempt) == ()
    assert finish(database, awake)
    assert not finish(database, frozen)


def test_an_extended_lease_does_not_end(database: Database) -> None:
    add_job(database)
    held = claim(database)
    age_leases(database)
    assert jobs.extend(database, held, LEASE_S)
    assert jobs.claim(database, LANES, "w2", LEASE_S) is None
    assert finish(database, held)


def test_what_is_given_back_is_next_again_and_costs_no_loss(database: Database) -> None:
    first, _ = add_job(database), add_job(database)
    held = claim(database)
    assert held.job_id == first
    assert jobs.give_back(database, held)
    assert not finish(database, held)
    again = claim(database, "w2")
    assert (again.job_id, again.attempt) == (first, 2)
    assert job_row(database, first)["losses"] == 0


def test_an_expired_lease_is_work_for_others_and_counts_as_a_loss(database: Database) -> None:
    job_id = add_job(database)
    claim(database)
    assert not jobs.has_work(database, "python")
    age_leases(database)
    assert jobs.has_work(database, "python")
    assert claim(database, "w2").job_id == job_id
    assert job_row(database, job_id)["losses"] == 1


def test_the_jobs_of_a_dead_worker_are_queued_at_once(database: Database) -> None:
    for _ in range(3):
        add_job(database)
    dead = {claim(database, "dead").job_id, claim(database, "dead").job_id}
    alive = claim(database, "alive")
    released = losses.release_worker(database, "dead")
    assert {lost.job_id for lost in released} == dead
    assert all(not lost.parked and lost.lane == "python" for lost in released)
    assert finish(database, alive)
    assert {claim(database).job_id, claim(database).job_id} == dead


def test_the_third_loss_parks_the_job_until_somebody_settles_it_once(database: Database) -> None:
    job_id = add_job(database)
    for worker_id in ("one", "two"):
        claim(database, worker_id)
        assert [lost.parked for lost in losses.release_worker(database, worker_id)] == [False]
    claim(database, "three")
    age_leases(database)
    assert jobs.claim(database, LANES, "four", LEASE_S) is None
    assert job_row(database, job_id)["state"] == "parked"
    assert jobs.has_work(database, "python")
    assert losses.unsettled(database, LANES) == (job_id,)
    settled = []
    for _ in range(2):
        with database.write() as connection:
            settled.append(losses.settle(connection, job_id))
    assert settled == [True, False]
    assert losses.unsettled(database, LANES) == ()
    assert not jobs.has_work(database, "python")


def test_a_claim_that_could_not_be_ended_counts_as_a_loss(database: Database) -> None:
    job_id = add_job(database)
    for attempt in (1, 2, 3):
        assert len(losses.lose(database, claim(database).job_id, attempt)) == 1
    assert job_row(database, job_id)["state"] == "parked"


def test_a_higher_priority_goes_first_whoever_waits_longer(database: Database) -> None:
    account_id = add_account(database, "ada")
    expected = {}
    for priority in (jobs.REJUDGE, jobs.VERIFY, jobs.SUBMIT, jobs.RUN):
        expected[priority] = add_job(database, account_id, priority=priority)
    order = [claim(database).job_id for _ in range(4)]
    assert order == [expected[p] for p in (jobs.RUN, jobs.SUBMIT, jobs.VERIFY, jobs.REJUDGE)]


def test_one_account_with_many_jobs_does_not_hold_up_the_others(database: Database) -> None:
    busy, calm = add_account(database, "busy"), add_account(database, "calm")
    many = [add_job(database, busy) for _ in range(3)]
    single = add_job(database, calm)
    assert [claim(database).job_id for _ in range(4)] == [many[0], single, many[1], many[2]]


def test_who_was_served_longest_ago_is_next_among_equals(database: Database) -> None:
    ada, ben = add_account(database, "ada"), add_account(database, "ben")
    first = {account_id: add_job(database, account_id) for account_id in (ada, ben)}
    second = {account_id: add_job(database, account_id) for account_id in (ada, ben)}
    served = []
    for _ in range(4):
        held = claim(database)
        served.append(held.job_id)
        assert finish(database, held)
    assert served == [first[ada], first[ben], second[ada], second[ben]]


def test_an_account_that_was_never_served_goes_before_one_that_was(database: Database) -> None:
    old, new = add_account(database, "old"), add_account(database, "new")
    add_job(database, old)
    assert finish(database, claim(database))
    waiting, fresh = add_job(database, old), add_job(database, new)
    assert [claim(database).job_id, claim(database).job_id] == [fresh, waiting]


def test_a_job_for_later_waits(database: Database) -> None:
    job_id = add_job(database)
    with database.write() as connection:
        later = connection.scalar(select(job.c.run_after)).replace(year=2999)
        connection.execute(update(job).values(run_after=later))
    assert not jobs.has_work(database, "python")
    assert jobs.claim(database, LANES, "w1", LEASE_S) is None
    assert job_row(database, job_id)["attempt"] == 0
