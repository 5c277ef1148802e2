"""The link by which somebody sets a new password who has lost the old one."""

from judge.actions.audit import add_audit, add_notices
from judge.actions.links import RESET, NewLink, make_link
from judge.db.engine import Database
from judge.db.queries.accounts import find_account, lock_account, select_account
from judge.db.queries.classes import learns_with
from judge.db.types import new_id
from judge.domain.access import Caller, may_reset_password
from judge.errors import Conflict, NotFound

NOTICE = "reset-link"


def make_reset_link(database: Database, caller: Caller, account_id: str) -> NewLink:
    """Make a reset link for an account and tell its owner; an earlier link for it ends.

    The present password keeps working until the link is used.

    Raises:
        NotFound: there is no such account, or it is not the caller's to reset.
        Conflict: ``account-not-active``.
    """
    with database.write() as connection:
        # Whether the account exists is not told to who may not reset it.
        lock_account(connection, account_id)
        owner = select_account(connection, account_id)
        is_own = learns_with(connection, caller.ties, account_id)
        if not may_reset_password(caller, owner.role, is_own_learner=is_own):
            raise NotFound("account-not-found")
        if owner.state != "active":
            raise Conflict("account-not-active", state=owner.state)
        link = make_link(
            connection, RESET, owner.role, account_id=account_id, created_by=caller.account_id
        )
        add_audit(connection, caller, "account.reset-link", f"account:{account_id}", {}, {})
        # Each link is told once: a notice is one by what it refers to.
        add_notices(connection, [account_id], NOTICE, new_id())
    return link


def make_reset_link_for_handle(database: Database, handle: str) -> NewLink:
    """The same for whoever runs the judge.

    Raises:
        NotFound: there is no such account.
        Conflict: ``account-not-active``.
    """
    with database.write() as connection:
        owner = find_account(connection, handle)
        if owner is None:
            raise NotFound("handle-not-found", handle=handle)
        if owner.state != "active":
            raise Conflict("account-not-active", state=owner.state)
        link = make_link(connection, RESET, owner.role, account_id=owner.id)
        add_audit(connection, None, "account.reset-link", f"account:{owner.id}", {}, {})
        add_notices(connection, [owner.id], NOTICE, new_id())
    return link
