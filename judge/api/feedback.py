"""Feedback on problems: authors write, staff answers and sorts.

Who may is decided by judge.domain.access: an author reads the own threads, teachers also those on
what they manage and those of their classes, admins all. Others are told that there is none.
"""

from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query, Request, Response

from judge.actions.answer_feedback import NewMessage, answer_feedback
from judge.actions.give_feedback import NO_REVISION, NO_SUBMISSION, NewFeedback, give_feedback
from judge.actions.sort_feedback import NO_ORIGINAL, Seen, Sorting, check_handled, sort_feedback
from judge.api.deps import Parts, PartsDep, ReadLocale, require
from judge.api.etags import answer_unless_known, check_if_match, etag_of, not_changed
from judge.api.ids import FEEDBACK, REVISION, SUBMISSION, read, show
from judge.api.once import Once, OnceRoute
from judge.api.pages import PageQuery, link_next, read_cursor, read_moment, write_cursor
from judge.api.schemas.base import answers, asks, sending
from judge.api.schemas.feedback import (
    COUNTS_EXAMPLE,
    FEEDBACK_EXAMPLE,
    FEEDBACK_ITEM_EXAMPLE,
    FeedbackAnswer,
    FeedbackCounts,
    FeedbackPage,
    FeedbackPatch,
    FeedbackRequest,
    MessageRequest,
    feedback_answer,
    feedback_item,
)
from judge.db.queries.feedback import (
    Wanted,
    count_threads,
    list_messages,
    list_threads,
    select_thread,
)
from judge.domain.access import Caller, Scope
from judge.domain.feedback import FeedbackState
from judge.errors import Flaw, Invalid, NotFound

router = APIRouter(tags=["feedback"], route_class=OnceRoute)
Writer = Annotated[Caller, Depends(require(Scope.FEEDBACK_WRITE))]
IfMatch = Annotated[str | None, Header(description="The ETag that was read.")]


@dataclass(frozen=True)
class _Desk:
    """One call by somebody who may write: the parts, who asks, and in which locale."""

    joined: Parts
    caller: Caller
    locale: str


def _desk(joined: PartsDep, caller: Writer, locale: ReadLocale) -> _Desk:
    return _Desk(joined, caller, locale)


@dataclass(frozen=True)
class _Listing:
    """Which threads a list shows, and whether it counts them."""

    wanted: Wanted
    counts: bool


def _listing(
    status: Annotated[FeedbackState | None, Query(description="Only of this status.")] = None,
    problem: Annotated[
        str | None, Query(max_length=64, description="Only on this problem.")
    ] = None,
    count: Annotated[
        bool, Query(description="Also say how many there are of each status on the problem.")
    ] = False,
) -> _Listing:
    return _Listing(Wanted(None if status is None else status.value, problem), count)


@router.post(
    "/problems/{slug}/feedback",
    status_code=201,
    summary="Give feedback on a problem",
    responses=sending(answers(FEEDBACK_EXAMPLE, 201, 401, 403, 404, 410, 422, 429), "Location"),
    openapi_extra=asks({"kind": "statement", "body": "Step 3 does not say what happens to ties."}),
)
def add_feedback(
    slug: str,
    body: FeedbackRequest,
    response: Response,
    desk: Annotated[_Desk, Depends(_desk)],
    once: Once,
) -> FeedbackAnswer:
    """Open a thread that staff answers; at most 10 an hour.

    The revision, the language and the locale that the author has before the eyes are kept with it.
    """
    new = NewFeedback(
        slug=slug,
        kind=body.kind,
        body=body.body,
        locale=desk.locale,
        submission_id=_named(SUBMISSION, body.submission, NO_SUBMISSION),
        revision_id=_named(REVISION, body.revision, NO_REVISION),
        language=body.language,
    )
    thread_id = once.ref
    if thread_id is None:
        thread_id = give_feedback(desk.joined.database, desk.caller, new, once.claim)
    response.headers["Location"] = f"/api/v1/feedback/{show(FEEDBACK, thread_id)}"
    return _answer(desk.joined, desk.caller, thread_id)


@router.get(
    "/feedback",
    summary="List feedback",
    responses=answers(
        {"items": [FEEDBACK_ITEM_EXAMPLE], "counts": COUNTS_EXAMPLE, "next": None},
        *(200, 401, 403, 422),
    ),
)
def list_feedback(
    request: Request,
    response: Response,
    joined: PartsDep,
    caller: Writer,
    page: PageQuery,
    listing: Annotated[_Listing, Depends(_listing)],
) -> FeedbackPage:
    """One's own threads and those that one handles, the newest first."""
    key = read_cursor(page.cursor, (str, str))
    after = None if key is None else (read_moment(str(key[0])), str(key[1]))
    with joined.database.read() as connection:
        found = list_threads(connection, caller, listing.wanted, after, page.limit + 1)
        counts = None
        if listing.counts:
            everything = replace(listing.wanted, state=None)
            counts = FeedbackCounts(**count_threads(connection, caller, everything))
    shown = found[: page.limit]
    more = None
    if len(found) > page.limit:
        more = write_cursor(shown[-1].created_at.isoformat(), shown[-1].id)
    return FeedbackPage(
        items=[feedback_item(one, caller) for one in shown],
        counts=counts,
        next=link_next(request, response, more),
    )


@router.get(
    "/feedback/{feedback_id}",
    summary="Read a thread of feedback",
    response_model=FeedbackAnswer,
    responses=answers(FEEDBACK_EXAMPLE, 200, 304, 401, 403, 404),
)
def show_feedback(feedback_id: str, request: Request, joined: PartsDep, caller: Writer) -> Response:
    """All its messages; who handles it sees staff's notes too. The ETag is what a change names."""
    answer = _answer(joined, caller, read(FEEDBACK, feedback_id))
    return answer_unless_known(request, answer.model_dump_json().encode(), {})


@router.post(
    "/feedback/{feedback_id}/messages",
    status_code=201,
    summary="Write into a thread of feedback",
    responses=answers(FEEDBACK_EXAMPLE, 201, 401, 403, 404, 409, 422),
    openapi_extra=asks({"body": "It is fixed in revision 2.", "internal": False}),
)
def add_feedback_message(
    feedback_id: str, body: MessageRequest, joined: PartsDep, caller: Writer, once: Once
) -> FeedbackAnswer:
    """Answer; an author's answer opens a thread again that was fixed or declined.

    With ``internal`` it is a note for staff: its author never learns of it.
    """
    thread_id = read(FEEDBACK, feedback_id)
    if once.ref is None:
        new = NewMessage(thread_id, body.body, is_internal=body.internal)
        answer_feedback(joined.database, caller, new, once.claim)
    return _answer(joined, caller, thread_id)


@router.patch(
    "/feedback/{feedback_id}",
    summary="Sort a thread of feedback",
    responses=answers(FEEDBACK_EXAMPLE, 200, 401, 403, 404, 412, 422, 428),
    openapi_extra=asks({"status": "fixed", "assignee": "grace"}),
)
def change_feedback(
    feedback_id: str,
    body: FeedbackPatch,
    response: Response,
    joined: PartsDep,
    caller: Writer,
    if_match: IfMatch = None,
) -> FeedbackAnswer:
    """Status, assignee, or that it repeats another thread; its author is told of the status."""
    thread_id = read(FEEDBACK, feedback_id)
    with joined.database.read() as connection:
        thread = select_thread(connection, caller, thread_id)
        check_handled(thread)
        messages = list_messages(connection, thread_id, with_internal=True)
    check_if_match(if_match, _etag(feedback_answer(thread, messages, caller)))
    sorting = Sorting(
        names=frozenset(body.model_fields_set),
        status=body.status,
        assignee=body.assignee,
        duplicate_of=_named(FEEDBACK, body.duplicate_of, NO_ORIGINAL),
    )
    seen = Seen(thread, len(messages))
    with not_changed("feedback-changed"):
        sort_feedback(joined.database, caller, thread_id, sorting, seen)
    answer = _answer(joined, caller, thread_id)
    response.headers["ETag"] = _etag(answer)
    return answer


def _answer(joined: Parts, caller: Caller, thread_id: str) -> FeedbackAnswer:
    with joined.database.read() as connection:
        thread = select_thread(connection, caller, thread_id)
        messages = list_messages(connection, thread_id, with_internal=thread.is_handled)
    return feedback_answer(thread, messages, caller)


def _etag(answer: FeedbackAnswer) -> str:
    return etag_of(answer.model_dump_json())


def _named(prefix: str, text: str | None, wrong: Flaw) -> str | None:
    """An identifier in a body; one that cannot be any is a flaw of its field."""
    if text is None:
        return None
    try:
        return read(prefix, text)
    except NotFound:
        raise Invalid("invalid-feedback", wrong) from None
