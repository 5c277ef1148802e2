"""Creating accounts: the rules for what they say about themselves, and their rows."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Connection, insert
from sqlalchemy.exc import IntegrityError

from judge.actions.audit import add_audit
from judge.actions.passwords import hash_password
from judge.actions.time_zones import is_time_zone
from judge.db.engine import Database
from judge.db.queries.accounts import Account, find_account, find_email, select_account
from judge.db.tables import account, credential
from judge.db.types import new_id, now
from judge.domain.access import Role
from judge.domain.handles import is_reserved
from judge.domain.problem import LOCALES
from judge.domain.texts import text_flaw
from judge.errors import Conflict, Flaw, Invalid, flaw

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
    """Create an account with a password, as whoever runs the judge.

    Raises:
        Invalid: a field breaks its rule; every such field is named.
        Conflict: the handle or the e-mail address is taken.
    """
    check_account(new)
    secret_hash = hash_password(new.password)
    with one_of_each(database, new.handle), database.write() as connection:
        made = insert_account(connection, new, role, secret_hash)
        target, after = f"account:{made.id}", {"role": role.value}
        add_audit(connection, None, "account.create", target, {}, after)
        return made


@contextmanager
def one_of_each(database: Database, handle: str = "") -> Iterator[None]:
    """Around a transaction that inserts accounts: of two writers at once one comes second.

    Whose handle and address are both taken hears of the ``handle``, if it is given.

    Raises:
        Conflict: somebody else took the handle or the address meanwhile.
    """
    try:
        yield
    except IntegrityError as error:
        words = str(error.orig)
        if "handle_key" not in words and "email_key" not in words:
            raise
        with database.read() as connection:
            is_taken = "handle_key" in words or find_account(connection, handle) is not None
        raise Conflict("handle-taken" if is_taken else "email-taken") from None


def insert_account(
    connection: Connection, new: NewAccount, role: Role, secret_hash: str | None
) -> Account:
    """Insert the rows of an account that keeps the rules, within a transaction.

    Without ``secret_hash`` nobody can sign in to it before a one-time link sets a password.

    Raises:
        Conflict: the handle or the e-mail address is taken.
    """
    if find_account(connection, new.handle) is not None:
        raise Conflict("handle-taken")
    if new.email and find_email(connection, new.email) is not None:
        raise Conflict("email-taken")
    account_id = new_id()
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
            created_at=now(),
        )
    )
    if secret_hash is not None:
        insert_password(connection, account_id, secret_hash)
    return select_account(connection, account_id)


def insert_password(connection: Connection, account_id: str, secret_hash: str) -> None:
    """The account's first password, as a hash."""
    connection.execute(
        insert(credential).values(
            id=new_id(),
            account_id=account_id,
            kind="password",
            subject=account_id,
            secret_hash=secret_hash,
            created_at=now(),
        )
    )


def check_account(new: NewAccount, *, is_own_choice: bool = False) -> None:
    """Everything about a new account but its password.

    Args:
        new: what is said about it.
        is_own_choice: whether the handle is the person's own choice; then some are reserved.

    Raises:
        Invalid: a field breaks its rule; every such field is named.
    """
    flaws = list(account_flaws(new))
    if is_own_choice and _HANDLE.fullmatch(new.handle) and is_reserved(new.handle):
        flaws.insert(0, flaw("/handle", "handle-reserved"))
    if flaws:
        raise Invalid("invalid-account", *flaws, variant="new")


def account_flaws(new: NewAccount) -> Iterator[Flaw]:
    """What breaks a rule, field by field; nothing is said about the password."""
    if not _HANDLE.fullmatch(new.handle):
        yield flaw("/handle", "handle")
    yield from profile_flaws(new.email, new.display_name, new.locale, new.time_zone)


def profile_flaws(
    email: str | None, display_name: str, locale: str, time_zone: str
) -> Iterator[Flaw]:
    """What breaks a rule among the fields that people may change later."""
    if email is not None and not _is_email(email):
        yield flaw("/email", "email")
    if len(display_name) > 64 or not display_name.isprintable():
        yield flaw("/display_name", "display-name")
    if locale not in LOCALES:
        yield flaw("/locale", "locale", locales=LOCALES)
    if not is_time_zone(time_zone):
        yield flaw("/time_zone", "time-zone")


def _is_email(text: str) -> bool:
    return text_flaw("", text) is None and _EMAIL.fullmatch(text) is not None
