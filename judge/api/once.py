"""The header Idempotency-Key: of equal requests with one key, one acts and all get its answer.

An endpoint that creates something takes ``once: Once`` as its **last** parameter, so that it is
decided first who may call it, and belongs to a router with ``route_class=OnceRoute``. It hands
``once.claim`` to the action, whose transaction names there what it makes
(judge.actions.idempotency.keep_ref), and where ``once.ref`` is set it acts no more: it answers with
what is named there.

Kept is every answer but 429 and those of 500 and above: after these the client may try again.
"""

import hashlib
import logging
import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import Depends, Header, Request, Response
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool

from judge.actions.idempotency import Asked, Begun, KeptAnswer, KeyClaim, begin, finish, give_back
from judge.api.deps import FoundCaller, PartsDep, parts
from judge.api.errors import answer_refusal
from judge.api.waits import MAX_WAIT_S
from judge.errors import JudgeBroken, StorageUnavailable
from judge.i18n import LOCALES

REPLAYED = "Idempotent-Replayed"
MAX_KEY = 255
_KEPT_HEADERS = ("content-type", "content-language", "location", "etag")
_log = logging.getLogger(__name__)
_SECONDS = re.compile(r"[0-9]{1,2}(\.[0-9]+)?")


@dataclass(frozen=True)
class OnceState:
    """What an endpoint knows of its key; both are None where the client sent no key.

    Attributes:
        claim: to be handed to the action.
        ref: what an earlier request with this key made: do not act again.
    """

    claim: KeyClaim | None = None
    ref: str | None = None


class OnceRoute(APIRoute):
    """A route that keeps the first answer to a key and gives it again."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler of FastAPI, with the record around it."""
        handle = super().get_route_handler()

        async def handle_once(request: Request) -> Response:
            try:
                response = await _answer(handle, request)
            except _Replay as replay:
                return replay.response
            except Exception:
                await _close(request, None)
                raise
            await _close(request, response)
            return response

        return handle_once


async def _begin(
    request: Request,
    joined: PartsDep,
    caller: FoundCaller,
    key: Annotated[
        str | None,
        Header(
            alias="Idempotency-Key",
            min_length=1,
            max_length=MAX_KEY,
            pattern="^[ -~]+$",
            description="Of equal requests with one key, one acts and all get its answer; 24 h.",
        ),
    ] = None,
) -> OnceState:
    route = request.scope["route"]
    if not isinstance(route, OnceRoute):
        raise JudgeBroken(f"{route.path} keeps no answers: its router needs OnceRoute")
    if key is None or caller is None:
        return OnceState()
    body = await request.body()

    def claim(account_id: str) -> Begun | KeptAnswer:
        digest = _digest(request, body)
        asked = Asked(account_id, f"{request.method} {route.path}", key, digest)
        return begin(joined.database, asked)

    begun = await run_in_threadpool(claim, caller.account_id)
    if isinstance(begun, KeptAnswer):
        raise _Replay(begun)
    request.state.once = OnceState(begun.claim, begun.ref)
    return OnceState(begun.claim, begun.ref)


Once = Annotated[OnceState, Depends(_begin)]


class _Replay(Exception):
    """Leaves FastAPI's handler with the kept answer."""

    def __init__(self, kept: KeptAnswer) -> None:
        super().__init__()
        headers = {**kept.headers, REPLAYED: "true"}
        self.response = Response(kept.body, kept.status, headers)


async def _answer(
    handle: Callable[[Request], Coroutine[Any, Any, Response]], request: Request
) -> Response:
    """The endpoint's answer; a refusal is one as well, once the key is claimed."""
    try:
        return await handle(request)
    except Exception as error:
        refusal = answer_refusal(request, error) if _state(request).claim else None
        if refusal is None:
            raise
        return refusal


async def _close(request: Request, response: Response | None) -> None:
    """Keep the answer, or give the key back where there is none to keep."""
    state = _state(request)
    if state.claim is None:
        return
    body = getattr(response, "body", None)
    if response is None or not _is_kept(response.status_code) or not isinstance(body, bytes):
        await run_in_threadpool(_write_down, request, state.claim, None)
        return
    headers = {name: response.headers[name] for name in _KEPT_HEADERS if name in response.headers}
    kept = KeptAnswer(response.status_code, headers, body)
    await run_in_threadpool(_write_down, request, state.claim, kept)
    if state.ref is not None:
        response.headers[REPLAYED] = "true"


def _write_down(request: Request, claim: KeyClaim, kept: KeptAnswer | None) -> None:
    """Keep an answer, or give the key back; the client gets its answer also where this fails."""
    database = parts(request).database
    try:
        if kept is None:
            give_back(database, claim)
        else:
            finish(database, claim, kept)
    except StorageUnavailable as error:
        _log.error("request %s: its answer cannot be kept: %s", request.state.request_id, error)


def _state(request: Request) -> OnceState:
    found: OnceState = getattr(request.state, "once", OnceState())
    return found


def _is_kept(status: int) -> bool:
    return status < 500 and status != 429


def _digest(request: Request, body: bytes) -> str:
    """Of the address, what it asks for, and the body."""
    asked = [pair for pair in request.query_params.multi_items() if not _is_free(*pair)]
    address = f"{request.scope['path']}?{urlencode(sorted(asked))}\n"
    return hashlib.sha256(address.encode(errors="backslashreplace") + body).hexdigest()


def _is_free(name: str, value: str) -> bool:
    """Whether a parameter changes how an answer is given, not what is done.

    One that the endpoint refuses is not free: it must not be answered as if it had been taken.
    """
    if name == "locale":
        return value in LOCALES
    return name == "wait" and bool(_SECONDS.fullmatch(value)) and float(value) <= MAX_WAIT_S
