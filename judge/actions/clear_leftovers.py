"""Deleting what requests leave behind once its time is over, in small portions."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Table, delete, select, tuple_

from judge.db.engine import Database
from judge.db.tables import data_export, idempotency_record, one_time_link, run, session
from judge.db.types import now

PORTION = 500
MOST_PORTIONS = 20
# A link that is dead still says so for a while, instead of being unknown.
KEEP_LINKS = timedelta(days=30)
# An export counts towards those of its day.
KEEP_EXPORTS = timedelta(days=1)


def _dead_links(moment: datetime) -> ColumnElement[bool]:
    before = moment - KEEP_LINKS
    return (one_time_link.c.used_at < before) | (one_time_link.c.expires_at < before)


def _old_exports(moment: datetime) -> ColumnElement[bool]:
    is_over = data_export.c.expires_at < moment
    return is_over & (data_export.c.created_at < moment - KEEP_EXPORTS)


# What is cleared, and which of its rows at a moment.
LEFTOVERS: Mapping[str, tuple[Table, Callable[[datetime], ColumnElement[bool]]]] = {
    "runs": (run, lambda moment: run.c.expires_at < moment),
    "answers": (idempotency_record, lambda moment: idempotency_record.c.expires_at < moment),
    "sessions": (session, lambda moment: session.c.expires_at < moment),
    "links": (one_time_link, _dead_links),
    "exports": (data_export, _old_exports),
}


def clear(database: Database, what: str) -> int:
    """Delete what is over of one of LEFTOVERS, a transaction a portion; how many rows."""
    table, which = LEFTOVERS[what]
    key = tuple(table.primary_key.columns)
    columns = key[0] if len(key) == 1 else tuple_(*key)
    total = 0
    for _ in range(MOST_PORTIONS):
        # Rows that somebody else holds are left to them.
        some = select(*key).where(which(now())).limit(PORTION).with_for_update(skip_locked=True)
        with database.write() as connection:
            deleted = connection.execute(delete(table).where(columns.in_(some))).rowcount
        total += deleted
        if deleted < PORTION:
            break
    return total
