"""Accounts, their credentials, sessions and tokens."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, Select, or_, select

from judge.db.tables import account, api_token, credential, session
from judge.domain.access import Role
from judge.domain.texts import text_flaw
from judge.errors import NotFound

State = Literal["active", "disabled", "erased"]
# How long an unused browser session lives.
SESSION_IDLE_DAYS = 14


@dataclass(frozen=True)
class Account:
    """One person; ``state`` is active, disabled or erased.

    ``erase_after`` is when it will be erased, if its owner asked for that.
    """

    id: str
    handle: str
    display_name: str
    email: str | None
    role: Role
    locale: str
    time_zone: str
    state: State
    created_at: datetime
    prefs: Mapping[str, object]
    erase_after: datetime | None


@dataclass(frozen=True)
class PasswordCredential:
    """A stored argon2 hash and whose it is."""

    id: str
    account_id: str
    secret_hash: str


@dataclass(frozen=True)
class Session:
    """A browser's login that is still good."""

    id_hash: str
    account: Account
    seen_at: datetime


@dataclass(frozen=True)
class OpenSession:
    """What a person recognises an own login by."""

    id_hash: str
    created_at: datetime
    seen_at: datetime
    expires_at: datetime
    ip_prefix: str
    browser: str


@dataclass(frozen=True)
class Token:
    """An API token without its secret."""

    id: str
    account_id: str
    name: str
    prefix: str
    secret_hash: str
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None


@dataclass(frozen=True)
class AccountFilter:
    """Which accounts a list shows; ``text`` stands anywhere in handle, name or address."""

    text: str = ""
    role: str | None = None
    state: State | None = None


_ACCOUNT_COLUMNS = (
    account.c.id,
    account.c.handle,
    account.c.display_name,
    account.c.email,
    account.c.role,
    account.c.locale,
    account.c.time_zone,
    account.c.state,
    account.c.created_at,
    account.c.prefs,
    account.c.erase_after,
)


def select_account(connection: Connection, account_id: str) -> Account:
    """The account with this id.

    Raises:
        NotFound: there is none.
    """
    row = connection.execute(_accounts().where(account.c.id == account_id)).one_or_none()
    if row is None:
        raise NotFound("account-not-found")
    return _account(row)


def find_account(connection: Connection, handle: str) -> Account | None:
    """The account with this handle, however it is capitalised."""
    if text_flaw("", handle) is not None:
        return None
    query = _accounts().where(account.c.handle_key == handle.lower())
    row = connection.execute(query).one_or_none()
    return None if row is None else _account(row)


def find_email(connection: Connection, email: str) -> Account | None:
    """The account with this address, however it is capitalised."""
    row = connection.execute(_accounts().where(account.c.email_key == email.lower())).one_or_none()
    return None if row is None else _account(row)


def list_accounts(
    connection: Connection, wanted: AccountFilter, after: str | None, limit: int
) -> tuple[Account, ...]:
    """Accounts in the order in which they were made; ``after`` is the id of the one before."""
    query = _accounts().order_by(account.c.id).limit(limit)
    if after is not None:
        query = query.where(account.c.id > after)
    if wanted.role is not None:
        query = query.where(account.c.role == wanted.role)
    if wanted.state is not None:
        query = query.where(account.c.state == wanted.state)
    if wanted.text:
        names = (account.c.handle, account.c.display_name, account.c.email)
        query = query.where(or_(*(one.icontains(wanted.text, autoescape=True) for one in names)))
    return tuple(map(_account, connection.execute(query)))


def map_handles(connection: Connection, account_ids: Collection[str]) -> dict[str, str]:
    """Handles by account id."""
    query = select(account.c.id, account.c.handle).where(account.c.id.in_(account_ids))
    return {row.id: row.handle for row in connection.execute(query)}


def lock_account(connection: Connection, account_id: str) -> None:
    """Let writers that derive rows from an account's other rows take turns on PostgreSQL.

    NO KEY UPDATE, so that inserting submissions of the account need not wait. SQLite has one
    writer at a time anyway.
    """
    query = select(account.c.id).where(account.c.id == account_id)
    connection.execute(query.with_for_update(key_share=True))


def count_active_admins(connection: Connection) -> int:
    """How many people can administer this judge."""
    return len(connection.scalars(_active_admins()).all())


def lock_active_admins(connection: Connection) -> int:
    """The same number, which then nobody else can change before the transaction ends."""
    # In one order for everybody, so that two who ask at once cannot wait for each other.
    ordered = _active_admins().order_by(account.c.id)
    return len(connection.scalars(ordered.with_for_update(key_share=True)).all())


def find_password(connection: Connection, account_id: str) -> PasswordCredential | None:
    """The account's password hash, if it signs in with a password."""
    row = connection.execute(
        select(credential.c.id, credential.c.account_id, credential.c.secret_hash).where(
            credential.c.kind == "password", credential.c.subject == account_id
        )
    ).one_or_none()
    return None if row is None else PasswordCredential(row.id, row.account_id, row.secret_hash)


def find_session(connection: Connection, id_hash: str, moment: datetime) -> Session | None:
    """The session behind a cookie, unless it has expired or its account is not active."""
    row = connection.execute(
        select(session.c.id_hash, session.c.seen_at, *_ACCOUNT_COLUMNS)
        .join(account)
        .where(
            session.c.id_hash == id_hash,
            session.c.expires_at > moment,
            account.c.state == "active",
        )
    ).one_or_none()
    return None if row is None else Session(row.id_hash, _account(row), row.seen_at)


def list_sessions(
    connection: Connection, account_id: str, moment: datetime
) -> tuple[OpenSession, ...]:
    """An account's sessions that have not ended, the one used last first."""
    rows = connection.execute(
        select(session)
        .where(session.c.account_id == account_id, session.c.expires_at > moment)
        .order_by(session.c.seen_at.desc(), session.c.id_hash)
    )
    return tuple(
        OpenSession(
            id_hash=row.id_hash,
            created_at=row.created_at,
            seen_at=row.seen_at,
            expires_at=row.expires_at,
            ip_prefix=row.ip_prefix,
            browser=row.user_agent,
        )
        for row in rows
    )


def find_token(connection: Connection, prefix: str) -> Token | None:
    """The token with this public prefix, revoked or not."""
    row = connection.execute(select(api_token).where(api_token.c.prefix == prefix)).one_or_none()
    return None if row is None else _token(row)


def list_tokens(connection: Connection, account_id: str) -> tuple[Token, ...]:
    """An account's tokens that are not revoked, oldest first."""
    rows = connection.execute(
        select(api_token)
        .where(api_token.c.account_id == account_id, api_token.c.revoked_at.is_(None))
        .order_by(api_token.c.created_at, api_token.c.id)
    )
    return tuple(map(_token, rows))


def _active_admins() -> Select[str]:
    return select(account.c.id).where(
        account.c.role == Role.ADMIN.value, account.c.state == "active"
    )


def _accounts() -> Select[Any]:
    return select(*_ACCOUNT_COLUMNS)


def _account(row: Any) -> Account:
    return Account(
        id=row.id,
        handle=row.handle,
        display_name=row.display_name,
        email=row.email,
        role=Role(row.role),
        locale=row.locale,
        time_zone=row.time_zone,
        state=row.state,
        created_at=row.created_at,
        prefs=row.prefs,
        erase_after=row.erase_after,
    )


def _token(row: Any) -> Token:
    return Token(
        id=row.id,
        account_id=row.account_id,
        name=row.name,
        prefix=row.prefix,
        secret_hash=row.secret_hash,
        scopes=tuple(row.scopes),
        created_at=row.created_at,
        expires_at=row.expires_at,
        last_used_at=row.last_used_at,
        revoked_at=row.revoked_at,
    )
