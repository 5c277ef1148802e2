"""Marking notices as read."""

from collections.abc import Collection

from sqlalchemy import update

from judge.db.engine import Database
from judge.db.queries.notices import count_unread
from judge.db.tables import notice
from judge.db.types import now


def read_notices(database: Database, account_id: str, notice_ids: Collection[str] | None) -> int:
    """Mark these of an account's notices as read, or all; how many are unread after that.

    What is read already keeps its time; ids of other accounts' notices change nothing.
    """
    with database.write() as connection:
        mine = (notice.c.account_id == account_id) & notice.c.read_at.is_(None)
        if notice_ids is not None:
            mine &= notice.c.id.in_(notice_ids)
        connection.execute(update(notice).where(mine).values(read_at=now()))
        return count_unread(connection, account_id)
