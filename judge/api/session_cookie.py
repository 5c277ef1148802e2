"""The session's cookie in answers, and where a request came from."""

from fastapi import Request, Response

from judge.actions.sessions import Origin, sign_out
from judge.api.deps import COOKIE, Parts
from judge.api.networks import address_of, network_of
from judge.db.queries.accounts import SESSION_IDLE_DAYS


def give_cookie(cookie: str, request: Request, response: Response, joined: Parts) -> None:
    """Set the cookie of a session that was just opened."""
    response.set_cookie(
        COOKIE,
        cookie,
        max_age=SESSION_IDLE_DAYS * 24 * 3600,
        path="/",
        httponly=True,
        samesite="lax",
        secure=_uses_tls(request, joined),
    )


def take_cookie_back(response: Response) -> None:
    """Let the browser forget the cookie."""
    response.delete_cookie(COOKIE, path="/")


def end_earlier_session(request: Request, joined: Parts) -> None:
    """End the session that the request came with, if there is one."""
    cookie = request.cookies.get(COOKIE)
    if cookie:
        sign_out(joined.database, cookie)


def origin_of(request: Request) -> Origin:
    """What is kept of where a sign-in came from."""
    agent = request.headers.get("user-agent", "")
    return Origin(network_of(address_of(request)), "".join(filter(str.isprintable, agent)))


def _uses_tls(request: Request, joined: Parts) -> bool:
    """Whether people reach the judge over TLS; a browser would drop a Secure cookie otherwise."""
    if joined.settings.public_url:
        return joined.settings.public_url.startswith("https://")
    return bool(request.scope["scheme"] == "https")
