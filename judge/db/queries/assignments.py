"""What classes are given to solve."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, func, select, tuple_

from judge.db.queries.classes import ACTIVE, LEARNER
from judge.db.tables import assignment, membership, problem, revision, school_class
from judge.domain.access import Caller, may_see_problem, sight_of
from judge.domain.gradebook import Terms
from judge.errors import NotFound


@dataclass(frozen=True)
class Assignment:
    """A problem that a class is given, and on which terms."""

    id: str
    class_id: str
    problem_id: str
    slug: str
    points: int
    title: str
    position: int
    weight: int
    terms: Terms
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True)
class GivenAssignment:
    """An assignment as one of the class's learners has it before them."""

    assignment: Assignment
    class_name: str
    time_zone: str


def list_assignments(
    connection: Connection,
    class_id: str,
    after: tuple[int, str] | None = None,
    limit: int | None = None,
) -> tuple[Assignment, ...]:
    """A class's assignments by position and id, those behind ``after``."""
    query = _assignments().where(assignment.c.class_id == class_id)
    if after is not None:
        query = query.where(tuple_(assignment.c.position, assignment.c.id) > after)
    query = query.order_by(assignment.c.position, assignment.c.id).limit(limit)
    return tuple(map(_assignment, connection.execute(query)))


def select_assignment(connection: Connection, class_id: str, assignment_id: str) -> Assignment:
    """One of a class's assignments.

    Raises:
        NotFound: the class has no such assignment.
    """
    query = _assignments().where(
        assignment.c.id == assignment_id, assignment.c.class_id == class_id
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound("assignment-not-found")
    return _assignment(row)


def count_assignments(connection: Connection, class_id: str) -> tuple[int, int]:
    """How many assignments a class has, and the largest position."""
    query = select(func.count(), func.max(assignment.c.position)).where(
        assignment.c.class_id == class_id
    )
    total, largest = connection.execute(query).one()
    return total, largest or 0


def list_given(
    connection: Connection, learner: Caller, moment: datetime
) -> tuple[GivenAssignment, ...]:
    """What a learner's classes have opened until now, the next due first, the undue last.

    Classes in the archive are over, and a problem that the learner cannot find is not named.
    """
    query = (
        _assignments()
        .add_columns(
            school_class.c.name.label("class_name"),
            school_class.c.time_zone,
            problem.c.visibility,
            revision.c.author_id,
        )
        .join(school_class, school_class.c.id == assignment.c.class_id)
        .join(membership, membership.c.class_id == assignment.c.class_id)
        .join(revision, (revision.c.problem_id == problem.c.id) & (revision.c.number == 1))
        .where(
            membership.c.account_id == learner.account_id,
            membership.c.role == LEARNER,
            membership.c.state == ACTIVE,
            school_class.c.archived_at.is_(None),
            problem.c.state == "published",
            assignment.c.opens_at.is_(None) | (assignment.c.opens_at <= moment),
        )
        .order_by(assignment.c.due_at.is_(None), assignment.c.due_at, assignment.c.id)
    )
    sight = sight_of(learner)
    return tuple(
        GivenAssignment(_assignment(row), row.class_name, row.time_zone)
        for row in connection.execute(query)
        if may_see_problem(sight, row.visibility, row.author_id)
    )


def _assignments() -> Select[Any]:
    return select(*assignment.c, problem.c.slug, problem.c.points).join(
        problem, problem.c.id == assignment.c.problem_id
    )


def _assignment(row: Any) -> Assignment:
    return Assignment(
        id=row.id,
        class_id=row.class_id,
        problem_id=row.problem_id,
        slug=row.slug,
        points=row.points,
        title=row.title,
        position=row.position,
        weight=row.weight,
        terms=Terms(row.opens_at, row.due_at, row.late_percent),
        created_at=row.created_at,
        updated_at=row.updated_at,
    )
