"""The rows that a gradebook is computed from (judge.domain.gradebook)."""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    Boolean,
    Connection,
    Float,
    Select,
    Subquery,
    and_,
    case,
    cast,
    false,
    func,
    select,
)

from judge.db.queries.classes import ACTIVE, LEARNER
from judge.db.queries.members import Member
from judge.db.tables import account, assignment, judgement, membership, submission, unlock
from judge.domain.gradebook import Candidate
from judge.domain.scoring import Score
from judge.domain.verdicts import Verdict


def list_learners(connection: Connection, class_id: str) -> tuple[Member, ...]:
    """Who learns in a class, by handle; nobody who is only invited."""
    query = (
        select(
            membership.c.account_id,
            account.c.handle,
            account.c.display_name,
            membership.c.role,
            membership.c.state,
            membership.c.external_id,
            membership.c.joined_at,
        )
        .join(account, account.c.id == membership.c.account_id)
        .where(_is_learner(class_id))
        .order_by(account.c.handle_key, account.c.id)
    )
    return tuple(Member(*row) for row in connection.execute(query))


def map_candidates(
    connection: Connection, class_id: str, as_of: datetime
) -> dict[tuple[str, str], list[Candidate]]:
    """By account and assignment id: the best submission in time and the best late one.

    Args:
        connection: where to read.
        class_id: which class.
        as_of: submissions after this time do not count.
    """
    ranked = _ranked(class_id, as_of)
    found: dict[tuple[str, str], list[Candidate]] = {}
    for row in connection.execute(select(ranked).where(ranked.c.place == 1)):
        key = (row.account_id, row.assignment_id)
        found.setdefault(key, []).append(_candidate(row))
    return found


def map_class_openings(
    connection: Connection, class_id: str, as_of: datetime
) -> dict[tuple[str, str], datetime]:
    """When a class's learners first read the solution, by account and problem id."""
    query = (
        select(unlock.c.account_id, unlock.c.problem_id, func.min(unlock.c.created_at).label("at"))
        .where(
            unlock.c.kind == "solution",
            unlock.c.created_at <= as_of,
            unlock.c.account_id.in_(learner_ids(class_id)),
            unlock.c.problem_id.in_(problem_ids(class_id)),
        )
        .group_by(unlock.c.account_id, unlock.c.problem_id)
    )
    return {(row.account_id, row.problem_id): row.at for row in connection.execute(query)}


def learner_ids(class_id: str) -> Select[Any]:
    """The accounts that learn in a class, as a subquery."""
    return select(membership.c.account_id).where(_is_learner(class_id))


def problem_ids(class_id: str) -> Select[Any]:
    """The problems that a class was given, as a subquery."""
    return select(assignment.c.problem_id).where(assignment.c.class_id == class_id)


def _is_learner(class_id: str) -> Any:
    return and_(
        membership.c.class_id == class_id,
        membership.c.role == LEARNER,
        membership.c.state == ACTIVE,
    )


def _ranked(class_id: str, as_of: datetime) -> Subquery:
    """Every submission that may count, with its place among those of its kind."""
    is_late = case(
        (assignment.c.due_at.is_(None), false()),
        else_=cast(submission.c.created_at > assignment.c.due_at, Boolean),
    )
    kind = (submission.c.account_id, assignment.c.id, is_late)
    shares = case(
        (judgement.c.score_den > 0, cast(judgement.c.score_num, Float) / judgement.c.score_den),
        else_=0.0,
    )
    return (
        select(
            submission.c.account_id,
            assignment.c.id.label("assignment_id"),
            submission.c.id.label("submission_id"),
            submission.c.created_at,
            judgement.c.finished_at,
            judgement.c.score_num,
            judgement.c.score_den,
            is_late.label("is_late"),
            func.count().over(partition_by=kind).label("submissions"),
            func.row_number()
            .over(
                partition_by=kind,
                order_by=(shares.desc(), submission.c.created_at, submission.c.id),
            )
            .label("place"),
        )
        .select_from(assignment)
        .join(membership, membership.c.class_id == assignment.c.class_id)
        .join(
            submission,
            and_(
                submission.c.account_id == membership.c.account_id,
                submission.c.problem_id == assignment.c.problem_id,
            ),
        )
        .join(judgement, judgement.c.submission_id == submission.c.id)
        .where(
            _is_learner(class_id),
            judgement.c.is_current,
            judgement.c.state == "judged",
            judgement.c.verdict != Verdict.INTERNAL_ERROR.value,
            submission.c.created_at <= as_of,
            assignment.c.opens_at.is_(None) | (submission.c.created_at >= assignment.c.opens_at),
        )
        .subquery("ranked")
    )


def _candidate(row: Any) -> Candidate:
    return Candidate(
        submission_id=row.submission_id,
        score=Score(row.score_num, row.score_den),
        created_at=row.created_at,
        judged_at=row.finished_at,
        is_late=bool(row.is_late),
        submissions=row.submissions,
    )
