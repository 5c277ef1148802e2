"""Whose rows a list shows: ``?account=`` and ``?class=``."""

from judge.db.engine import Database
from judge.db.queries.accounts import find_account
from judge.db.queries.classes import ACTIVE, LEARNER, is_learner_of
from judge.db.queries.members import find_member
from judge.db.queries.school_classes import select_class
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


def select_learner(database: Database, caller: Caller, account: str) -> str:
    """The id of an account that learns in a class which the caller teaches.

    Raises:
        Forbidden: ``admin-only``, whether or not there is such an account.
    """
    with database.read() as connection:
        found = find_account(connection, account)
        if found is None or not is_learner_of(connection, caller.ties.taught, found.id):
            raise Forbidden("admin-only")
    return found.id


def select_member(
    database: Database, caller: Caller, class_id: str, account: str | None
) -> str | None:
    """The id of the learner of a class whose rows are asked for; None for all of its learners'.

    Who teaches the class asks for any of them, who learns there for the own rows alone.

    Raises:
        NotFound: there is no such class or learner, or the caller may not know of it.
        Forbidden: ``admin-only``, where a learner asks for somebody else.
    """
    is_own = account is not None and account.lower() == caller.handle.lower()
    with database.read() as connection:
        select_class(connection, class_id, caller)
        if not caller.teaches(class_id):
            if not caller.learns_in(class_id):
                raise NotFound("class-not-found")
            if account is not None and not is_own:
                raise Forbidden("admin-only")
            return caller.account_id
        if account is None or account == EVERYBODY:
            return None
        found = find_account(connection, account)
        place = None if found is None else find_member(connection, class_id, found.id)
    if place is None or (place.role, place.state) != (LEARNER, ACTIVE):
        raise NotFound("account-not-found")
    return place.account_id
