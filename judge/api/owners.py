"""Whose rows a list shows: ``?account=``."""

from judge.db.engine import Database
from judge.db.queries.accounts import find_account
from judge.domain.access import Caller
from judge.errors import Forbidden, NotFound

EVERYBODY = "*"


def select_owner(database: Database, caller: Caller, account: str | None) -> str | None:
    """The id of the account whose rows are asked for; None for everybody's.

    Args:
        database: where to look a handle up.
        caller: who asks.
        account: a handle, ``*`` for everybody, or None for the caller's own.

    Raises:
        Forbidden: ``admin-only``, whether or not the account exists.
        NotFound: there is no such account.
    """
    if account is None or account.lower() == caller.handle.lower():
        return caller.account_id
    if not caller.role.reads_all_work:
        raise Forbidden("admin-only")
    if account == EVERYBODY:
        return None
    with database.read() as connection:
        found = find_account(connection, account)
    if found is None:
        raise NotFound("account-not-found")
    return found.id
