"""Signing in and out with a browser's cookie.

The cookie is 256 random bits; the database holds only its SHA-256, so a copy of the database opens
no session. A session ends after SESSION_IDLE_DAYS without use; each sign-in makes a new one.
"""

import hashlib
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, insert, update

from judge.actions.passwords import check_password
from judge.db.engine import Database
from judge.db.queries.accounts import (
    SESSION_IDLE_DAYS,
    Account,
    find_account,
    find_password,
    find_session,
    list_sessions,
    lock_account,
    select_account,
)
from judge.db.tables import credential, session
from judge.db.types import now
from judge.errors import NotFound, StorageUnavailable, Unauthenticated

MAX_SESSIONS = 50
# The row is touched at most this often, so that reading pages does not write on every request.
_TOUCH_AFTER = timedelta(hours=1)


@dataclass(frozen=True)
class Origin:
    """Where a sign-in came from, kept so that people can recognise their sessions."""

    ip_prefix: str = ""
    user_agent: str = ""


@dataclass(frozen=True)
class SignedIn:
    """An account and the secret for its cookie, which is shown this once."""

    account: Account
    cookie: str


def sign_in(database: Database, handle: str, password: str, origin: Origin) -> SignedIn:
    """Check a password and open a session.

    Raises:
        Unauthenticated: handle and password do not belong together, or the account is not active.
    """
    with database.read() as connection:
        found = find_account(connection, handle)
        stored = None if found is None else find_password(connection, found.id)
    fits = check_password(password, None if stored is None else stored.secret_hash)
    if not fits or found is None or stored is None or found.state != "active":
        raise Unauthenticated("bad-credentials")
    with database.write() as connection:
        # The password may have been changed, or the account disabled, since it was compared.
        lock_account(connection, found.id)
        unchanged = (credential.c.id == stored.id) & (
            credential.c.secret_hash == stored.secret_hash
        )
        noted = connection.execute(update(credential).where(unchanged).values(last_used_at=now()))
        if not noted.rowcount or select_account(connection, found.id).state != "active":
            raise Unauthenticated("bad-credentials")
        return SignedIn(found, open_session(connection, found.id, origin))


def end_session(database: Database, account_id: str, session_id: str) -> None:
    """End one of an account's sessions, named as ``show_session_id`` shows it.

    Raises:
        NotFound: the account has no such session.
    """
    with database.write() as connection:
        ended = connection.execute(
            delete(session).where(
                session.c.account_id == account_id,
                session.c.id_hash.startswith(session_id, autoescape=True),
            )
        )
        if not ended.rowcount:
            raise NotFound("session-not-found")


def show_session_id(id_hash: str) -> str:
    """What names a session to people: half of the cookie's hash, which leads to no cookie."""
    return id_hash[:32]


def sign_out(database: Database, cookie: str) -> None:
    """End the session; ending one that is gone is fine."""
    with database.write() as connection:
        connection.execute(delete(session).where(session.c.id_hash == hash_secret(cookie)))


def authenticate_session(database: Database, cookie: str) -> Account | None:
    """The account behind a cookie, or None; now and then moves the end of the session."""
    moment = now()
    with database.read() as connection:
        found = find_session(connection, hash_secret(cookie), moment)
    if found is None:
        return None
    if moment - found.seen_at > _TOUCH_AFTER:
        # An end that cannot be moved now must not keep anybody from reading.
        with suppress(StorageUnavailable), database.write() as connection:
            connection.execute(
                update(session)
                .where(session.c.id_hash == found.id_hash)
                .values(seen_at=moment, expires_at=_end(moment))
            )
    return found.account


def hash_secret(secret: str) -> str:
    """SHA-256 in hex: enough for 256 random bits, where a slow hash would only cost time."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).hexdigest()


def open_session(connection: Connection, account_id: str, origin: Origin) -> str:
    """The cookie of a new session for somebody who has just proved who they are.

    Beyond MAX_SESSIONS the one ends that was not used for longest.
    """
    cookie, moment = secrets.token_urlsafe(32), now()
    kept = [
        one.id_hash for one in list_sessions(connection, account_id, moment)[: MAX_SESSIONS - 1]
    ]
    connection.execute(
        delete(session).where(session.c.account_id == account_id, session.c.id_hash.not_in(kept))
    )
    connection.execute(
        insert(session).values(
            id_hash=hash_secret(cookie),
            account_id=account_id,
            created_at=moment,
            seen_at=moment,
            expires_at=_end(moment),
            ip_prefix=origin.ip_prefix[:64],
            user_agent=origin.user_agent[:256],
        )
    )
    return cookie


def _end(moment: datetime) -> datetime:
    return moment + timedelta(days=SESSION_IDLE_DAYS)
