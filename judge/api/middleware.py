"""What happens around every request: an id, safe headers, a sane head, and a limit on the body.

Plain ASGI, so that nothing is buffered but a request's body, and that only up to the limit: a body
that is larger is refused before anything parses it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from judge.api.errors import (
    HttpProblem,
    ProblemDocument,
    document_of,
    respond_to_reader,
    storage_document,
)
from judge.api.locales import HEADER
from judge.api.rates import Counted
from judge.api.safe_headers import add_safe_headers
from judge.errors import Refused, StorageUnavailable

# A source of 64 KiB may be six times as long in JSON, when every character is escaped.
MAX_BODY_BYTES = 512 * 1024
MAX_ADDRESS_BYTES = 8 * 1024
MAX_HEADER_BYTES = 32 * 1024


class RequestFrame:
    """Gives each request an id, and each answer the headers that every answer has."""

    def __init__(self, app: ASGIApp, new_id: Callable[[], str], public_url: str = "") -> None:
        self._app = app
        self._new_id = new_id
        self._public_url = public_url

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = f"req_{self._new_id()}"
        scope.setdefault("state", {})["request_id"] = request_id

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["X-Request-Id"] = request_id
                add_safe_headers(headers, scope, self._public_url)
                headers.setdefault("Cache-Control", "no-store")
                counted: Counted | None = scope["state"].get("counted")
                if counted is not None:
                    headers.update(counted.headers(message["status"]))
                locale = scope["state"].get("answer_locale")
                if locale and headers.get("content-type") == "application/json":
                    headers.setdefault(HEADER, locale)
            await send(message)

        problem = _flawed_head(scope)
        if problem is not None:
            await _answer(problem, scope, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)


def _flawed_head(scope: Scope) -> ProblemDocument | None:
    """What is wrong with a request before its body."""
    address = scope.get("raw_path", b"") + scope.get("query_string", b"")
    if len(address) > MAX_ADDRESS_BYTES:
        return ProblemDocument(414, "address-too-long", details={"max_bytes": MAX_ADDRESS_BYTES})
    if sum(len(name) + len(value) for name, value in scope["headers"]) > MAX_HEADER_BYTES:
        return ProblemDocument(431, "headers-too-large", details={"max_bytes": MAX_HEADER_BYTES})
    if b"%00" in address:
        # No name of ours holds a NUL, and PostgreSQL refuses to look for one.
        return ProblemDocument(400, "unreadable-request", "nul")
    return None


@dataclass(frozen=True)
class Admission:
    """A path's own limit, and who may send that much.

    ``admit`` sees a request without its body and raises Refused or HttpProblem; it may use the
    database, so it is called in a thread.
    """

    max_bytes: int
    admit: Callable[[Request], None]


class BodyLimit:
    """Reads the body up to a limit and hands it on in one piece, or answers 413.

    ``larger`` are the paths that take more, each with who may send it: before one byte of a body is
    read there, the request's headers alone must admit it, whatever the body's length.
    """

    def __init__(
        self,
        app: ASGIApp,
        max_bytes: int = MAX_BODY_BYTES,
        larger: Mapping[str, Admission] = MappingProxyType({}),
    ) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._larger = larger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        headers = Headers(scope=scope) if scope["type"] == "http" else Headers()
        length = headers.get("content-length", "0")
        if scope["type"] != "http" or (length == "0" and "transfer-encoding" not in headers):
            await self._app(scope, receive, send)
            return
        max_bytes = self._max_bytes
        admission = self._larger.get(scope["path"]) if scope["method"] == "POST" else None
        if admission is not None:
            refused = await _refusal(admission, scope)
            if refused is not None:
                await _answer(refused, scope, send)
                return
            max_bytes = admission.max_bytes
        is_short = length.isdecimal() and int(length[:20]) <= max_bytes
        body = await _read(receive, max_bytes) if is_short else None
        if body is None:
            problem = ProblemDocument(413, "body-too-large", details={"max_bytes": max_bytes})
            await _answer(problem, scope, send)
            return
        await self._app(scope, _replay(body, receive), send)


async def _refusal(admission: Admission, scope: Scope) -> ProblemDocument | None:
    try:
        await run_in_threadpool(admission.admit, Request(scope))
    except (Refused, HttpProblem) as error:
        return document_of(error)
    except StorageUnavailable as error:
        return storage_document(scope, error)
    return None


async def _answer(problem: ProblemDocument, scope: Scope, send: Send) -> None:
    """A problem document from below the application; what is left of the request is not read."""
    headers = {**problem.headers, "Connection": "close"}
    answered = replace(problem, headers=headers)
    response = await run_in_threadpool(respond_to_reader, Request(scope), answered)
    await send(
        {
            "type": "http.response.start",
            "status": response.status_code,
            "headers": response.raw_headers,
        }
    )
    await send({"type": "http.response.body", "body": response.body})


async def _read(receive: Receive, max_bytes: int) -> bytes | None:
    """The whole body; None if it is larger than the limit or the client went away."""
    pieces, size = [], 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        pieces.append(message.get("body", b""))
        size += len(pieces[-1])
        if size > max_bytes:
            return None
        if not message.get("more_body", False):
            return b"".join(pieces)


def _replay(body: bytes, receive: Receive) -> Receive:
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay
