"""Erasing an account: asked for by its owner, after GRACE_DAYS done by the housekeeper.

Until then the account works as before, so that its owner can sign in, export, and think again; its
tokens and other sessions end at once. Then, in one transaction, everything ends that says who it
was; its sources and what came out of the boxes are blanked after that in small steps
(judge.actions.blank_submissions). What stays is the opaque id with scores, verdicts, dates and
digests, so that solve rates and the audit log stay true.
"""

from datetime import datetime, timedelta

from sqlalchemy import Connection, Update, delete, update

from judge.actions.audit import add_audit
from judge.actions.passwords import check_password
from judge.actions.sessions import hash_secret
from judge.db.engine import Database
from judge.db.queries.accounts import find_password, lock_account, select_account
from judge.db.queries.erasures import ERASED, has_other_admin, list_due, lock_due
from judge.db.tables import (
    account,
    api_token,
    credential,
    data_export,
    draft,
    feedback,
    feedback_message,
    idempotency_record,
    job,
    membership,
    notice,
    one_time_link,
    run,
    session,
)
from judge.db.types import now
from judge.domain.access import Caller, Role
from judge.errors import Conflict, Unauthenticated

GRACE_DAYS = 14
# No handle that can be registered holds a colon.
ERASED_HANDLE = "erased:"
_GONE_WITH_IT = (
    credential,
    session,
    api_token,
    one_time_link,
    idempotency_record,
    membership,
    notice,
    draft,
    run,
    data_export,
)


def request_erasure(database: Database, caller: Caller, password: str, cookie: str) -> datetime:
    """Let the caller's account be erased after the days of grace; when that will be.

    Asking again moves nothing. ``cookie`` is that of the session that stays.

    Raises:
        Unauthenticated: the password is wrong.
        Conflict: ``last-admin``.
    """
    with database.read() as connection:
        stored = find_password(connection, caller.account_id)
    if not check_password(password, None if stored is None else stored.secret_hash):
        raise Unauthenticated("wrong-password")
    with database.write() as connection:
        if caller.role is Role.ADMIN and not has_other_admin(
            connection, caller.account_id, staying=True
        ):
            raise Conflict("last-admin")
        lock_account(connection, caller.account_id)
        present = select_account(connection, caller.account_id).erase_after
        if present is not None:
            return present
        erase_after = now() + timedelta(days=GRACE_DAYS)
        connection.execute(_change(caller.account_id).values(erase_after=erase_after))
        _end_other_access(connection, caller.account_id, hash_secret(cookie))
        after: dict[str, object] = {"erase_after": erase_after.isoformat()}
        target = f"account:{caller.account_id}"
        add_audit(connection, caller, "account.erase-requested", target, {}, after)
    return erase_after


def cancel_erasure(database: Database, caller: Caller) -> None:
    """Keep the account after all; one that nobody wants to erase stays as it is."""
    with database.write() as connection:
        lock_account(connection, caller.account_id)
        if select_account(connection, caller.account_id).erase_after is None:
            return
        connection.execute(_change(caller.account_id).values(erase_after=None))
        target = f"account:{caller.account_id}"
        add_audit(connection, caller, "account.erase-cancelled", target, {}, {})


def erase_due(database: Database, limit: int = 20) -> int:
    """Erase accounts whose grace has ended, one transaction each; how many.

    The last admin is not erased before there is another one.
    """
    with database.read() as connection:
        due = list_due(connection, now(), limit)
    return sum(_erase(database, account_id, role) for account_id, role in due)


def forget(connection: Connection, account_id: str) -> None:
    """Delete and unlink what says who an account was, inside the caller's transaction.

    Doing it again takes what a request has written meanwhile that had begun before.
    """
    for table in _GONE_WITH_IT:
        connection.execute(delete(table).where(table.c.account_id == account_id))
    connection.execute(
        update(job)
        .where(
            job.c.account_id == account_id,
            job.c.kind.in_(("run", "export")),
            job.c.state.in_(("queued", "claimed")),
        )
        .values(state="done", claimed_by=None, lease_until=None, finished_at=now())
    )
    # The submission would name the author.
    unlinked = {"account_id": None, "submission_id": None}
    connection.execute(update(feedback).where(feedback.c.account_id == account_id).values(unlinked))
    connection.execute(
        update(feedback).where(feedback.c.assignee_id == account_id).values(assignee_id=None)
    )
    connection.execute(
        update(feedback_message)
        .where(feedback_message.c.author_id == account_id)
        .values(author_id=None)
    )


def erased_handle(account_id: str) -> str:
    """What an erased account is called: nobody can register such a handle."""
    return f"{ERASED_HANDLE}{account_id[-24:]}"


def _erase(database: Database, account_id: str, role: Role) -> bool:
    with database.write() as connection:
        # Admins' rows are locked before any other, as whoever changes a role does it.
        if role is Role.ADMIN and not has_other_admin(connection, account_id, staying=False):
            return False
        moment = now()
        if not lock_due(connection, account_id, moment):
            return False
        handle = erased_handle(account_id)
        connection.execute(
            _change(account_id).values(
                handle=handle,
                handle_key=handle,
                display_name="",
                email=None,
                email_key=None,
                role=Role.LEARNER.value,
                locale="en",
                time_zone="UTC",
                prefs={},
                state=ERASED,
                erased_at=moment,
            )
        )
        forget(connection, account_id)
        add_audit(connection, None, "account.erase", f"account:{account_id}", {}, {})
    return True


def _change(account_id: str) -> Update:
    return update(account).where(account.c.id == account_id)


def _end_other_access(connection: Connection, account_id: str, kept_hash: str) -> None:
    connection.execute(
        delete(session).where(session.c.account_id == account_id, session.c.id_hash != kept_hash)
    )
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
