"""What admins change of an account: role, state, name. One admin is always left."""

from dataclasses import dataclass

from sqlalchemy import Connection, update

from judge.actions.accounts import profile_flaws
from judge.actions.audit import add_audit
from judge.actions.end_access import end_access
from judge.db.engine import Database
from judge.db.queries.accounts import (
    Account,
    find_account,
    lock_account,
    lock_active_admins,
    select_account,
)
from judge.db.tables import account
from judge.domain.access import Caller, Role
from judge.errors import Conflict, Invalid, NotFound


@dataclass(frozen=True)
class AccountChange:
    """What becomes of an account; None leaves a field as it is. ``state``: active, disabled."""

    role: Role | None = None
    state: str | None = None
    display_name: str | None = None


def change_account(
    database: Database, actor: Caller | None, before: Account, change: AccountChange
) -> Account:
    """Change the account that was read as ``before``; who is disabled is out at once.

    Without an actor it was whoever runs the judge.

    Raises:
        Invalid: the name breaks its rule.
        Conflict: ``account-changed``, if it is no longer as it was; ``last-admin``;
            ``account-erased``.
    """
    if change.display_name is not None:
        name = change.display_name
        flaws = tuple(profile_flaws(None, name, before.locale, before.time_zone))
        if flaws:
            raise Invalid("invalid-account", *flaws, variant="change")
    with database.write() as connection:
        admins = lock_active_admins(connection)
        lock_account(connection, before.id)
        if select_account(connection, before.id) != before:
            raise Conflict("account-changed")
        return _apply(connection, actor, before, change, admins)


def change_role(database: Database, handle: str, role: Role) -> Account:
    """Give an account another role, as whoever runs the judge.

    Raises:
        NotFound: there is no such account.
        Conflict: it is the last admin.
    """
    with database.write() as connection:
        admins = lock_active_admins(connection)
        found = find_account(connection, handle)
        if found is None:
            raise NotFound("handle-not-found", handle=handle)
        return _apply(connection, None, found, AccountChange(role=role), admins)


def _apply(
    connection: Connection,
    actor: Caller | None,
    before: Account,
    change: AccountChange,
    admins: int,
) -> Account:
    if before.state == "erased":
        raise Conflict("account-erased")
    role = change.role or before.role
    state = change.state or before.state
    stays_admin = role is Role.ADMIN and state == "active"
    is_active_admin = before.role is Role.ADMIN and before.state == "active"
    if is_active_admin and not stays_admin and admins <= 1:
        raise Conflict("last-admin")
    earlier = {
        "role": before.role.value,
        "state": before.state,
        "display_name": before.display_name,
    }
    name = before.display_name if change.display_name is None else change.display_name
    wanted = {"role": role.value, "state": state, "display_name": name or before.handle}
    changed = {key: value for key, value in wanted.items() if value != earlier[key]}
    if not changed:
        return before
    connection.execute(update(account).where(account.c.id == before.id).values(changed))
    if "state" in changed:
        end_access(connection, before.id)
    # The log outlives an erasure, so it says that the name was changed, not what it was.
    kept, made = (
        {key: None if key == "display_name" else values[key] for key in changed}
        for values in (earlier, wanted)
    )
    add_audit(connection, actor, "account.change", f"account:{before.id}", kept, made)
    return select_account(connection, before.id)
