"""Following a submission as server-sent events, from its queue to its verdict.

Each event is a row: its id is the row's, so a reader that was cut off sends the last one as
Last-Event-ID and misses none. Between two looks at the database nothing is held but one place among
those who wait.
"""

import json
import re
import time
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Header, Response
from fastapi.responses import StreamingResponse
from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event
from starlette.concurrency import run_in_threadpool

from judge.api import waiting
from judge.api.deps import Parts
from judge.api.desks import Desk, Reading
from judge.api.errors import HttpProblem
from judge.api.ids import SUBMISSION, read
from judge.api.schemas.base import answers
from judge.api.submission_answers import select_own
from judge.db.queries.submissions import Event, is_final, list_events
from judge.errors import NotFound

router = APIRouter(tags=["submissions"])
# A proxy that hears nothing for longer takes the connection for dead.
HEARTBEAT_S = 15.0
# Who reads on asks again, and is asked again who it is.
MAX_STREAM_S = 300.0
_RETRY_AFTER_S = 5
_ID = re.compile(r"\d{1,18}", re.ASCII)
_EXAMPLE = (
    'event: running\ndata: {"done": 3, "planned": 40, "at": "2026-09-01T02:03:04.000005Z"}\n'
    "id: 1042\n\n"
)


@router.get(
    "/submissions/{submission_id}/events",
    summary="Follow a submission",
    response_class=StreamingResponse,
    responses={
        **answers(None, 200, 401, 403, 404, 503),
        200: {"content": {"text/event-stream": {"example": _EXAMPLE}}},
        204: {"description": "Everything was read already."},
    },
)
async def follow_submission(
    submission_id: str,
    desk: Reading,
    last_event_id: Annotated[
        str | None, Header(description="The id of the last event that was read.")
    ] = None,
) -> Response:
    """Events `queued`, `claimed`, `compiling`, `running` and `judged`, for its owner.

    The stream ends after `judged`; 204 tells a reader that has that one to ask no more.
    """
    identifier = read(SUBMISSION, submission_id)
    after = int(last_event_id) if last_event_id and _ID.fullmatch(last_event_id) else 0
    await run_in_threadpool(_check_own, desk, identifier)
    events, is_over = await run_in_threadpool(_look, desk.joined, identifier, after)
    if is_over and not events:
        return Response(status_code=204)
    if desk.joined.waiters.is_full_for(desk.caller.account_id):
        headers = {"Retry-After": str(_RETRY_AFTER_S)}
        raise HttpProblem(503, "too-many-waiting", headers=headers, seconds=_RETRY_AFTER_S)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return EventSourceResponse(_stream(desk, identifier, after), headers=headers)


def _check_own(desk: Desk, submission_id: str) -> None:
    if select_own(desk, submission_id).account_id != desk.caller.account_id:
        raise NotFound("submission-not-found")


def _look(joined: Parts, submission_id: str, after: int) -> tuple[tuple[Event, ...], bool]:
    """What is new, and whether nothing more will come."""
    with joined.database.read() as connection:
        # In this order: what ends between the two is among the events of the next look.
        is_over = is_final(connection, submission_id)
        return list_events(connection, submission_id, after), is_over


async def _stream(desk: Desk, submission_id: str, after: int) -> AsyncIterator[bytes]:
    joined, silent_s = desk.joined, 0.0
    waiters = joined.waiters
    end_at = time.monotonic() + MAX_STREAM_S
    with waiters.listening(f"submission:{submission_id}", desk.caller.account_id) as rung:
        while time.monotonic() < end_at:
            events, is_over = await run_in_threadpool(_look, joined, submission_id, after)
            for one in events:
                after = one.id
                yield _written(one)
            if is_over or waiters.is_stopped:
                return
            silent_s = 0.0 if events else silent_s + waiting.RECHECK_S
            if silent_s >= HEARTBEAT_S:
                silent_s = 0.0
                yield KEEPALIVE_COMMENT
            await waiting.wait_for_ring(rung, waiting.RECHECK_S)


def _written(one: Event) -> bytes:
    at = one.at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return format_sse_event(
        event=one.kind, data_str=json.dumps({**one.data, "at": at}), id=str(one.id)
    )
