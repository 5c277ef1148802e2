"""The order of changes of scores: who reads "what changed since" must lose none.

A row's ``updated_at`` is written before its transaction commits. If two writers overlapped, the one
with the earlier time could become visible later, after a reader has gone on to the later time. So
whoever writes such a time takes its turn first and keeps it until the transaction ends, and no time
is before or at one that is stored already, whatever the clocks of several machines say.

Take the turn before locking accounts; who took them the other way round could wait forever.
"""

from datetime import datetime, timedelta

from sqlalchemy import Connection, func, select, text

from judge.db.tables import best_score
from judge.db.types import now

# Any number that nothing else of the judge uses for a lock.
_POSTGRESQL_LOCK = 7_318_402_116
_TICK = timedelta(microseconds=1)


def take_score_turn(connection: Connection) -> None:
    """Wait for the others who change scores. SQLite has one writer at a time anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_POSTGRESQL_LOCK})"))


def next_score_moment(connection: Connection) -> datetime:
    """The time of a change; the caller has taken its turn."""
    latest: datetime | None = connection.scalar(select(func.max(best_score.c.updated_at)))
    moment = now()
    return moment if latest is None else max(moment, latest + _TICK)
