"""Which other sites' pages may call the API from a browser (CORS): those of an allow-list.

Such a page sends a token. Cookies are never asked for: an answer to a request with the session's
cookie cannot be read there, and one that changes something is refused (judge.api.deps).
"""

from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_METHODS = "GET, POST, PUT, PATCH, DELETE"
_ASKED = (
    "Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, "
    "Last-Event-ID, Prefer"
)
_SHOWN = (
    "Content-Language, ETag, Idempotent-Replayed, Link, Location, Preference-Applied, RateLimit, "
    "RateLimit-Policy, Retry-After, X-Request-Id"
)
_PREFLIGHT_S = "600"


class CrossOrigin:
    """Answers the questions of browsers for the origins named, and lets them read answers."""

    def __init__(self, app: ASGIApp, origins: Collection[str]) -> None:
        self._app = app
        self._origins = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        asked = Headers(scope=scope)
        origin = asked.get("origin", "")
        is_allowed = origin in self._origins

        async def send_with_origin(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.add_vary_header("Origin")
                if is_allowed:
                    headers["Access-Control-Allow-Origin"] = origin
                    headers["Access-Control-Expose-Headers"] = _SHOWN
            await send(message)

        is_question = scope["method"] == "OPTIONS" and "access-control-request-method" in asked
        if is_question and is_allowed:
            await _allow(send_with_origin)
            return
        await self._app(scope, receive, send_with_origin)


async def _allow(send: Send) -> None:
    """Any route and method of the API; what is refused there is refused by the request itself."""
    start: Message = {"type": "http.response.start", "status": 204, "headers": []}
    headers = MutableHeaders(scope=start)
    headers["Access-Control-Allow-Methods"] = _METHODS
    headers["Access-Control-Allow-Headers"] = _ASKED
    headers["Access-Control-Max-Age"] = _PREFLIGHT_S
    await send(start)
    await send({"type": "http.response.body", "body": b""})
