"""Registering, signing in and signing out."""

from fastapi import APIRouter, Request, Response

from judge.actions.accounts import NewAccount, create_account
from judge.actions.sessions import Origin, SignedIn, open_session, sign_in, sign_out
from judge.api.deps import COOKIE, Parts, PartsDep, check_same_origin
from judge.api.locales import choose_locale
from judge.api.registration import check_registration
from judge.api.schemas.accounts import (
    ACCOUNT_EXAMPLE,
    AccountAnswer,
    Credentials,
    Registration,
    account_answer,
)
from judge.api.schemas.base import answers, asks
from judge.db.queries.accounts import SESSION_IDLE_DAYS
from judge.domain.access import ROLE_SCOPES
from judge.errors import Unauthenticated

router = APIRouter(prefix="/auth", tags=["auth"])


@router.post(
    "/register",
    status_code=201,
    summary="Create an account and sign in",
    responses=answers(ACCOUNT_EXAMPLE, 201, 403, 409, 422, 503),
    openapi_extra=asks({"handle": "ada", "password": "correct horse", "time_zone": "Asia/Tokyo"}),
)
def register(
    body: Registration, request: Request, response: Response, joined: PartsDep
) -> AccountAnswer:
    """Create a learner's account where registration is open; the answer sets the cookie.

    Strangers may register only while the sandbox is at its strongest (tier A), unless the operator
    has set it otherwise.
    """
    check_same_origin(request, joined.settings)
    check_registration(joined)
    new = body.model_dump() | {"locale": body.locale or choose_locale(request.scope)}
    account = create_account(joined.database, NewAccount(**new))
    signed_in = open_session(joined.database, account, _origin(request))
    return _signed_in(signed_in, request, response, joined)


@router.post(
    "/login",
    summary="Sign in",
    responses=answers(ACCOUNT_EXAMPLE, 200, 401, 422, 429),
    openapi_extra=asks({"handle": "ada", "password": "correct horse"}),
)
def login(
    body: Credentials, request: Request, response: Response, joined: PartsDep
) -> AccountAnswer:
    """Check handle and password; the answer sets the cookie. An earlier session ends."""
    check_same_origin(request, joined.settings)
    address = _address(request)
    joined.sign_in_limit.check(body.handle, address)
    try:
        signed_in = sign_in(joined.database, body.handle, body.password, _origin(request))
    except Unauthenticated:
        joined.sign_in_limit.count_failure(body.handle, address)
        raise
    joined.sign_in_limit.forget(body.handle, address)
    _end_session(request, joined)
    return _signed_in(signed_in, request, response, joined)


@router.post("/logout", status_code=204, summary="Sign out", responses=answers(None, 204))
def logout(request: Request, response: Response, joined: PartsDep) -> None:
    """End the session and take the cookie back; without a session nothing happens."""
    check_same_origin(request, joined.settings)
    _end_session(request, joined)
    response.delete_cookie(COOKIE, path="/")


def _signed_in(
    signed_in: SignedIn, request: Request, response: Response, joined: Parts
) -> AccountAnswer:
    response.set_cookie(
        COOKIE,
        signed_in.cookie,
        max_age=SESSION_IDLE_DAYS * 24 * 3600,
        path="/",
        httponly=True,
        samesite="lax",
        secure=_uses_tls(request, joined),
    )
    return account_answer(signed_in.account, sorted(ROLE_SCOPES[signed_in.account.role]))


def _end_session(request: Request, joined: Parts) -> None:
    cookie = request.cookies.get(COOKIE)
    if cookie:
        sign_out(joined.database, cookie)


def _uses_tls(request: Request, joined: Parts) -> bool:
    """Whether people reach the judge over TLS; a browser would drop a Secure cookie otherwise."""
    if joined.settings.public_url:
        return joined.settings.public_url.startswith("https://")
    return bool(request.scope["scheme"] == "https")


def _origin(request: Request) -> Origin:
    return Origin(_network(_address(request)), request.headers.get("user-agent", ""))


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _network(address: str) -> str:
    """The address cut to its network (/24 or /48): enough to recognise a session by."""
    if ":" in address:
        return ":".join(address.split(":")[:3]) + "::"
    return ".".join(address.split(".")[:3]) + ".0" if "." in address else address
