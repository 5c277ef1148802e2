"""Jobs whose worker was lost: back into the queue, or parked at the third loss.

A loss is a crash or an expired lease; a drain is none. A job that was lost three times is parked:
it has probably brought its workers down itself. Parking and writing the internal_error of the
submission are two steps, because the queue knows nothing of judgements: ``unsettled`` lists the
parked jobs that nobody has recorded yet, and ``settle`` lets exactly one caller do it, inside the
caller's transaction (judge.actions.record.record_lost). A process that dies between the steps thus
leaves nothing behind that the next look does not find.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, case, select, update

from judge.db.engine import Database
from judge.db.tables import job
from judge.db.types import now

MAX_LOSSES = 3


@dataclass(frozen=True)
class LostJob:
    """One job that lost its worker; ``parked`` says that it will not be tried again."""

    job_id: str
    lane: str
    parked: bool


def release_worker(database: Database, worker_id: str) -> tuple[LostJob, ...]:
    """Take every job from a worker that is known to be dead; each counts one loss."""
    with database.write() as connection:
        return _count_loss(connection, job.c.claimed_by == worker_id)


def lose(database: Database, job_id: str, attempt: int) -> tuple[LostJob, ...]:
    """Count one loss of a claim whose worker lives but could not bring it to an end."""
    with database.write() as connection:
        return _count_loss(connection, (job.c.id == job_id) & (job.c.attempt == attempt))


def expire(connection: Connection, lanes: Sequence[str], moment: datetime) -> tuple[LostJob, ...]:
    """Take the jobs of these lanes whose lease ended before ``moment``; each counts one loss."""
    return _count_loss(connection, job.c.lane.in_(lanes) & (job.c.lease_until < moment))


def unsettled(database: Database, lanes: Sequence[str]) -> tuple[str, ...]:
    """Ids of parked jobs of these lanes that nobody has recorded as lost yet."""
    query = select(job.c.id).where(
        job.c.lane.in_(lanes), job.c.state == "parked", job.c.finished_at.is_(None)
    )
    with database.read() as connection:
        return tuple(connection.scalars(query))


def settle(connection: Connection, job_id: str) -> bool:
    """Close a parked job in the caller's transaction; true for exactly one caller."""
    closed = connection.execute(
        update(job)
        .where(job.c.id == job_id, job.c.state == "parked", job.c.finished_at.is_(None))
        .values(finished_at=now())
    )
    return closed.rowcount == 1


def _count_loss(connection: Connection, which: ColumnElement[bool]) -> tuple[LostJob, ...]:
    is_last = job.c.losses + 1 >= MAX_LOSSES
    lost = connection.execute(
        update(job)
        .where(which, job.c.state == "claimed")
        .values(
            state=case((is_last, "parked"), else_="queued"),
            losses=job.c.losses + 1,
            claimed_by=None,
            lease_until=None,
        )
        .returning(job.c.id, job.c.lane, job.c.state)
    )
    return tuple(LostJob(row.id, row.lane, row.state == "parked") for row in lost)
