"""Showing a learner one hidden case that the submission failed, for one of few reveals.

How many an account has on a problem is the package's decision (``reveal.cases``); they are counted
over all revisions. What is shown is judge.domain.access.visible_case's decision.
"""

from dataclasses import dataclass

from sqlalchemy import Connection, insert, select

from judge.db.engine import Database
from judge.db.queries.accounts import lock_account
from judge.db.queries.problems import select_revision
from judge.db.queries.submissions import Submission, select_submission
from judge.db.queries.unlocks import count_reveals, list_revealed
from judge.db.tables import test_case, test_result, unlock
from judge.db.types import now
from judge.domain.access import Caller, may_reveal
from judge.domain.problem import Visibility
from judge.domain.verdicts import Verdict
from judge.errors import Conflict, Forbidden, NotFound

KIND = "reveal"


@dataclass(frozen=True)
class Revealed:
    """Which case of which judgement may be shown now; None left means without a limit."""

    judgement_id: str
    path: str
    reveals_left: int | None


def reveal(database: Database, caller: Caller, submission_id: str, ordinal: int) -> Revealed:
    """Spend a reveal on a case of the submission's current judgement.

    A case that was revealed before costs nothing, and staff, who see every case, spend none.

    Raises:
        NotFound: the submission is not the caller's.
        Conflict: ``not-revealable``: there is no result of such a case, it passed, was not run, or
            is never shown.
        Forbidden: ``reveal-budget-spent``.
    """
    with database.write() as connection:
        lock_account(connection, caller.account_id)
        found = select_submission(connection, submission_id)
        if found.account_id != caller.account_id:
            raise NotFound("submission-not-found")
        path, visibility, verdict = _select_case(connection, found, ordinal)
        judged = found.judgement
        if caller.role.is_staff:
            return Revealed(judged.id, path, None)
        policy = select_revision(connection, judged.revision_id).reveal
        budget = int(policy.get("cases", 0))
        left = max(0, budget - count_reveals(connection, caller.account_id, found.problem_id))
        if path in list_revealed(connection, caller.account_id, judged.revision_id):
            return Revealed(judged.id, path, left)
        if not budget or not may_reveal(visibility, verdict):
            raise Conflict("not-revealable")
        if left <= 0:
            raise Forbidden("reveal-budget-spent", reveals=budget)
        connection.execute(
            insert(unlock).values(
                account_id=caller.account_id,
                problem_id=found.problem_id,
                kind=KIND,
                ref=str(ordinal),
                revision_id=judged.revision_id,
                created_at=now(),
            )
        )
    return Revealed(judged.id, path, left - 1)


def _select_case(
    connection: Connection, found: Submission, ordinal: int
) -> tuple[str, Visibility, Verdict]:
    row = connection.execute(
        select(test_case.c.path, test_case.c.visibility, test_result.c.verdict)
        .join(test_result, test_result.c.test_case_id == test_case.c.id)
        .where(test_result.c.judgement_id == found.judgement.id, test_case.c.ordinal == ordinal)
    ).one_or_none()
    if row is None:
        raise Conflict("not-revealable")
    return row.path, Visibility(row.visibility), Verdict(row.verdict)
