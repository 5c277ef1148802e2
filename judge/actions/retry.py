"""Judging a submission again that the judge itself failed: the owner asks, and it costs nothing.

The failed judgement stays; another one of the same revision takes its place. Its cause is that of
the first: the learner handed the source in, and this is still the judging of it.
"""

from dataclasses import dataclass

from sqlalchemy import Connection, func, insert, select, update

from judge.actions.events import add_event
from judge.actions.queued_judgement import queued_judgement
from judge.db.engine import Database
from judge.db.queries.accounts import lock_account
from judge.db.queries.problems import count_cases, lock_problem
from judge.db.queries.submissions import Submission, select_submission
from judge.db.tables import judgement
from judge.domain.access import Caller
from judge.domain.verdicts import Verdict
from judge.errors import Conflict, NotFound
from judge.queue.jobs import SUBMISSION, SUBMIT, enqueue

MAX_RETRIES = 3


@dataclass(frozen=True)
class Retried:
    """The lane to ring, and how many retries are left."""

    lane: str
    retries_left: int


def retry(database: Database, caller: Caller, submission_id: str) -> Retried:
    """Queue a submission once more.

    Raises:
        NotFound: it is not the caller's.
        Conflict: ``not-retryable``: it did not end as internal_error; ``retries-spent``: it was
            tried again MAX_RETRIES times already.
    """
    with database.write() as connection:
        # Neither a rejudge that begins nor one that is applied may come between.
        lock_account(connection, caller.account_id)
        lock_problem(connection, _select_own(connection, caller, submission_id).problem_id)
        found = select_submission(connection, submission_id)
        if found.judgement.verdict is not Verdict.INTERNAL_ERROR:
            raise Conflict("not-retryable")
        left = MAX_RETRIES - _count_retries(connection, submission_id)
        if left <= 0:
            raise Conflict("retries-spent", most=MAX_RETRIES)
        _queue(connection, caller, found)
    return Retried(found.language, left - 1)


def _select_own(connection: Connection, caller: Caller, submission_id: str) -> Submission:
    found = select_submission(connection, submission_id)
    if found.account_id != caller.account_id:
        raise NotFound("submission-not-found")
    return found


def _count_retries(connection: Connection, submission_id: str) -> int:
    """Judgements of the submission itself, the first one not counted."""
    query = select(func.count()).where(
        judgement.c.submission_id == submission_id, judgement.c.cause == "submit"
    )
    return (connection.scalar(query) or 1) - 1


def _queue(connection: Connection, caller: Caller, found: Submission) -> None:
    failed = found.judgement
    last_seq = connection.scalar(
        select(func.max(judgement.c.seq)).where(judgement.c.submission_id == found.id)
    )
    connection.execute(
        update(judgement).where(judgement.c.id == failed.id).values(is_current=False)
    )
    planned = count_cases(connection, failed.revision_id)
    values = queued_judgement(found.id, failed.revision_id, planned, (last_seq or 0) + 1, "submit")
    connection.execute(insert(judgement).values(values))
    enqueue(
        connection,
        kind=SUBMISSION,
        ref_id=str(values["id"]),
        account_id=caller.account_id,
        lane=found.language,
        priority=SUBMIT,
    )
    add_event(connection, found.id, "queued", {})
