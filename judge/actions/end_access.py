"""Ending every way into an account at once: part of other actions' transactions."""

from sqlalchemy import Connection, delete, update

from judge.db.tables import api_token, one_time_link, session
from judge.db.types import now


def end_access(connection: Connection, account_id: str) -> None:
    """End the account's sessions, tokens and one-time links; its password stays as it is."""
    connection.execute(delete(session).where(session.c.account_id == account_id))
    connection.execute(
        update(api_token)
        .where(api_token.c.account_id == account_id, api_token.c.revoked_at.is_(None))
        .values(revoked_at=now())
    )
    connection.execute(
        update(one_time_link)
        .where(one_time_link.c.account_id == account_id, one_time_link.c.used_at.is_(None))
        .values(used_at=now())
    )
