"""What the endpoints about submissions share: handing in, waiting, reading with the right to.

Whoever may not read a submission is told that it does not exist. What is shown of a test case is
decided by judge.domain.access alone.
"""

from judge.actions.idempotency import KeyClaim
from judge.actions.submit import NewSubmission, submit
from judge.api.desks import Desk
from judge.api.ids import REVISION, read, show
from judge.api.schemas.submissions import (
    NewSubmissionAnswer,
    SubmissionAnswer,
    SubmissionRequest,
    submission_answer,
)
from judge.db.queries.classes import is_taught
from judge.db.queries.problems import select_revision
from judge.db.queries.submissions import (
    Submission,
    find_queue_position,
    is_final,
    list_case_results,
    select_submission,
)
from judge.db.queries.unlocks import list_revealed, select_effort
from judge.domain.access import (
    StoredCase,
    StoredResult,
    is_open,
    may_read_judgement,
    visible_cases,
)
from judge.domain.states import LOCKABLE
from judge.errors import Conflict, Invalid, NotFound, flaw


def hand_in(desk: Desk, slug: str, body: SubmissionRequest, claim: KeyClaim | None = None) -> str:
    """Store and queue a submission, and ring for it (raises as judge.actions.submit); its id."""
    new = NewSubmission(
        slug=slug,
        language=body.language,
        source=body.source,
        revision_id=read_revision(body.revision),
        accept_new=body.accept_new,
        via="api",
    )
    try:
        submitted = submit(desk.joined.database, desk.caller, new, claim)
    except Conflict as error:
        if "revision" in error.details:
            error.details["revision"] = show(REVISION, str(error.details["revision"]))
        raise
    desk.joined.bell.ring(f"lane:{submitted.lane}")
    return submitted.submission_id


def read_revision(text: str | None) -> str | None:
    """The revision that a body names, if it names one.

    Raises:
        Invalid: it cannot be the identifier of a revision.
    """
    try:
        return None if text is None else read(REVISION, text)
    except NotFound:
        raise Invalid("invalid-request", flaw("/revision", "revision")) from None


async def wait_for(desk: Desk, submission_id: str, seconds: float) -> None:
    """Wait until a submission is judged, or the time is up."""

    def is_done() -> bool:
        with desk.joined.database.read() as connection:
            return is_final(connection, submission_id)

    who = desk.caller.account_id
    await desk.joined.waiters.wait(f"submission:{submission_id}", who, seconds, is_done)


def select_own(desk: Desk, submission_id: str, seq: int | None = None) -> Submission:
    """The submission, if the caller may read it; otherwise it does not exist for the caller."""
    with desk.joined.database.read() as connection:
        submission = select_submission(connection, submission_id)
        ties, owner_id = desk.caller.ties, submission.account_id
        taught = is_taught(connection, ties, owner_id, submission.problem_id)
        if not desk.caller.may_read_work_of(owner_id, is_taught=taught):
            raise NotFound("submission-not-found")
        if seq is not None:
            submission = select_submission(connection, submission_id, seq)
    judgement = submission.judgement
    if not may_read_judgement(desk.caller, judgement.cause, judgement.decision):
        raise NotFound("judgement-not-found")
    return submission


def build_answer(desk: Desk, submission: Submission) -> SubmissionAnswer:
    """A whole submission as the caller may see it."""
    judgement = submission.judgement
    with desk.joined.database.read() as connection:
        # A case of another revision may have the same path and other data.
        revealed = list_revealed(connection, desk.caller.account_id, judgement.revision_id)
        opened = None if desk.caller.role.is_staff else revealed
        results: tuple[tuple[StoredCase, StoredResult], ...] = ()
        if judgement.is_final:
            results = list_case_results(connection, judgement.id, opened)
        position = find_queue_position(connection, judgement.id)
    cases = visible_cases(results, desk.caller.role, revealed)
    return submission_answer(submission, cases, position, desk.locale)


def build_new_answer(desk: Desk, submission_id: str) -> NewSubmissionAnswer:
    """A submission that was just stored, with what it opened."""
    submission = select_own(desk, submission_id)
    with desk.joined.database.read() as connection:
        reveal = select_revision(connection, submission.revision_id).reveal
        effort = select_effort(connection, desk.caller.account_id, submission.problem_id)
    unlocked = [what for what in LOCKABLE if is_open(reveal[what], desk.caller.role, effort)]
    answer = build_answer(desk, submission)
    return NewSubmissionAnswer(**dict(answer), unlocked=unlocked)
