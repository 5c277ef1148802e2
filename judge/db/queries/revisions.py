"""Revisions of a problem that a reader may read besides the published one."""

from sqlalchemy import Connection, select

from judge.db.queries.problems import Revision, VisibleProblem, select_revision
from judge.db.tables import judgement, rejudge_item, submission
from judge.domain.access import Caller, may_read_revision
from judge.errors import NotFound


def select_readable_revision(
    connection: Connection, caller: Caller | None, visible: VisibleProblem, revision_id: str
) -> Revision:
    """A revision of a problem that the caller sees.

    Raises:
        NotFound: it is no revision of the problem, or the caller may not read it.
    """
    found = select_revision(connection, revision_id)
    is_used = caller is not None and has_submitted_on(connection, caller.account_id, found.id)
    is_published = found.id == visible.revision.id
    may_read = may_read_revision(caller, is_published=is_published, is_used=is_used)
    if found.problem_id != visible.problem.id or not may_read:
        raise NotFound("revision-not-found")
    return found


def has_submitted_on(connection: Connection, account_id: str, revision_id: str) -> bool:
    """Whether an account handed something in for a revision, or was judged on it for good."""
    is_final = (judgement.c.cause != "rejudge") | (rejudge_item.c.decision == "taken")
    query = (
        select(submission.c.id)
        .join(judgement, judgement.c.submission_id == submission.c.id)
        .outerjoin(rejudge_item, rejudge_item.c.judgement_id == judgement.c.id)
        .where(
            submission.c.account_id == account_id,
            (submission.c.revision_id == revision_id)
            | ((judgement.c.revision_id == revision_id) & is_final),
        )
        .limit(1)
    )
    return connection.scalar(query) is not None
