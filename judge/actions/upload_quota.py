"""How many packages an account may upload, or have verified again, in an hour.

Owns the count. Every attempt counts, also one that is refused or only tried: reading an archive and
proving one is what costs. Each is a row of the audit log, so all processes of the server count
together, and the account's row is locked while one counts, so two at once cannot both be the last
one.
"""

import math
from datetime import timedelta

from sqlalchemy import select

from judge.actions.audit import add_audit
from judge.db.engine import Database
from judge.db.queries.accounts import lock_account
from judge.db.tables import audit_log
from judge.db.types import now
from judge.domain.access import Caller
from judge.errors import TooMany

ACTION = "package.upload"
WINDOW = timedelta(hours=1)


def count_upload(database: Database, caller: Caller, most: int) -> None:
    """Count one upload of an account that has begun fewer than ``most`` in the last hour.

    Raises:
        TooMany: ``too-many-uploads``, with the seconds until the oldest one no longer counts;
            nothing is counted then.
    """
    with database.write() as connection:
        lock_account(connection, caller.account_id)
        moment = now()
        begun = connection.scalars(
            select(audit_log.c.at)
            .where(
                audit_log.c.at > moment - WINDOW,
                audit_log.c.action == ACTION,
                audit_log.c.actor_id == caller.account_id,
            )
            .order_by(audit_log.c.at.desc())
            .limit(most)
        ).all()
        if len(begun) >= most:
            left = begun[-1] + WINDOW - moment
            seconds = max(1, math.ceil(left.total_seconds()))
            raise TooMany("too-many-uploads", seconds=seconds, most=most)
        add_audit(connection, caller, ACTION, f"account:{caller.account_id}", {}, {})
