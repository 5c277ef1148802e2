"""Exports of an account's own data: asking for one, and making the next one.

An export is a job of the lane ``export``; a process that dies while it makes one loses its claim,
and a third loss ends the export as failed. Its account reads it for EXPORT_DAYS; a newer one takes
its place.
"""

import logging
import math
from datetime import timedelta

from sqlalchemy import Connection, insert, select, update

from judge.actions.export_archive import build_archive
from judge.actions.idempotency import KeyClaim, keep_ref
from judge.db.engine import Database
from judge.db.queries.accounts import lock_account
from judge.db.queries.own_data import FAILED, QUEUED, READY, find_open_export, list_export_times
from judge.db.tables import data_export, job
from judge.db.types import new_id, now
from judge.errors import Conflict, TooMany
from judge.queue import jobs, losses
from judge.queue.jobs import Claim

KIND = "export"
LANE = "export"
EXPORT_DAYS = 7
MOST_A_DAY = 3
LEASE_S = 300
_DAY = timedelta(days=1)
_log = logging.getLogger(__name__)


def request_export(database: Database, account_id: str, claim: KeyClaim | None = None) -> str:
    """Ask for an export; its id. After this the caller rings ``lane:export``.

    ``claim`` is the Idempotency-Key that it is asked for with.

    Raises:
        Conflict: ``export-open``, with the id of the one that is still to be made.
        TooMany: ``too-many-exports``.
    """
    with database.write() as connection:
        lock_account(connection, account_id)
        is_open = find_open_export(connection, account_id)
        if is_open is not None:
            raise Conflict("export-open", export=is_open)
        moment = now()
        times = list_export_times(connection, account_id, moment - _DAY)
        if len(times) >= MOST_A_DAY:
            left = times[MOST_A_DAY - 1] + _DAY - moment
            seconds = max(1, math.ceil(left.total_seconds()))
            raise TooMany("too-many-exports", seconds=seconds, most=MOST_A_DAY)
        export_id = new_id()
        keep_ref(connection, claim, export_id)
        connection.execute(
            insert(data_export).values(
                id=export_id,
                account_id=account_id,
                state=QUEUED,
                created_at=moment,
                expires_at=moment + timedelta(days=EXPORT_DAYS),
            )
        )
        jobs.enqueue(
            connection, kind=KIND, ref_id=export_id, account_id=account_id, lane=LANE, priority=0
        )
    return export_id


def make_next_export(database: Database, maker_id: str) -> bool:
    """Make the export whose turn it is; false if there is none.

    One that cannot be made loses its claim like one whose maker died, and is tried again.
    """
    if not jobs.has_work(database, LANE):
        return False
    for job_id in losses.unsettled(database, (LANE,)):
        _record_lost(database, job_id)
    held = jobs.claim(database, (LANE,), maker_id, LEASE_S)
    if held is None:
        return False
    try:
        archive = build_archive(
            database,
            str(held.account_id),
            lambda: _keep(database, held),
        )
        if not _record(database, held, archive):
            _log.warning("export %s came after its claim was lost", held.ref_id)
    except Exception:
        losses.lose(database, held.job_id, held.attempt)
        raise
    return True


def _keep(database: Database, held: Claim) -> None:
    jobs.extend(database, held, LEASE_S)


def _record(database: Database, held: Claim, archive: bytes) -> bool:
    with database.write() as connection:
        if not jobs.finish(connection, held):
            return False
        moment = now()
        _end_earlier(connection, str(held.account_id), held.ref_id)
        connection.execute(
            update(data_export)
            .where(data_export.c.id == held.ref_id)
            .values(
                state=READY,
                archive=archive,
                expires_at=moment + timedelta(days=EXPORT_DAYS),
            )
        )
    return True


def _end_earlier(connection: Connection, account_id: str, newest_id: str) -> None:
    """The earlier ones are not kept beside a newer one; their rows still count for a day."""
    connection.execute(
        update(data_export)
        .where(data_export.c.account_id == account_id, data_export.c.id != newest_id)
        .values(archive=None, expires_at=now())
    )


def _record_lost(database: Database, job_id: str) -> None:
    with database.write() as connection:
        if not losses.settle(connection, job_id):
            return
        export_id = connection.scalar(select(job.c.ref_id).where(job.c.id == job_id))
        connection.execute(
            update(data_export).where(data_export.c.id == export_id).values(state=FAILED)
        )
