"""Coming into a class, and going: what only the account itself decides.

Being in a class lets its teachers read one's work on the class's problems, so a list of names makes
nobody a member who did not agree (judge.actions.roster).
"""

from sqlalchemy import Connection, delete, insert, update

from judge.actions.audit import add_audit
from judge.actions.class_rules import INVITATION_NOTICE, MAX_MEMBERS, hash_join_code
from judge.actions.score_turn import next_score_moment, take_score_turn
from judge.db.engine import Database
from judge.db.queries.classes import ACTIVE, LEARNER, TEACHER
from judge.db.queries.members import Member, count_teachers, find_member, list_members
from judge.db.queries.school_classes import (
    find_class_by_code,
    lock_class,
    select_class,
    select_taught_class,
)
from judge.db.tables import membership, notice
from judge.db.types import now
from judge.domain.access import Caller
from judge.errors import Conflict, Gone, NotFound


def join_class(database: Database, caller: Caller, code: str) -> str:
    """Join the class that a code opens; its id. Who is a member already stays what it is.

    Raises:
        Gone: no class has this code now.
        Conflict: ``class-full``.
    """
    with database.write() as connection:
        code_hash = hash_join_code(code)
        class_id = find_class_by_code(connection, code_hash)
        if class_id is None:
            raise Gone("join-code-dead")
        lock_class(connection, class_id)
        if find_class_by_code(connection, code_hash) != class_id:
            raise Gone("join-code-dead")
        add_member(connection, class_id, caller.account_id)
    return class_id


def accept_invitation(database: Database, caller: Caller, class_id: str) -> None:
    """Become a member where one is invited.

    Raises:
        NotFound: there is no such class, or the caller has nothing to do with it.
        Conflict: ``not-invited``; ``class-archived``.
    """
    with database.write() as connection:
        lock_class(connection, class_id)
        found = select_class(connection, class_id, caller)
        if found.state is None:
            raise Conflict("not-invited")
        if found.archived_at is not None:
            raise Conflict("class-archived")
        add_member(connection, class_id, caller.account_id)


def add_member(connection: Connection, class_id: str, account_id: str) -> None:
    """Make an account that agreed a member; the caller has locked the class.

    Who was invited becomes what the invitation says, anybody else a learner.

    Raises:
        Conflict: ``class-full``.
    """
    here = (membership.c.class_id == class_id) & (membership.c.account_id == account_id)
    found = find_member(connection, class_id, account_id)
    if found is not None and found.state == ACTIVE:
        return
    # Whoever asks what changed since is shown a new member's scores too.
    take_score_turn(connection)
    joined_at = next_score_moment(connection)
    if found is not None:
        connection.execute(update(membership).where(here).values(state=ACTIVE, joined_at=joined_at))
        return
    if len(list_members(connection, class_id, None, MAX_MEMBERS)) >= MAX_MEMBERS:
        raise Conflict("class-full", most=MAX_MEMBERS)
    connection.execute(
        insert(membership).values(
            class_id=class_id,
            account_id=account_id,
            role=LEARNER,
            state=ACTIVE,
            created_at=now(),
            joined_at=joined_at,
        )
    )


def leave_class(database: Database, caller: Caller, class_id: str) -> None:
    """Leave a class, or decline its invitation.

    Raises:
        NotFound: the caller is neither a member nor invited.
        Conflict: ``last-teacher``.
    """
    with database.write() as connection:
        lock_class(connection, class_id)
        found = find_member(connection, class_id, caller.account_id)
        if found is None:
            raise NotFound("class-not-found")
        _remove(connection, class_id, found)


def remove_member(database: Database, teacher: Caller, class_id: str, account_id: str) -> None:
    """Take somebody out of a class, or an invitation back.

    Raises:
        NotFound: there is no such class, the caller does not teach it, or it has no such member.
        Conflict: ``last-teacher``.
    """
    with database.write() as connection:
        lock_class(connection, class_id)
        select_taught_class(connection, class_id, teacher)
        found = find_member(connection, class_id, account_id)
        if found is None:
            raise NotFound("member-not-found")
        _remove(connection, class_id, found)
        before = {"account": account_id, "role": found.role, "state": found.state}
        add_audit(connection, teacher, "class.remove-member", f"class:{class_id}", before, {})


def _remove(connection: Connection, class_id: str, member: Member) -> None:
    teaches = member.role == TEACHER and member.state == ACTIVE
    if teaches and count_teachers(connection, class_id) <= 1:
        raise Conflict("last-teacher")
    connection.execute(
        delete(membership).where(
            membership.c.class_id == class_id, membership.c.account_id == member.account_id
        )
    )
    # What is no more need not be read; kept, so that nobody is told of one class again and again.
    connection.execute(
        update(notice)
        .where(
            notice.c.account_id == member.account_id,
            notice.c.kind == INVITATION_NOTICE,
            notice.c.ref == class_id,
            notice.c.read_at.is_(None),
        )
        .values(read_at=now())
    )
