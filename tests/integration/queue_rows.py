"""Rows that the tests of the queue put into the database and read back."""

from datetime import timedelta

from sqlalchemy import insert, select, update

from judge.db.engine import Database
from judge.db.tables import account, job
from judge.db.types import new_id, now
from judge.queue import jobs


def add_account(database: Database, handle: str) -> str:
    account_id = new_id()
    with database.write() as connection:
        connection.execute(
            insert(account).values(
                id=account_id,
                handle=handle,
                handle_key=handle.lower(),
                display_name=handle,
                role="learner",
                locale="en",
                time_zone="UTC",
                prefs={},
                state="active",
                created_at=now(),
            )
        )
    return account_id


def add_job(
    database: Database,
    account_id: str | None = None,
    *,
    priority: int = jobs.SUBMIT,
    lane: str = "python",
) -> str:
    with database.write() as connection:
        return jobs.enqueue(
            connection,
            kind="submission",
            ref_id=new_id(),
            account_id=account_id,
            lane=lane,
            priority=priority,
        )


def job_row(database: Database, job_id: str) -> dict[str, object]:
    with database.read() as connection:
        return dict(connection.execute(select(job).where(job.c.id == job_id)).one()._mapping)


def age_leases(database: Database) -> None:
    """Let every lease have ended a second ago, as if time had passed."""
    with database.write() as connection:
        connection.execute(
            update(job)
            .where(job.c.lease_until.is_not(None))
            .values(lease_until=now() - timedelta(seconds=1))
        )
