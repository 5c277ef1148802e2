"""Which accounts are to be erased, and what is still left of those that were."""

from datetime import datetime

from sqlalchemy import Connection, select

from judge.db.tables import account, judgement, rejudge_item, submission
from judge.domain.access import Role

ERASED = "erased"


def list_due(connection: Connection, moment: datetime, limit: int) -> tuple[tuple[str, Role], ...]:
    """Accounts whose grace has ended, longest ago first, with their roles."""
    query = (
        select(account.c.id, account.c.role)
        .where(account.c.erase_after <= moment, account.c.state != ERASED)
        .order_by(account.c.erase_after, account.c.id)
        .limit(limit)
    )
    return tuple((row.id, Role(row.role)) for row in connection.execute(query))


def lock_due(connection: Connection, account_id: str, moment: datetime) -> bool:
    """Whether the account is still to be erased now; then nobody else changes it meanwhile."""
    query = (
        select(account.c.id)
        .where(
            account.c.id == account_id,
            account.c.erase_after <= moment,
            account.c.state != ERASED,
        )
        .with_for_update(skip_locked=True)
    )
    return connection.scalar(query) is not None


def has_other_admin(connection: Connection, account_id: str, *, staying: bool) -> bool:
    """Whether somebody else administers the judge; with ``staying`` somebody who does not leave.

    The admins' rows are locked, so that this stays true before the transaction ends.
    """
    query = (
        select(account.c.id, account.c.erase_after)
        .where(account.c.role == Role.ADMIN.value, account.c.state == "active")
        .order_by(account.c.id)
        .with_for_update(key_share=True)
    )
    others = [row for row in connection.execute(query) if row.id != account_id]
    return any(not staying or row.erase_after is None for row in others)


def list_unfinished(connection: Connection, limit: int) -> tuple[tuple[str, datetime], ...]:
    """Erased accounts of which something may be left, with when they were erased."""
    query = (
        select(account.c.id, account.c.erased_at)
        .where(account.c.erase_after.is_not(None), account.c.state == ERASED)
        .order_by(account.c.erased_at, account.c.id)
        .limit(limit)
    )
    return tuple((row.id, row.erased_at) for row in connection.execute(query))


def list_with_source(connection: Connection, account_id: str, limit: int) -> tuple[str, ...]:
    """Submissions of an account whose source is still there."""
    query = (
        select(submission.c.id)
        .where(submission.c.account_id == account_id, submission.c.source.is_not(None))
        .order_by(submission.c.id)
        .limit(limit)
    )
    return tuple(connection.scalars(query))


def list_rejudges_of(connection: Connection, submission_ids: tuple[str, ...]) -> tuple[str, ...]:
    """Rejudges that judge any of these submissions, in order of id."""
    query = (
        select(rejudge_item.c.rejudge_id)
        .join(judgement, judgement.c.id == rejudge_item.c.judgement_id)
        .where(judgement.c.submission_id.in_(submission_ids))
        .distinct()
        .order_by(rejudge_item.c.rejudge_id)
    )
    return tuple(connection.scalars(query))
