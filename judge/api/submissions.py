"""Handing in, and reading what came of it.

Whoever may not read a submission is told that it does not exist. What is shown of a test case is
decided by judge.domain.access alone.
"""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import PlainTextResponse
from starlette.concurrency import run_in_threadpool

from judge.api.desks import Reading, Writing
from judge.api.ids import SUBMISSION, read, show
from judge.api.once import Once, OnceRoute
from judge.api.pages import PageQuery, link_next, read_cursor, read_moment, write_cursor
from judge.api.schemas.base import answers, asks, sending
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
    submission_item,
)
from judge.api.submission_answers import (
    build_answer,
    build_new_answer,
    hand_in,
    select_own,
    wait_for,
)
from judge.api.submission_filters import WishQuery, find_filter
from judge.api.waits import WaitSeconds
from judge.db.queries.submissions import (
    find_source,
    list_judgements,
)
from judge.db.queries.submissions import (
    list_submissions as query_submissions,
)
from judge.domain.access import (
    may_read_judgement,
)
from judge.errors import NotFound

router = APIRouter(tags=["submissions"], route_class=OnceRoute)
# A column of 32 bits holds the number.
MAX_SEQ = 2**31 - 1


@router.post(
    "/problems/{slug}/submissions",
    status_code=201,
    summary="Submit a source",
    responses=sending(
        answers(
            {**SUBMISSION_EXAMPLE, "unlocked": ["hints", "solution"]},
            *(201, 400, 401, 403, 404, 409, 413, 422),
        ),
        "Location",
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
        submission_id = await run_in_threadpool(hand_in, desk, slug, body, once.claim)
    await wait_for(desk, submission_id, wait)
    response.headers["Location"] = f"/api/v1/submissions/{show(SUBMISSION, submission_id)}"
    return await run_in_threadpool(build_new_answer, desk, submission_id)


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
    await run_in_threadpool(select_own, desk, identifier)
    await wait_for(desk, identifier, wait)
    return await run_in_threadpool(
        lambda: build_answer(desk, select_own(desk, identifier, judgement))
    )


@router.get(
    "/submissions/{submission_id}/judgements",
    summary="List a submission's judgements",
    responses=answers({"items": [JUDGEMENT_EXAMPLE]}, 200, 401, 403, 404),
)
def list_submission_judgements(submission_id: str, desk: Reading) -> JudgementList:
    """Every judgement that counts or counted, the first one first; admins see all."""
    submission = select_own(desk, read(SUBMISSION, submission_id))
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
def show_submission_source(submission_id: str, desk: Reading) -> PlainTextResponse:
    """The source exactly as it was sent."""
    submission = select_own(desk, read(SUBMISSION, submission_id))
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
def list_submissions(
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
        found = query_submissions(connection, wanted, after, page.limit + 1)
    shown = found[: page.limit]
    more = None
    if len(found) > page.limit:
        more = write_cursor(shown[-1].created_at.isoformat(), shown[-1].id)
    return SubmissionPage(
        items=[submission_item(one, desk.locale) for one in shown],
        next=link_next(request, response, more),
    )
