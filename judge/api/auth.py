"""Registering, signing in and signing out."""

from fastapi import APIRouter, Request, Response

from judge.actions.accounts import NewAccount
from judge.actions.register import register_account as add_account
from judge.actions.sessions import SignedIn, sign_in
from judge.api.address_oracle import told_sparingly
from judge.api.deps import Parts, PartsDep, check_same_origin
from judge.api.locales import choose_locale
from judge.api.networks import address_of
from judge.api.registration import check_registration
from judge.api.schemas.accounts import (
    ACCOUNT_EXAMPLE,
    AccountAnswer,
    Credentials,
    Registration,
    account_answer,
)
from judge.api.schemas.base import answers, asks
from judge.api.session_cookie import (
    end_earlier_session,
    give_cookie,
    origin_of,
    take_cookie_back,
)
from judge.api.sign_in_limit import is_wrong_password
from judge.db.queries.notices import count_unread
from judge.domain.access import ROLE_SCOPES

router = APIRouter(prefix="/auth", tags=["auth"])


@router.post(
    "/register",
    status_code=201,
    summary="Create an account and sign in",
    responses=answers(ACCOUNT_EXAMPLE, 201, 403, 409, 422, 429, 503),
    openapi_extra=asks({"handle": "ada", "password": "correct horse", "time_zone": "Asia/Tokyo"}),
)
def register_account(
    body: Registration, request: Request, response: Response, joined: PartsDep
) -> AccountAnswer:
    """Create a learner's account where registration is open; the answer sets the cookie.

    Strangers may register only while the sandbox is at its strongest (tier A), unless the operator
    has set it otherwise. That an e-mail address is taken is told ten times in ten minutes.
    """
    check_same_origin(request, joined.settings)
    check_registration(joined)
    new = body.model_dump() | {"locale": body.locale or choose_locale(request.scope)}
    with told_sparingly(joined.sign_in_limit, body.email, address_of(request)):
        signed_in = add_account(joined.database, NewAccount(**new), origin_of(request))
    return _signed_in(signed_in, request, response, joined)


@router.post(
    "/login",
    summary="Sign in",
    responses=answers(ACCOUNT_EXAMPLE, 200, 401, 422, 429),
    openapi_extra=asks({"handle": "ada", "password": "correct horse"}),
)
def log_in(
    body: Credentials, request: Request, response: Response, joined: PartsDep
) -> AccountAnswer:
    """Check handle and password; the answer sets the cookie. An earlier session ends."""
    check_same_origin(request, joined.settings)
    address = address_of(request)
    with joined.sign_in_limit.attempt(body.handle, address, is_wrong_password):
        signed_in = sign_in(joined.database, body.handle, body.password, origin_of(request))
    end_earlier_session(request, joined)
    return _signed_in(signed_in, request, response, joined)


@router.post("/logout", status_code=204, summary="Sign out", responses=answers(None, 204))
def log_out(request: Request, response: Response, joined: PartsDep) -> None:
    """End the session and take the cookie back; without a session nothing happens."""
    check_same_origin(request, joined.settings)
    end_earlier_session(request, joined)
    take_cookie_back(response)


def _signed_in(
    signed_in: SignedIn, request: Request, response: Response, joined: Parts
) -> AccountAnswer:
    give_cookie(signed_in.cookie, request, response, joined)
    with joined.database.read() as connection:
        unread = count_unread(connection, signed_in.account.id)
    return account_answer(signed_in.account, sorted(ROLE_SCOPES[signed_in.account.role]), unread)
