"""Changing one's own password."""

from sqlalchemy import update

from judge.actions.audit import add_audit
from judge.actions.end_access import end_access
from judge.actions.passwords import check_password, hash_password
from judge.actions.sessions import Origin, open_session
from judge.db.engine import Database
from judge.db.queries.accounts import find_password, lock_account, select_account
from judge.db.tables import credential
from judge.db.types import now
from judge.domain.access import Caller
from judge.errors import Unauthenticated


def change_password(database: Database, account_id: str, old: str, new: str, origin: Origin) -> str:
    """Set a new password; every session, token and one-time link of the account ends.

    Returns:
        The cookie of a new session, for whoever changed it.

    Raises:
        Unauthenticated: the old password is wrong.
        Invalid: the new one breaks a rule.
    """
    with database.read() as connection:
        stored = find_password(connection, account_id)
    if not check_password(old, None if stored is None else stored.secret_hash) or stored is None:
        raise Unauthenticated("wrong-password")
    secret_hash = hash_password(new, "/new")
    with database.write() as connection:
        lock_account(connection, account_id)
        unchanged = (credential.c.id == stored.id) & (
            credential.c.secret_hash == stored.secret_hash
        )
        changed = connection.execute(
            update(credential).where(unchanged).values(secret_hash=secret_hash, last_used_at=now())
        )
        if not changed.rowcount:
            raise Unauthenticated("wrong-password")
        end_access(connection, account_id)
        owner = select_account(connection, account_id)
        actor = Caller(owner.id, owner.handle, owner.role, ip_prefix=origin.ip_prefix)
        after = {"by": "old password"}
        add_audit(connection, actor, "account.password", f"account:{account_id}", {}, after)
        return open_session(connection, account_id, origin)
