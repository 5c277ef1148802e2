"""What an account has done and opened on a problem."""

from datetime import datetime

from sqlalchemy import Connection, String, cast, func, select

from judge.db.tables import best_score, submission, test_case, unlock
from judge.domain.access import Effort


def select_effort(connection: Connection, account_id: str, problem_id: str) -> Effort:
    """Number of stored submissions, and whether one of them was accepted with full score."""
    count = connection.scalar(
        select(func.count())
        .select_from(submission)
        .where(submission.c.account_id == account_id, submission.c.problem_id == problem_id)
    )
    accepted = connection.scalar(
        select(best_score.c.first_accepted_at).where(
            best_score.c.account_id == account_id, best_score.c.problem_id == problem_id
        )
    )
    return Effort(count or 0, accepted is not None)


def list_opened(
    connection: Connection, account_id: str, problem_id: str, kind: str
) -> frozenset[str]:
    """What was opened, on whatever revision: hint numbers, or case numbers for ``reveal``."""
    query = select(unlock.c.ref).where(
        unlock.c.account_id == account_id,
        unlock.c.problem_id == problem_id,
        unlock.c.kind == kind,
    )
    return frozenset(connection.scalars(query))


def find_solution_opening(
    connection: Connection, account_id: str, problem_id: str
) -> datetime | None:
    """When the account first read the solution, if it did."""
    query = select(func.min(unlock.c.created_at)).where(
        unlock.c.account_id == account_id,
        unlock.c.problem_id == problem_id,
        unlock.c.kind == "solution",
    )
    opened_at: datetime | None = connection.scalar(query)
    return opened_at


def map_solution_openings(
    connection: Connection, problem_id: str | None = None
) -> dict[tuple[str, str], datetime]:
    """When each account first read a solution, by account and problem id."""
    query = (
        select(unlock.c.account_id, unlock.c.problem_id, func.min(unlock.c.created_at).label("at"))
        .where(unlock.c.kind == "solution")
        .group_by(unlock.c.account_id, unlock.c.problem_id)
    )
    if problem_id is not None:
        query = query.where(unlock.c.problem_id == problem_id)
    return {(row.account_id, row.problem_id): row.at for row in connection.execute(query)}


def count_reveals(connection: Connection, account_id: str, problem_id: str) -> int:
    """How many reveals an account has spent on a problem, over all its revisions."""
    query = select(func.count()).where(
        unlock.c.account_id == account_id,
        unlock.c.problem_id == problem_id,
        unlock.c.kind == "reveal",
    )
    return connection.scalar(query) or 0


def list_revealed(connection: Connection, account_id: str, revision_id: str) -> frozenset[str]:
    """Paths of a revision's cases that the account spent a reveal on."""
    query = (
        select(test_case.c.path)
        .join(
            unlock,
            (unlock.c.revision_id == test_case.c.revision_id)
            & (unlock.c.ref == cast(test_case.c.ordinal, String)),
        )
        .where(
            unlock.c.account_id == account_id,
            unlock.c.kind == "reveal",
            unlock.c.revision_id == revision_id,
        )
    )
    return frozenset(connection.scalars(query))
