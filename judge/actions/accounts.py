"""Creating accounts and changing their roles."""

import re
from dataclasses import dataclass

from sqlalchemy import Connection, insert, update
from sqlalchemy.exc import IntegrityError

from judge.actions.passwords import hash_password
from judge.actions.time_zones import is_time_zone
from judge.db.engine import Database
from judge.db.queries.accounts import (
    Account,
    find_account,
    lock_active_admins,
    select_account,
)
from judge.db.tables import account, credential
from judge.db.types import new_id, now
from judge.domain.access import Role
from judge.domain.problem import LOCALES
from judge.domain.texts import text_flaw
from judge.errors import Conflict, Invalid, NotFound, flaw

# No hyphen in front: it would be read as an option, and as a formula in a spreadsheet.
_HANDLE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{2,31}")
_EMAIL = re.compile(r"[^@\s]{1,64}@[^@\s]{1,190}")


@dataclass(frozen=True)
class NewAccount:
    """What a person says about itself when it registers."""

    handle: str
    password: str
    email: str | None = None
    display_name: str = ""
    locale: str = "en"
    time_zone: str = "UTC"


def create_account(database: Database, new: NewAccount, role: Role = Role.LEARNER) -> Account:
    """Create an account with a password.

    Raises:
        Invalid: a field breaks its rule; every such field is named.
        Conflict: the handle or the e-mail address is taken.
    """
    check_account(new)
    secret_hash = hash_password(new.password)
    try:
        with database.write() as connection:
            return _insert(connection, new, role, secret_hash)
    except IntegrityError:
        with database.read() as connection:
            taken = find_account(connection, new.handle) is not None
        if taken:
            raise Conflict("handle-taken") from None
        raise Conflict("email-taken") from None


def change_role(database: Database, handle: str, role: Role) -> Account:
    """Give an account another role.

    Raises:
        NotFound: there is no such account.
        Conflict: it is the last admin.
    """
    with database.write() as connection:
        admins = lock_active_admins(connection)
        found = find_account(connection, handle)
        if found is None:
            raise NotFound("handle-not-found", handle=handle)
        if found.role is Role.ADMIN and role is not Role.ADMIN and admins <= 1:
            raise Conflict("last-admin")
        connection.execute(update(account).where(account.c.id == found.id).values(role=role.value))
        return select_account(connection, found.id)


def _insert(connection: Connection, new: NewAccount, role: Role, secret_hash: str) -> Account:
    account_id, moment = new_id(), now()
    connection.execute(
        insert(account).values(
            id=account_id,
            handle=new.handle,
            handle_key=new.handle.lower(),
            display_name=new.display_name or new.handle,
            email=new.email,
            email_key=new.email.lower() if new.email else None,
            role=role.value,
            locale=new.locale,
            time_zone=new.time_zone,
            prefs={},
            state="active",
            created_at=moment,
        )
    )
    connection.execute(
        insert(credential).values(
            id=new_id(),
            account_id=account_id,
            kind="password",
            subject=account_id,
            secret_hash=secret_hash,
            created_at=moment,
        )
    )
    return select_account(connection, account_id)


def check_account(new: NewAccount) -> None:
    """Everything about a new account but its password.

    Raises:
        Invalid: a field breaks its rule; every such field is named.
    """
    flaws = []
    if not _HANDLE.fullmatch(new.handle):
        flaws.append(flaw("/handle", "handle"))
    if new.email is not None and not _is_email(new.email):
        flaws.append(flaw("/email", "email"))
    if len(new.display_name) > 64 or not new.display_name.isprintable():
        flaws.append(flaw("/display_name", "display-name"))
    if new.locale not in LOCALES:
        flaws.append(flaw("/locale", "locale", locales=LOCALES))
    if not is_time_zone(new.time_zone):
        flaws.append(flaw("/time_zone", "time-zone"))
    if flaws:
        raise Invalid("invalid-account", *flaws)


def _is_email(text: str) -> bool:
    return text_flaw("", text) is None and _EMAIL.fullmatch(text) is not None
