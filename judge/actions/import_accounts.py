"""Importing accounts from a list: who is missing is made, who is there stays as it is.

Nobody gets a password here: each new account comes with a one-time link that sets the first one.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection

from judge.actions.accounts import NewAccount, account_flaws, insert_account, one_of_each
from judge.actions.audit import add_audit
from judge.actions.links import INVITATION, NewLink, make_link
from judge.db.engine import Database
from judge.db.queries.accounts import find_account, find_email
from judge.domain.access import Caller, Role
from judge.errors import Flaw, flaw

MAX_ROWS = 1000
# Who becomes an admin is decided one by one.
ROLES = (Role.LEARNER.value, Role.TEACHER.value)


@dataclass(frozen=True)
class Row:
    """One account of the list; an empty text says nothing."""

    handle: str
    display_name: str = ""
    email: str = ""
    role: str = ""
    locale: str = ""
    time_zone: str = ""


@dataclass(frozen=True)
class Added:
    """An account that was made; without id and link it only would be. Rows count from 1."""

    row: int
    handle: str
    account_id: str | None = None
    link: NewLink | None = None


@dataclass(frozen=True)
class Present:
    """An account that was there before."""

    row: int
    handle: str
    account_id: str


@dataclass(frozen=True)
class Imported:
    """What an import came to; ``errors`` name the row and what breaks a rule there."""

    added: tuple[Added, ...]
    unchanged: tuple[Present, ...]
    errors: tuple[tuple[int, Flaw], ...]
    is_applied: bool


def import_accounts(
    database: Database, caller: Caller, rows: tuple[Row, ...], *, dry_run: bool, apply_valid: bool
) -> Imported:
    """Make the accounts of a list that are missing, in one transaction.

    Where a row breaks a rule nothing is made, unless ``apply_valid`` leaves such rows out. The
    same list once more makes nothing: a handle that is there is unchanged, whatever the row says.

    Raises:
        Conflict: somebody else made one of the accounts meanwhile; nothing was made.
    """
    if dry_run:
        with database.read() as connection:
            return _sort(connection, rows)
    with one_of_each(database), database.write() as connection:
        sorted_rows = _sort(connection, rows)
        if sorted_rows.errors and not apply_valid:
            return sorted_rows
        made = tuple(_make(connection, caller, rows[one.row - 1], one) for one in sorted_rows.added)
        if made:
            add_audit(connection, caller, "account.import", "judge", {}, {"added": len(made)})
    return Imported(made, sorted_rows.unchanged, sorted_rows.errors, is_applied=True)


def _sort(connection: Connection, rows: tuple[Row, ...]) -> Imported:
    """Which rows are new, which are there, and which break a rule."""
    added: list[Added] = []
    unchanged: list[Present] = []
    errors: list[tuple[int, Flaw]] = []
    handles: set[str] = set()
    emails: set[str] = set()
    for number, row in enumerate(rows, 1):
        flaws = [*_flaws(row)]
        if row.handle.lower() in handles:
            flaws.append(flaw("/handle", "handle-twice"))
        handles.add(row.handle.lower())
        found = None if flaws else find_account(connection, row.handle)
        if found is not None:
            unchanged.append(Present(number, found.handle, found.id))
            continue
        if row.email and not flaws:
            key = row.email.lower()
            if key in emails or find_email(connection, row.email) is not None:
                flaws.append(flaw("/email", "email-taken"))
            emails.add(key)
        if flaws:
            errors += [(number, one) for one in flaws]
        else:
            added.append(Added(number, row.handle))
    return Imported(tuple(added), tuple(unchanged), tuple(errors), is_applied=False)


def _flaws(row: Row) -> Iterator[Flaw]:
    yield from account_flaws(_new_account(row))
    if row.role and row.role not in ROLES:
        yield flaw("/role", "choice", choices=ROLES)


def _make(connection: Connection, caller: Caller, row: Row, place: Added) -> Added:
    role = Role(row.role) if row.role else Role.LEARNER
    owner = insert_account(connection, _new_account(row), role, None)
    link = make_link(
        connection, INVITATION, role, account_id=owner.id, created_by=caller.account_id
    )
    return Added(place.row, owner.handle, owner.id, link)


def _new_account(row: Row) -> NewAccount:
    return NewAccount(
        handle=row.handle,
        password="",
        email=row.email or None,
        display_name=row.display_name,
        locale=row.locale or "en",
        time_zone=row.time_zone or "UTC",
    )
