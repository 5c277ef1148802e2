"""Giving a class a problem, changing on which terms, and taking it back."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, update
from sqlalchemy.exc import IntegrityError

from judge.actions.audit import add_audit
from judge.actions.class_rules import MAX_ASSIGNMENTS
from judge.actions.score_turn import next_score_moment, take_score_turn
from judge.db.engine import Database
from judge.db.queries.assignments import Assignment, count_assignments, select_assignment
from judge.db.queries.problems import Problem, find_problem, select_visible_problem
from judge.db.queries.school_classes import lock_class, select_taught_class
from judge.db.tables import assignment
from judge.db.types import new_id, now
from judge.domain.access import Caller, may_manage_problem
from judge.domain.gradebook import Terms
from judge.errors import Conflict, Invalid, flaw

MAX_WEIGHT = 1000
MAX_POSITION = 1_000_000


@dataclass(frozen=True)
class NewAssignment:
    """What is given to a class; without a position it comes last, without a title it has none."""

    slug: str
    terms: Terms
    title: str = ""
    weight: int = 1
    position: int | None = None


@dataclass(frozen=True)
class AssignmentChange:
    """What an assignment becomes, as a whole."""

    terms: Terms
    title: str
    weight: int
    position: int


def assign(database: Database, teacher: Caller, class_id: str, new: NewAssignment) -> str:
    """Give a class a problem that the teacher sees; the assignment's id.

    Raises:
        NotFound: there is no such class or problem, or the caller may not know of it.
        Invalid: it would open after it is due.
        Conflict: ``assignment-exists``, ``class-archived``, ``too-many-assignments``;
            ``not-published``, of a problem that the teacher may publish.
    """
    _check(new.terms)
    try:
        with database.write() as connection:
            return _insert(connection, teacher, class_id, new)
    except IntegrityError:
        raise Conflict("assignment-exists", slug=new.slug) from None


def change_assignment(
    database: Database, teacher: Caller, expected: Assignment, change: AssignmentChange
) -> Assignment:
    """Change an assignment that is still as the caller has read it.

    Raises:
        NotFound: there is no such assignment, or the caller does not teach the class.
        Invalid: it would open after it is due.
        Conflict: ``assignment-changed``.
    """
    _check(change.terms)
    with database.write() as connection:
        _lock(connection, teacher, expected.class_id)
        before = select_assignment(connection, expected.class_id, expected.id)
        if before != expected:
            raise Conflict("assignment-changed")
        values = {
            "title": change.title,
            "weight": change.weight,
            "position": change.position,
            "opens_at": change.terms.opens_at,
            "due_at": change.terms.due_at,
            "late_percent": change.terms.late_percent,
        }
        connection.execute(
            update(assignment)
            .where(assignment.c.id == before.id)
            .values(**values, updated_at=max(now(), before.updated_at))
        )
        after = select_assignment(connection, before.class_id, before.id)
        target = f"assignment:{before.id}"
        add_audit(
            connection, teacher, "assignment.change", target, _audited(before), _audited(after)
        )
    return after


def unassign(database: Database, teacher: Caller, class_id: str, assignment_id: str) -> None:
    """Take an assignment back; what was handed in stays its owners'.

    Raises:
        NotFound: there is no such assignment, or the caller does not teach the class.
    """
    with database.write() as connection:
        _lock(connection, teacher, class_id)
        before = select_assignment(connection, class_id, assignment_id)
        connection.execute(delete(assignment).where(assignment.c.id == assignment_id))
        target = f"assignment:{assignment_id}"
        add_audit(connection, teacher, "assignment.remove", target, _audited(before), {})


def _select_given(connection: Connection, slug: str, teacher: Caller) -> Problem:
    found = find_problem(connection, slug)
    if (
        found is not None
        and found.revision_id is None
        and may_manage_problem(teacher, found.owner_id)
    ):
        raise Conflict("not-published", slug=slug)
    return select_visible_problem(connection, slug, teacher).problem


def _insert(connection: Connection, teacher: Caller, class_id: str, new: NewAssignment) -> str:
    lock_class(connection, class_id)
    if select_taught_class(connection, class_id, teacher).archived_at is not None:
        raise Conflict("class-archived")
    problem = _select_given(connection, new.slug, teacher)
    total, largest = count_assignments(connection, class_id)
    if total >= MAX_ASSIGNMENTS:
        raise Conflict("too-many-assignments", most=MAX_ASSIGNMENTS)
    take_score_turn(connection)
    # Whoever asks what changed since is shown the scores of the problem too.
    moment, assignment_id = next_score_moment(connection), new_id()
    position = min(largest + 1, MAX_POSITION) if new.position is None else new.position
    connection.execute(
        insert(assignment).values(
            id=assignment_id,
            class_id=class_id,
            problem_id=problem.id,
            title=new.title,
            position=position,
            weight=new.weight,
            opens_at=new.terms.opens_at,
            due_at=new.terms.due_at,
            late_percent=new.terms.late_percent,
            created_at=moment,
            updated_at=moment,
        )
    )
    after = _audited(select_assignment(connection, class_id, assignment_id))
    add_audit(connection, teacher, "assignment.add", f"assignment:{assignment_id}", {}, after)
    return assignment_id


def _lock(connection: Connection, teacher: Caller, class_id: str) -> None:
    lock_class(connection, class_id)
    select_taught_class(connection, class_id, teacher)


def _check(terms: Terms) -> None:
    if terms.opens_at is not None and terms.due_at is not None and terms.opens_at > terms.due_at:
        raise Invalid("invalid-assignment", flaw("/due_at", "due-before-opening"))


def _audited(one: Assignment) -> dict[str, object]:
    return {
        "class": one.class_id,
        "problem": one.slug,
        "title": one.title,
        "weight": one.weight,
        "position": one.position,
        "opens_at": _shown(one.terms.opens_at),
        "due_at": _shown(one.terms.due_at),
        "late_percent": one.terms.late_percent,
    }


def _shown(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
