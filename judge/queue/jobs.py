"""The job row: enqueue, claim, extend, finish, give back.

Owns the life of a row of the table ``job``. Never knows what a job means: ``kind`` and ``ref_id``
are read by whoever claims it.

How it works: a claim sets the state to claimed, ends the lease at a moment in the future and raises
``attempt``. That number is the fencing token: finishing happens in the transaction that writes the
result and only where the row still stands at claimed with the same attempt. A worker that was
frozen past its lease therefore writes nothing, however late it wakes up, and a result counts once
however many workers have computed it.

Which row is next: the highest priority; among its accounts the one with the fewest claimed jobs,
then the one that was served longest ago, then the oldest row. Two claims at once agree on the same
row; the second finds it taken and chooses again, now seeing the first one's claim.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    bindparam,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from judge.db.engine import Database
from judge.db.tables import job
from judge.db.types import new_id, now
from judge.queue.losses import expire

RUN = 30
SUBMIT = 20
VERIFY = 10
REJUDGE = 0

# The kind of jobs whose ref_id is a run.
RUN_KIND = "run"
# Kinds of jobs whose ref_id is a judgement.
SUBMISSION = "submission"
REJUDGE_ITEM = "rejudge_item"

# Each failed choice means that another worker got a job, so even many workers are through soon.
_MAX_CHOICES = 16


@dataclass(frozen=True)
class Claim:
    """One worker's hold of one job; ``attempt`` is the fencing token."""

    job_id: str
    kind: str
    ref_id: str
    account_id: str | None
    lane: str
    attempt: int
    worker_id: str


def enqueue(
    connection: Connection,
    *,
    kind: str,
    ref_id: str,
    account_id: str | None,
    lane: str,
    priority: int,
) -> str:
    """Add a job inside the caller's transaction and return its id.

    After the commit the caller rings ``lane:<lane>``.

    Raises:
        sqlalchemy.exc.IntegrityError: an open job of this kind and ref_id exists.
    """
    job_id, moment = new_id(), now()
    connection.execute(
        insert(job).values(
            id=job_id,
            kind=kind,
            ref_id=ref_id,
            account_id=account_id,
            lane=lane,
            priority=priority,
            state="queued",
            created_at=moment,
            run_after=moment,
            attempt=0,
            losses=0,
        )
    )
    return job_id


def has_work(database: Database, lane: str) -> bool:
    """Whether a claim on this lane would find or expire something now; writes nothing."""
    moment = now()
    expired = (job.c.state == "claimed") & (job.c.lease_until < moment)
    # One question a state: a single one over all would read every finished job of the lane.
    reasons = (_due(moment), expired, _unsettled())
    query = select(or_(*(exists().where(job.c.lane == lane, reason) for reason in reasons)))
    with database.read() as connection:
        return bool(connection.scalar(query))


def is_left_waiting(database: Database, lane: str, longest_s: float) -> bool:
    """Whether a job of this lane has waited for longer while nobody is at work there."""
    here = job.c.lane == lane
    waits = _due(now() - timedelta(seconds=longest_s))
    query = select(exists().where(here, waits), exists().where(here, job.c.state == "claimed"))
    with database.read() as connection:
        has_waited, is_at_work = connection.execute(query).one()
    return bool(has_waited and not is_at_work)


def claim(database: Database, lanes: Sequence[str], worker_id: str, lease_s: float) -> Claim | None:
    """Claim the next job of these lanes for ``lease_s`` seconds, or None if there is none.

    Expired leases are ended first and count as a loss, so their jobs may be what is claimed.
    """
    with database.write() as connection:
        expire(connection, lanes, now())
        for _ in range(_MAX_CHOICES):
            job_id = connection.scalar(_NEXT_IN_TURN, {"lanes": list(lanes), "moment": now()})
            if job_id is None:
                return None
            taken = _take(connection, job_id, worker_id, lease_s)
            if taken is not None:
                return taken
    return None


def extend(database: Database, held: Claim, lease_s: float) -> bool:
    """Move the end of the lease to ``lease_s`` seconds from now; false if the claim is lost."""
    moment = now()
    with database.write() as connection:
        moved = connection.execute(
            update(job)
            .where(_is_held(held))
            .values(lease_until=moment + timedelta(seconds=lease_s), heartbeat_at=moment)
        )
        return moved.rowcount == 1


def finish(connection: Connection, held: Claim) -> bool:
    """Mark the job done inside the caller's transaction.

    False if the claim is lost: then the caller must write nothing.
    """
    done = connection.execute(
        update(job)
        .where(_is_held(held))
        .values(state="done", claimed_by=None, lease_until=None, finished_at=now())
    )
    return done.rowcount == 1


def give_back(database: Database, held: Claim) -> bool:
    """Return a claimed job to the queue at its old age, without a loss; false if it is lost."""
    with database.write() as connection:
        returned = connection.execute(
            update(job)
            .where(_is_held(held))
            .values(state="queued", claimed_by=None, lease_until=None)
        )
        return returned.rowcount == 1


def is_held(connection: Connection, held: Claim) -> bool:
    """Whether the claim still stands, locking its row for the rest of the transaction."""
    query = select(job.c.id).where(_is_held(held)).with_for_update()
    return connection.scalar(query) is not None


def _is_held(held: Claim) -> ColumnElement[bool]:
    return (job.c.id == held.job_id) & (job.c.attempt == held.attempt) & (job.c.state == "claimed")


def _due(moment: datetime | ColumnElement[datetime]) -> ColumnElement[bool]:
    return (job.c.state == "queued") & (job.c.run_after <= moment)


def _unsettled() -> ColumnElement[bool]:
    return (job.c.state == "parked") & job.c.finished_at.is_(None)


def _next_in_turn() -> Select[str]:
    """The query for the id of the fairest due job; see the module's text for the order.

    Its parameters are ``lanes`` and ``moment``. Building it takes longer than asking it, so it is
    built once.
    """
    due = job.c.lane.in_(bindparam("lanes", expanding=True)) & _due(bindparam("moment"))
    highest = select(func.max(job.c.priority)).where(due).scalar_subquery()
    place = func.row_number().over(
        partition_by=job.c.account_id, order_by=(job.c.created_at, job.c.id)
    )
    head = (
        select(job.c.id, job.c.account_id, job.c.created_at, place.label("place"))
        .where(due, job.c.priority == highest)
        .subquery("head")
    )
    other = job.alias("other")
    same_account = other.c.account_id == head.c.account_id
    claimed_now = (
        select(func.count()).where(same_account, other.c.state == "claimed").scalar_subquery()
    )
    served_last = select(func.max(other.c.claimed_at)).where(same_account).scalar_subquery()
    return (
        select(head.c.id)
        .where(head.c.place == 1)
        .order_by(claimed_now, served_last.nulls_first(), head.c.created_at, head.c.id)
        .limit(1)
    )


_NEXT_IN_TURN = _next_in_turn()


def _take(connection: Connection, job_id: str, worker_id: str, lease_s: float) -> Claim | None:
    moment = now()
    taken = connection.execute(
        update(job)
        .where(job.c.id == job_id, job.c.state == "queued")
        .values(
            state="claimed",
            attempt=job.c.attempt + 1,
            claimed_by=worker_id,
            claimed_at=moment,
            heartbeat_at=moment,
            lease_until=moment + timedelta(seconds=lease_s),
        )
        .returning(job.c.kind, job.c.ref_id, job.c.account_id, job.c.lane, job.c.attempt)
    ).one_or_none()
    if taken is None:
        return None
    return Claim(
        job_id, taken.kind, taken.ref_id, taken.account_id, taken.lane, taken.attempt, worker_id
    )
