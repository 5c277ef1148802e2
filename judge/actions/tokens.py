"""API tokens: ``jt_<prefix>_<secret>``.

The prefix (8 letters) finds the row, the secret (256 bits) proves it; the database holds only the
secret's SHA-256, so the token is shown once. What a token may do is its scopes cut down to what its
account may do at the moment of the call.
"""

import hmac
import re
import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import insert, update

from judge.actions.audit import add_audit
from judge.actions.sessions import hash_secret
from judge.db.engine import Database
from judge.db.queries.accounts import (
    Token,
    find_account,
    find_token,
    list_tokens,
    lock_account,
    select_account,
)
from judge.db.tables import api_token
from judge.db.types import new_id, now
from judge.domain.access import ROLE_SCOPES, Caller, Role, Scope, parse_scopes
from judge.errors import Conflict, Forbidden, Invalid, NotFound, StorageUnavailable, flaw

MAX_TOKENS = 50
_SHAPE = re.compile(r"jt_([a-z0-9]{8})_([A-Za-z0-9_-]{43})")
_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"
# Of scopes that are not known.
_MAX_NAMED = 5
_TOUCH_AFTER = timedelta(minutes=1)
# Later ends leave what a database or another time zone can express.
_LAST_END = datetime(9999, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class NewToken:
    """A token's row together with the text that is shown this once."""

    token: Token
    secret: str


def create_token(
    database: Database,
    account_id: str,
    name: str,
    scopes: Iterable[str],
    expires_at: datetime | None = None,
    actor: Caller | None = None,
) -> NewToken:
    """Create a token for an account; without an actor it was whoever runs the judge.

    Raises:
        Invalid: no name, no scope, an unknown scope, or an end in the past or past the year 9998.
        Forbidden: a scope that the account itself does not have.
        Conflict: the account has MAX_TOKENS tokens, or is not active.
    """
    wanted = tuple(dict.fromkeys(scopes))
    _check(name, wanted, expires_at)
    prefix = "".join(secrets.choice(_ALPHABET) for _ in range(8))
    secret = secrets.token_urlsafe(32)
    with database.write() as connection:
        # Nobody disables the account before the token is there to be ended with the others.
        lock_account(connection, account_id)
        owner = select_account(connection, account_id)
        if owner.state != "active":
            raise Conflict("account-not-active", state=owner.state)
        _check_rights(owner.role, wanted)
        if len(list_tokens(connection, account_id)) >= MAX_TOKENS:
            raise Conflict("too-many-tokens", most=MAX_TOKENS)
        token_id = new_id()
        connection.execute(
            insert(api_token).values(
                id=token_id,
                account_id=account_id,
                name=name,
                prefix=prefix,
                secret_hash=hash_secret(secret),
                scopes=list(wanted),
                created_at=now(),
                expires_at=expires_at,
            )
        )
        after = {"account": account_id, "scopes": list(wanted)}
        add_audit(connection, actor, "token.create", f"token:{token_id}", {}, after)
        stored = find_token(connection, prefix)
    assert stored is not None  # noqa: S101 - inserted above, in the same transaction
    return NewToken(stored, f"jt_{prefix}_{secret}")


def create_token_for_handle(
    database: Database, handle: str, name: str, scopes: Iterable[str] | None
) -> NewToken:
    """Create a token for whoever administers the machine; see ``create_token``.

    Without ``scopes`` it gets all that the account's role may have.

    Raises:
        NotFound: there is no such account.
    """
    with database.read() as connection:
        found = find_account(connection, handle)
    if found is None:
        raise NotFound("handle-not-found", handle=handle)
    return create_token(database, found.id, name, scopes or sorted(ROLE_SCOPES[found.role]))


def revoke_token(database: Database, caller: Caller, token_id: str) -> None:
    """Make a token of the caller's useless at once.

    Raises:
        NotFound: the account has no such token.
    """
    with database.write() as connection:
        revoked = connection.execute(
            update(api_token)
            .where(
                api_token.c.id == token_id,
                api_token.c.account_id == caller.account_id,
                api_token.c.revoked_at.is_(None),
            )
            .values(revoked_at=now())
        )
        if not revoked.rowcount:
            raise NotFound("token-not-found")
        add_audit(connection, caller, "token.revoke", f"token:{token_id}", {}, {})


def authenticate_token(database: Database, text: str) -> Caller | None:
    """Whoever the token stands for, or None if it is wrong, expired or revoked."""
    shape = _SHAPE.fullmatch(text)
    if shape is None:
        return None
    prefix, secret = shape.groups()
    moment = now()
    with database.read() as connection:
        token = find_token(connection, prefix)
        if token is None or not _is_good(token, secret, moment):
            return None
        account = select_account(connection, token.account_id)
    if account.state != "active":
        return None
    _touch(database, token, moment)
    scopes = parse_scopes(token.scopes)
    return Caller(
        account.id, account.handle, account.role, scopes, account.locale, token_id=token.id
    )


def _is_good(token: Token, secret: str, moment: datetime) -> bool:
    is_alive = token.revoked_at is None and (token.expires_at is None or token.expires_at > moment)
    return hmac.compare_digest(token.secret_hash, hash_secret(secret)) and is_alive


def _touch(database: Database, token: Token, moment: datetime) -> None:
    """Note the use, at most once a minute: a busy client must not cost a write a call."""
    if token.last_used_at is not None and moment - token.last_used_at < _TOUCH_AFTER:
        return
    # A note that cannot be taken must not keep anybody from reading.
    with suppress(StorageUnavailable), database.write() as connection:
        connection.execute(
            update(api_token).where(api_token.c.id == token.id).values(last_used_at=moment)
        )


def _check(name: str, scopes: tuple[str, ...], expires_at: datetime | None) -> None:
    flaws = []
    if not 1 <= len(name) <= 64 or not name.isprintable():
        flaws.append(flaw("/name", "token-name"))
    known = [scope.value for scope in Scope]
    unknown = [scope for scope in scopes if scope not in known][:_MAX_NAMED]
    if unknown:
        named = flaw("/scopes", "token-scopes", variant="unknown", unknown=unknown, scopes=known)
        flaws.append(named)
    elif not scopes:
        flaws.append(flaw("/scopes", "token-scopes", variant="none", scopes=known))
    if expires_at is not None and not _is_future(expires_at):
        flaws.append(flaw("/expires_at", "token-expiry"))
    if flaws:
        raise Invalid("invalid-token", *flaws)


def _is_future(moment: datetime) -> bool:
    return moment.tzinfo is not None and now() < moment < _LAST_END


def _check_rights(role: Role, scopes: tuple[str, ...]) -> None:
    missing = [scope for scope in scopes if scope not in ROLE_SCOPES[role]]
    if missing:
        raise Forbidden("scope-exceeds-role", needed=sorted(missing))
