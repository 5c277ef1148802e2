"""Opening a thread of feedback on a problem.

What the author had before the eyes is attached here: the revision and language of the submission
that is named, else those that the caller names, else the published revision.
"""

import math
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Connection, insert

from judge.actions.answer_feedback import add_message
from judge.actions.idempotency import KeyClaim, keep_ref
from judge.db.engine import Database
from judge.db.queries.accounts import lock_account
from judge.db.queries.feedback import list_recent_threads
from judge.db.queries.problems import select_revision, select_visible_problem
from judge.db.queries.submissions import select_submission
from judge.db.tables import feedback
from judge.db.types import new_id, now
from judge.domain.access import Caller
from judge.domain.feedback import FeedbackKind, FeedbackState
from judge.errors import Invalid, NotFound, TooMany, flaw

MOST_AN_HOUR = 10
WINDOW = timedelta(hours=1)
NO_SUBMISSION = flaw("/submission", "feedback-submission")
NO_REVISION = flaw("/revision", "feedback-revision")


@dataclass(frozen=True)
class NewFeedback:
    """What an author sends; ``submission_id`` says more than revision and language."""

    slug: str
    kind: FeedbackKind
    body: str
    locale: str
    submission_id: str | None = None
    revision_id: str | None = None
    language: str | None = None


def give_feedback(
    database: Database, caller: Caller, new: NewFeedback, claim: KeyClaim | None = None
) -> str:
    """Open a thread; its id. ``claim`` is the Idempotency-Key that it is opened for.

    Raises:
        NotFound: the caller sees no such problem.
        Gone: it was retired, and the caller is no staff.
        Invalid: the submission is not the caller's or not of this problem; no such revision of it.
        TooMany: ``too-many-feedback``; nothing is stored then.
    """
    with database.write() as connection:
        lock_account(connection, caller.account_id)
        found = select_visible_problem(connection, new.slug, caller)
        revision_id, language = _seen(connection, caller, new, found.problem.id, found.revision.id)
        _check_rate(connection, caller)
        thread_id, moment = new_id(), now()
        connection.execute(
            insert(feedback).values(
                id=thread_id,
                account_id=caller.account_id,
                problem_id=found.problem.id,
                revision_id=revision_id,
                submission_id=new.submission_id,
                language=language,
                locale=new.locale,
                kind=new.kind.value,
                status=FeedbackState.NEW.value,
                created_at=moment,
                updated_at=moment,
            )
        )
        keep_ref(connection, claim, thread_id)
        add_message(connection, thread_id, caller.account_id, new.body, by_staff=False)
    return thread_id


def _seen(
    connection: Connection, caller: Caller, new: NewFeedback, problem_id: str, published_id: str
) -> tuple[str, str]:
    """The revision and language that the author speaks of."""
    if new.submission_id is not None:
        try:
            found = select_submission(connection, new.submission_id)
        except NotFound:
            raise Invalid("invalid-feedback", NO_SUBMISSION) from None
        if (found.account_id, found.problem_id) != (caller.account_id, problem_id):
            raise Invalid("invalid-feedback", NO_SUBMISSION)
        return found.revision_id, found.language
    revision_id = new.revision_id or published_id
    try:
        if select_revision(connection, revision_id).problem_id != problem_id:
            raise Invalid("invalid-feedback", NO_REVISION)
    except NotFound:
        raise Invalid("invalid-feedback", NO_REVISION) from None
    return revision_id, new.language or ""


def _check_rate(connection: Connection, caller: Caller) -> None:
    moment = now()
    recent = list_recent_threads(connection, caller.account_id, moment - WINDOW, MOST_AN_HOUR)
    if len(recent) >= MOST_AN_HOUR:
        left = recent[-1] + WINDOW - moment
        seconds = max(1, math.ceil(left.total_seconds()))
        raise TooMany("too-many-feedback", seconds=seconds, most=MOST_AN_HOUR)
