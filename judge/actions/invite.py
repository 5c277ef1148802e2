"""Inviting people who have no account yet."""

from sqlalchemy import Connection

from judge.actions.audit import add_audit
from judge.actions.links import INVITATION, NewLink, make_link
from judge.db.engine import Database
from judge.db.queries.classes import is_open_class
from judge.domain.access import Caller, Role, may_invite
from judge.errors import Forbidden, NotFound


def invite(
    database: Database,
    caller: Caller | None,
    role: Role,
    class_id: str | None = None,
    count: int = 1,
    *,
    is_closed: bool = False,
) -> tuple[NewLink, ...]:
    """Make invitations, each for one account; without a caller it is whoever runs the judge.

    ``is_closed``: only admins make accounts on this judge.

    Raises:
        NotFound: there is no such class, it is archived, or it is not the caller's.
        Forbidden: the caller may not make accounts of that role, or none outside of classes.
    """
    with database.write() as connection:
        if class_id is not None:
            _check_class(connection, caller, class_id)
        if caller is not None and not may_invite(caller, role, class_id, is_closed):
            raise Forbidden("invitation-not-allowed")
        maker = None if caller is None else caller.account_id
        links = tuple(
            make_link(connection, INVITATION, role, class_id=class_id, created_by=maker)
            for _ in range(count)
        )
        target = "judge" if class_id is None else f"class:{class_id}"
        after = {"role": role.value, "count": count}
        add_audit(connection, caller, "account.invite", target, {}, after)
    return links


def _check_class(connection: Connection, caller: Caller | None, class_id: str) -> None:
    is_theirs = caller is None or caller.teaches(class_id)
    if not is_theirs or not is_open_class(connection, class_id):
        raise NotFound("class-not-found")
