"""Classes: who is bound to whom by them."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, exists, or_, select

from judge.db.tables import assignment, membership, school_class
from judge.db.types import now
from judge.domain.access import ClassTies, Role

TEACHER, LEARNER = "teacher", "learner"
ACTIVE, INVITED = "active", "invited"


def select_ties(connection: Connection, account_id: str, role: Role) -> ClassTies:
    """The classes that an account has joined, and who teaches there.

    Who is no longer staff teaches nowhere, whatever a class's list says.
    """
    own, others = membership.alias("own"), membership.alias("others")
    teaches_too = and_(
        others.c.class_id == own.c.class_id, others.c.role == TEACHER, others.c.state == ACTIVE
    )
    query = (
        select(own.c.class_id, own.c.role, others.c.account_id)
        .outerjoin(others, teaches_too)
        .where(own.c.account_id == account_id, own.c.state == ACTIVE)
    )
    rows = connection.execute(query).all()
    taught = {row.class_id for row in rows if row.role == TEACHER and role.is_staff}
    return ClassTies(
        taught=frozenset(taught),
        joined=frozenset(row.class_id for row in rows) - taught,
        teacher_ids=frozenset(row.account_id for row in rows if row.account_id is not None),
    )


def is_learner_of(connection: Connection, class_ids: Collection[str], account_id: str) -> bool:
    """Whether an account learns in one of these classes."""
    found = exists().where(
        membership.c.account_id == account_id,
        membership.c.role == LEARNER,
        membership.c.state == ACTIVE,
        membership.c.class_id.in_(class_ids),
    )
    return bool(connection.scalar(select(found)))


def has_opened(moment: datetime) -> ColumnElement[bool]:
    """Of an assignment: whether its class sees it."""
    return or_(assignment.c.opens_at.is_(None), assignment.c.opens_at <= moment)


def is_taught(connection: Connection, ties: ClassTies, account_id: str, problem_id: str) -> bool:
    """Whether an account learns in one of the taught classes, and that was given the problem.

    What the members cannot see yet was not given: nobody's work is read behind their backs.
    """
    if not ties.taught:
        return False
    found = exists().where(
        membership.c.account_id == account_id,
        membership.c.role == LEARNER,
        membership.c.state == ACTIVE,
        membership.c.class_id.in_(ties.taught),
        assignment.c.class_id == membership.c.class_id,
        assignment.c.problem_id == problem_id,
        has_opened(now()),
    )
    return bool(connection.scalar(select(found)))


def learns_with(connection: Connection, ties: ClassTies, account_id: str) -> bool:
    """Whether an account learns in one of the taught classes that is not archived."""
    if not ties.taught:
        return False
    found = exists().where(
        membership.c.account_id == account_id,
        membership.c.role == LEARNER,
        membership.c.state == ACTIVE,
        membership.c.class_id.in_(ties.taught),
        school_class.c.id == membership.c.class_id,
        school_class.c.archived_at.is_(None),
    )
    return bool(connection.scalar(select(found)))


def is_open_class(connection: Connection, class_id: str) -> bool:
    """Whether there is such a class and it is not archived."""
    query = select(school_class.c.id).where(
        school_class.c.id == class_id, school_class.c.archived_at.is_(None)
    )
    return connection.scalar(query) is not None


def find_class_name(connection: Connection, class_id: str) -> str | None:
    """What a class is called."""
    return connection.scalar(select(school_class.c.name).where(school_class.c.id == class_id))
