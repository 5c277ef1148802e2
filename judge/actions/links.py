"""One-time links: made, and looked at. What using one does is in judge.actions.use_link.

A link's secret is 256 random bits; the database holds only its SHA-256, so a copy of the database
opens nothing. A link works once and until its end.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, Connection, insert, update

from judge.actions.sessions import hash_secret
from judge.db.queries.accounts import count_active_admins, select_account
from judge.db.queries.classes import find_class_name, learns_with, select_ties
from judge.db.queries.links import Link, Purpose, find_link
from judge.db.tables import one_time_link
from judge.db.types import now
from judge.domain.access import Caller, Role, may_invite, may_reset_password
from judge.errors import Gone, NotFound

FIRST_ADMIN: Final = "first_admin"
INVITATION: Final = "invitation"
RESET: Final = "reset"
LIFETIMES: Mapping[Purpose, timedelta] = {
    FIRST_ADMIN: timedelta(days=1),
    INVITATION: timedelta(days=14),
    RESET: timedelta(days=3),
}


@dataclass(frozen=True)
class NewLink:
    """A link with its secret, which is shown this once."""

    secret: str
    purpose: Purpose
    role: Role
    expires_at: datetime

    @property
    def path(self) -> str:
        """The page that the link opens, below the judge's own address."""
        page = "setup" if self.purpose == FIRST_ADMIN else self.purpose
        return f"/{page}?token={self.secret}"


@dataclass(frozen=True)
class GoodLink:
    """A link that works now, and what people are told about it."""

    link: Link
    handle: str | None
    class_name: str | None


def make_link(
    connection: Connection,
    purpose: Purpose,
    role: Role,
    *,
    account_id: str | None = None,
    class_id: str | None = None,
    created_by: str | None = None,
) -> NewLink:
    """Make a link, within a transaction; earlier links for the same account end."""
    secret, moment = secrets.token_urlsafe(32), now()
    if account_id is not None:
        end_links(connection, one_time_link.c.account_id == account_id)
    new = NewLink(secret, purpose, role, moment + LIFETIMES[purpose])
    connection.execute(
        insert(one_time_link).values(
            secret_hash=hash_secret(secret),
            purpose=purpose,
            account_id=account_id,
            role=role.value,
            class_id=class_id,
            created_by=created_by,
            created_at=moment,
            expires_at=new.expires_at,
        )
    )
    return new


def end_links(connection: Connection, which: ColumnElement[bool]) -> bool:
    """Let links count as used; whether there was one that was not yet."""
    ended = update(one_time_link).where(which, one_time_link.c.used_at.is_(None))
    return connection.execute(ended.values(used_at=now())).rowcount > 0


def select_good_link(connection: Connection, secret: str, *, is_closed: bool) -> GoodLink:
    """What a secret opens.

    Args:
        connection: reads or writes.
        secret: as it was shown when the link was made.
        is_closed: whether only admins make accounts: then teachers' invitations do not work.

    Raises:
        NotFound: there is no such link.
        Gone: it was used, has ended, or who made it may not invite any more.
    """
    link = find_link(connection, hash_secret(secret))
    if link is None:
        raise NotFound("link-not-found")
    if link.used_at is not None:
        raise Gone("link-used")
    if not holds(connection, link, is_closed=is_closed):
        raise Gone("link-expired")
    handle = None
    if link.account_id is not None:
        handle = select_account(connection, link.account_id).handle
    name = None if link.class_id is None else find_class_name(connection, link.class_id)
    return GoodLink(link, handle, name)


def holds(connection: Connection, link: Link, *, is_closed: bool) -> bool:
    """Whether an unused link still works; ``is_closed`` as ``select_good_link`` takes it.

    Who made it must still have the right to make it, for an account that is what it was then: a
    link opens whatever its account has become.
    """
    if link.expires_at <= now():
        return False
    if link.purpose == FIRST_ADMIN:
        return count_active_admins(connection) == 0
    if link.account_id is not None and not _is_as_it_was(connection, link.account_id, link.role):
        return False
    if link.created_by is None:
        return True
    found = select_account(connection, link.created_by)
    ties = select_ties(connection, found.id, found.role)
    maker = Caller(found.id, found.handle, found.role, ties=ties)
    if found.state != "active":
        return False
    if link.account_id is None:
        return may_invite(maker, link.role, link.class_id, is_closed)
    is_own_learner = learns_with(connection, ties, link.account_id)
    return may_reset_password(maker, link.role, is_own_learner=is_own_learner)


def _is_as_it_was(connection: Connection, account_id: str, role: Role) -> bool:
    owner = select_account(connection, account_id)
    return owner.state == "active" and owner.role is role
