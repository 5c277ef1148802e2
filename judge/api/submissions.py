"""Handing in, and reading what came of it.

Whoever may not read a submission is told that it does not exist. What is shown of a test case is
decided by judge.domain.access alone.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import PlainTextResponse
from starlette.concurrency import run_in_threadpool

from judge.actions.idempotency import Claim
from judge.actions.submit import NewSubmission, submit
from judge.api.deps import FoundCaller, Parts, PartsDep, ReadLocale, require
from judge.api.ids import REVISION, SUBMISSION, read, show
from judge.api.once import Once, OnceRoute
from judge.api.pages import PageQuery, link_next, read_cursor, read_moment, write_cursor
from judge.api.schemas.base import answers, asks
from judge.api.schemas.submissions import (
    ITEM_EXAMPLE,
    JUDGEMENT_EXAMPLE,
    SUBMISSION_EXAMPLE,
    JudgementList,
    NewSubmissionAnswer,
    SubmissionAnswer,
    SubmissionPage,
    SubmissionRequest,
    judgement_item,
    submission_answer,
    submission_item,
)
from judge.api.submission_filters import WishQuery, find_filter
from judge.api.waits import WaitSeconds
from judge.db.queries.classes import is_taught
from judge.db.queries.problems import select_revision
from judge.db.queries.submissions import (
    Submission,
    find_queue_position,
    find_source,
    is_final,
    list_case_results,
    list_judgements,
    list_submissions,
    select_submission,
)
from judge.db.queries.unlocks import list_revealed, select_effort
from judge.domain.access import (
    Caller,
    Scope,
    StoredCase,
    StoredResult,
    is_open,
    may_read_judgement,
    visible_case,
)
from judge.errors import Conflict, Invalid, NotFound, flaw

router = APIRouter(tags=["submissions"], route_class=OnceRoute)
# A column of 32 bits holds the number.
MAX_SEQ = 2**31 - 1
_NEWLINE = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class _Desk:
    """One call about submissions: the parts, who asks, and in which locale."""

    joined: Parts
    caller: Caller
    locale: str


def _desk(scope: Scope) -> Callable[..., _Desk]:
    check = require(scope)

    def build(joined: PartsDep, caller: FoundCaller, locale: ReadLocale) -> _Desk:
        return _Desk(joined, check(caller), locale)

    return build


Writing = Annotated[_Desk, Depends(_desk(Scope.SUBMISSIONS_WRITE))]
Reading = Annotated[_Desk, Depends(_desk(Scope.SUBMISSIONS_READ))]


@router.post(
    "/problems/{slug}/submissions",
    status_code=201,
    summary="Submit a source",
    responses=answers(
        {**SUBMISSION_EXAMPLE, "unlocked": ["hints", "solution"]},
        *(201, 400, 401, 403, 404, 409, 413, 422),
    ),
    openapi_extra=asks({"language": "python", "source": "def sample_token(logits, k): ..."}),
)
async def add_submission(
    slug: str,
    body: SubmissionRequest,
    response: Response,
    desk: Writing,
    wait: WaitSeconds,
    once: Once,
) -> NewSubmissionAnswer:
    """Store and queue a submission; with ``wait`` the answer holds the verdict if it is in."""
    submission_id = once.ref
    if submission_id is None:
        submission_id = await run_in_threadpool(_submit, desk, slug, body, once.claim)
    await _wait(desk, submission_id, wait)
    response.headers["Location"] = f"/api/v1/submissions/{show(SUBMISSION, submission_id)}"
    return await run_in_threadpool(_new_answer, desk, submission_id)


@router.get(
    "/submissions/{submission_id}",
    summary="Read a submission",
    responses=answers(SUBMISSION_EXAMPLE, 200, 401, 403, 404),
)
async def show_submission(
    submission_id: str,
    desk: Reading,
    wait: WaitSeconds,
    judgement: Annotated[
        int | None,
        Query(ge=1, le=MAX_SEQ, description="An earlier one of its judgements, by number."),
    ] = None,
) -> SubmissionAnswer:
    """State, verdict, score and test cases; with ``wait`` the answer comes when it is final.

    A rejudge adds a judgement. Without ``judgement`` the one that counts is shown.
    """
    identifier = read(SUBMISSION, submission_id)
    await run_in_threadpool(_select_own, desk, identifier)
    await _wait(desk, identifier, wait)
    return await run_in_threadpool(lambda: _answer(desk, _select_own(desk, identifier, judgement)))


@router.get(
    "/submissions/{submission_id}/judgements",
    summary="List a submission's judgements",
    responses=answers({"items": [JUDGEMENT_EXAMPLE]}, 200, 401, 403, 404),
)
def list_history(submission_id: str, desk: Reading) -> JudgementList:
    """Every judgement that counts or counted, the first one first; admins see all."""
    submission = _select_own(desk, read(SUBMISSION, submission_id))
    with desk.joined.database.read() as connection:
        found = list_judgements(connection, submission.id)
    readable = [one for one in found if may_read_judgement(desk.caller, one.cause, one.decision)]
    return JudgementList(
        items=[judgement_item(one, submission.points, desk.locale) for one in readable]
    )


@router.get(
    "/submissions/{submission_id}/source",
    summary="Read a submission's source",
    response_class=PlainTextResponse,
    responses={
        200: {"content": {"text/plain": {"example": "def sample_token(logits, k): ..."}}},
        **{key: value for key, value in answers(None, 200, 401, 403, 404).items() if key != 200},
    },
)
def show_source(submission_id: str, desk: Reading) -> PlainTextResponse:
    """The source exactly as it was sent."""
    submission = _select_own(desk, read(SUBMISSION, submission_id))
    with desk.joined.database.read() as connection:
        source = find_source(connection, submission.id)
    if source is None:
        raise NotFound("source-erased")
    return PlainTextResponse(source)


@router.get(
    "/submissions",
    summary="List submissions",
    responses=answers({"items": [ITEM_EXAMPLE], "next": None}, 200, 401, 403, 404, 422),
)
def list_found(
    request: Request,
    response: Response,
    desk: Reading,
    page: PageQuery,
    wish: WishQuery,
) -> SubmissionPage:
    """The caller's own submissions, newest first, or those that the caller may read.

    Teachers read those of their learners on their classes' problems: all of a ``class``, or those
    of one ``account``. Admins may ask for every account.
    """
    key = read_cursor(page.cursor, (str, str))
    after = None if key is None else (read_moment(str(key[0])), str(key[1]))
    wanted = find_filter(desk.joined.database, desk.caller, wish)
    with desk.joined.database.read() as connection:
        found = list_submissions(connection, wanted, after, page.limit + 1)
    shown = found[: page.limit]
    more = None
    if len(found) > page.limit:
        more = write_cursor(shown[-1].created_at.isoformat(), shown[-1].id)
    return SubmissionPage(
        items=[submission_item(one, desk.locale) for one in shown],
        next=link_next(request, response, more),
    )


def _submit(desk: _Desk, slug: str, body: SubmissionRequest, claim: Claim | None) -> str:
    """Submit and wake a worker; the submission's id."""
    new = NewSubmission(
        slug=slug,
        language=body.language,
        source=body.source,
        revision_id=None if body.revision is None else _read_revision(body.revision),
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


def _read_revision(text: str) -> str:
    try:
        return read(REVISION, text)
    except NotFound:
        raise Invalid("invalid-request", flaw("/revision", "revision")) from None


async def _wait(desk: _Desk, submission_id: str, seconds: float) -> None:
    def is_done() -> bool:
        with desk.joined.database.read() as connection:
            return is_final(connection, submission_id)

    await desk.joined.waiters.wait(f"submission:{submission_id}", seconds, is_done)


def _select_own(desk: _Desk, submission_id: str, seq: int | None = None) -> Submission:
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


def _answer(desk: _Desk, submission: Submission) -> SubmissionAnswer:
    judgement = submission.judgement
    with desk.joined.database.read() as connection:
        # A case of another revision may have the same path and other data.
        revealed = list_revealed(connection, desk.caller.account_id, judgement.revision_id)
        opened = None if desk.caller.role.is_staff else revealed
        results: tuple[tuple[StoredCase, StoredResult], ...] = ()
        if judgement.is_final:
            results = list_case_results(connection, judgement.id, opened)
        position = find_queue_position(connection, judgement.id)
        lines = len(_NEWLINE.split(find_source(connection, submission.id) or ""))
    cases = tuple(
        visible_case(case, result, desk.caller.role, case.path in revealed, lines)
        for case, result in results
    )
    return submission_answer(submission, cases, position, desk.locale)


def _new_answer(desk: _Desk, submission_id: str) -> NewSubmissionAnswer:
    submission = _select_own(desk, submission_id)
    with desk.joined.database.read() as connection:
        reveal = select_revision(connection, submission.revision_id).reveal
        effort = select_effort(connection, desk.caller.account_id, submission.problem_id)
    unlocked = [
        what for what in ("hints", "solution") if is_open(reveal[what], desk.caller.role, effort)
    ]
    answer = _answer(desk, submission)
    return NewSubmissionAnswer(**dict(answer), unlocked=unlocked)
