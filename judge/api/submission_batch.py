"""Handing in several sources with one call, each as if it had been sent alone.

What is wrong with one of them does not touch the others: its place in the answer holds the status
and the problem document that the single call would have had.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool

from judge.actions.idempotency import KeyClaim, find_parts
from judge.api.counting import count_admitted, count_another
from judge.api.deps import find_caller, parts, require
from judge.api.desks import Desk, Writing
from judge.api.errors import HttpProblem, ProblemDocument, document_of, storage_document
from judge.api.flaws import read_flaw
from judge.api.once import Once, OnceRoute
from judge.api.schemas.base import answers, asks
from judge.api.schemas.batches import (
    BATCH_ASKED,
    BATCH_EXAMPLE,
    BatchAnswer,
    BatchItem,
    BatchItemAnswer,
    BatchRequest,
)
from judge.api.submission_answers import build_new_answer, hand_in, wait_for
from judge.api.waits import WaitSeconds
from judge.domain.access import Scope
from judge.errors import Invalid, Refused, StorageUnavailable

router = APIRouter(tags=["submissions"], route_class=OnceRoute)
PATH = "/submissions:batch"
# Fifty sources of 64 KiB, with room for what JSON escapes.
MAX_BATCH_BYTES = 8 * 1024 * 1024
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Call:
    """One batch: the desk, and the request's id and locale for problem documents."""

    desk: Desk
    request: Request

    def refused(self, index: int, document: ProblemDocument) -> BatchItemAnswer:
        instance = self.request.scope.get("state", {}).get("request_id", "")
        body = document.body(self.desk.locale, instance)
        return BatchItemAnswer(index=index, status=document.status, submission=None, problem=body)


def _call(desk: Writing, request: Request) -> _Call:
    return _Call(desk, request)


@router.post(
    PATH,
    status_code=207,
    summary="Submit several sources",
    responses=answers(BATCH_EXAMPLE, 207, 400, 401, 403, 413, 422),
    openapi_extra=asks(BATCH_ASKED),
)
async def add_submissions(
    body: BatchRequest,
    wait: WaitSeconds,
    call: Annotated[_Call, Depends(_call)],
    once: Once,
) -> BatchAnswer:
    """Up to 50 submissions, on several problems and in several languages, in order.

    Each of them counts for the rate of submitting; one too many is refused alone.
    `wait` waits for all of them. In a problem document of `items`, a JSON pointer points into that
    item.
    """
    stored = await run_in_threadpool(_hand_in_all, call, body.items, once.claim)
    await _wait_for_all(call.desk, [one for one in stored if isinstance(one, str)], wait)
    return BatchAnswer(items=await run_in_threadpool(_answer_all, call, stored))


def admit_batch(request: Request) -> None:
    """Let a batch's body be read, which is larger than others, by its headers alone.

    Raises:
        Unauthenticated: nobody, or a token that is not good.
        Forbidden: a caller who may not submit.
        TooMany: a caller who has no submission left in this minute.
    """
    joined = parts(request)
    caller = require(Scope.SUBMISSIONS_WRITE)(find_caller(request, joined))
    count_admitted(request, joined, caller)


def _hand_in_all(
    call: _Call, items: Sequence[Any], claim: KeyClaim | None
) -> list[str | BatchItemAnswer]:
    """For each item the submission's id, or why there is none.

    What an earlier request with the same key handed in is not handed in again.
    """
    known = find_parts(call.desk.joined.database, claim)
    return [
        known.get(index)
        or _hand_in_one(call, index, raw, None if claim is None else claim.for_part(index))
        for index, raw in enumerate(items)
    ]


def _hand_in_one(
    call: _Call, index: int, raw: object, claim: KeyClaim | None
) -> str | BatchItemAnswer:
    try:
        item = _read_item(raw)
        if index:
            count_another(call.request, call.desk.joined, call.desk.caller)
        return hand_in(call.desk, item.problem, item.submission(), claim)
    except (Refused, HttpProblem) as error:
        return call.refused(index, document_of(error))
    except StorageUnavailable as error:
        return call.refused(index, storage_document(call.request.scope, error))
    except Exception:
        # The items before it are stored: their ids must reach the client.
        _log.exception("item %d of a batch failed", index)
        return call.refused(index, ProblemDocument(500, "judge-failed"))


def _read_item(raw: object) -> BatchItem:
    try:
        return BatchItem.model_validate(raw)
    except ValidationError as error:
        found = error.errors(include_url=False)
        flaws = (read_flaw({**one, "loc": ("body", *one["loc"])}) for one in found)
        raise Invalid("invalid-request", *flaws) from None


async def _wait_for_all(desk: Desk, submission_ids: Sequence[str], seconds: float) -> None:
    loop = asyncio.get_running_loop()
    ends_at = loop.time() + seconds
    for submission_id in submission_ids:
        await wait_for(desk, submission_id, ends_at - loop.time())


def _answer_all(call: _Call, stored: Sequence[str | BatchItemAnswer]) -> list[BatchItemAnswer]:
    return [
        one
        if isinstance(one, BatchItemAnswer)
        else BatchItemAnswer(
            index=index, status=201, submission=build_new_answer(call.desk, one), problem=None
        )
        for index, one in enumerate(stored)
    ]
