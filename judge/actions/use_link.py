"""Using a one-time link: it sets a password, or makes an account, and signs in."""

from dataclasses import dataclass

from sqlalchemy import Connection, insert, update

from judge.actions.accounts import (
    NewAccount,
    check_account,
    insert_account,
    insert_password,
    one_of_each,
)
from judge.actions.audit import add_audit
from judge.actions.end_access import end_access
from judge.actions.links import FIRST_ADMIN, end_links, holds, select_good_link
from judge.actions.passwords import hash_password
from judge.actions.sessions import Origin, SignedIn, open_session
from judge.db.engine import Database
from judge.db.queries.accounts import Account, find_password, lock_account, select_account
from judge.db.queries.classes import ACTIVE, LEARNER, TEACHER, is_open_class
from judge.db.queries.links import Link
from judge.db.tables import credential, membership, one_time_link
from judge.db.types import now
from judge.domain.access import Caller, Role
from judge.errors import Gone, Invalid, flaw


@dataclass(frozen=True)
class Person:
    """What comes with a link: ``new`` where it makes an account, else only the password."""

    password: str
    new: NewAccount | None


def use_link(
    database: Database, secret: str, person: Person, origin: Origin, *, is_closed: bool
) -> SignedIn:
    """Use a link up and sign in.

    Args:
        database: where everything is.
        secret: the link's.
        person: who uses it.
        origin: where the request came from.
        is_closed: as ``select_good_link`` takes it.

    Raises:
        NotFound: there is no such link.
        Gone: it was used meanwhile or has ended.
        Invalid: a field breaks its rule, or does not belong to this kind of link.
        Conflict: the handle or the e-mail address is taken; the link stays good.
    """
    with database.read() as connection:
        link = select_good_link(connection, secret, is_closed=is_closed).link
    _check_person(link, person)
    secret_hash = hash_password(person.password)
    with (
        one_of_each(database, "" if person.new is None else person.new.handle),
        database.write() as connection,
    ):
        # Whoever makes links for an account locks it first, so the order is the same here.
        if link.account_id is not None:
            lock_account(connection, link.account_id)
        if not end_links(connection, one_time_link.c.secret_hash == link.secret_hash):
            raise Gone("link-used")
        if not holds(connection, link, is_closed=is_closed):
            raise Gone("link-expired")
        if link.account_id is not None:
            owner = _set_password(connection, link.account_id, secret_hash)
        else:
            owner = _make_account(connection, link, person.new, secret_hash)
        action = "account.create" if link.account_id is None else "account.password"
        actor = Caller(owner.id, owner.handle, owner.role, ip_prefix=origin.ip_prefix)
        after = {"by": link.purpose, "role": owner.role.value}
        add_audit(connection, actor, action, f"account:{owner.id}", {}, after)
        return SignedIn(owner, open_session(connection, owner.id, origin))


def _check_person(link: Link, person: Person) -> None:
    if link.account_id is not None:
        if person.new is not None:
            raise Invalid(
                "invalid-account", flaw("/handle", "not-with-this-link"), variant="password-link"
            )
        return
    if person.new is None:
        raise Invalid("invalid-account", flaw("/handle", "missing"), variant="new")
    check_account(person.new, is_own_choice=link.purpose != FIRST_ADMIN)


def _set_password(connection: Connection, account_id: str, secret_hash: str) -> Account:
    """The new password; whoever was in by the old one is out."""
    owner = select_account(connection, account_id)
    stored = find_password(connection, account_id)
    if stored is None:
        insert_password(connection, account_id, secret_hash)
    else:
        connection.execute(
            update(credential)
            .where(credential.c.id == stored.id)
            .values(secret_hash=secret_hash, last_used_at=now())
        )
    end_access(connection, account_id)
    return owner


def _make_account(
    connection: Connection, link: Link, new: NewAccount | None, secret_hash: str
) -> Account:
    assert new is not None  # noqa: S101 - _check_person
    owner = insert_account(connection, new, link.role, secret_hash)
    if link.class_id is not None:
        if not is_open_class(connection, link.class_id):
            raise Gone("link-expired")
        moment = now()
        connection.execute(
            insert(membership).values(
                class_id=link.class_id,
                account_id=owner.id,
                role=LEARNER if link.role is Role.LEARNER else TEACHER,
                state=ACTIVE,
                created_at=moment,
                joined_at=moment,
            )
        )
    return owner
