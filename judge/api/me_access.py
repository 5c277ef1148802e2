"""How the caller gets in: its password and the browsers in which it is signed in.

Only a session may do this: a token is no way to the password of its account.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from judge.actions.change_password import change_password
from judge.actions.sessions import end_session, hash_secret
from judge.api.deps import COOKIE, PartsDep, require_session
from judge.api.ids import SESSION, read
from judge.api.networks import address_of
from judge.api.schemas.accounts import (
    SESSION_EXAMPLE,
    PasswordChange,
    SessionList,
    session_answer,
)
from judge.api.schemas.base import answers, asks
from judge.api.session_cookie import give_cookie, origin_of
from judge.api.sign_in_limit import is_wrong_password
from judge.db.queries.accounts import list_sessions
from judge.db.types import now
from judge.domain.access import Caller

router = APIRouter(prefix="/me", tags=["me"])
SessionCaller = Annotated[Caller, Depends(require_session)]


@router.post(
    "/password",
    status_code=204,
    summary="Change my password",
    responses=answers(None, 204, 401, 403, 422, 429),
    openapi_extra=asks({"old": "correct horse", "new": "battery staple"}),
)
def set_my_password(
    body: PasswordChange,
    request: Request,
    response: Response,
    joined: PartsDep,
    caller: SessionCaller,
) -> None:
    """Set a new password; every other session and every token of the account ends.

    The answer sets a new cookie. Wrong old passwords count as failed sign-ins.
    """
    address = address_of(request)
    with joined.sign_in_limit.attempt(caller.handle, address, is_wrong_password):
        cookie = change_password(
            joined.database, caller.account_id, body.old, body.new, origin_of(request)
        )
    give_cookie(cookie, request, response, joined)


@router.get(
    "/sessions",
    summary="List where I am signed in",
    responses=answers({"items": [SESSION_EXAMPLE]}, 200, 401, 403),
)
def list_my_sessions(request: Request, joined: PartsDep, caller: SessionCaller) -> SessionList:
    """Every browser in which the account is signed in, the one used last first."""
    with joined.database.read() as connection:
        found = list_sessions(connection, caller.account_id, now())
    cookie = request.cookies.get(COOKIE)
    current = None if cookie is None else hash_secret(cookie)
    return SessionList(items=[session_answer(one, current) for one in found])


@router.delete(
    "/sessions/{session_id}",
    status_code=204,
    summary="Sign out another browser",
    responses=answers(None, 204, 401, 403, 404),
)
def remove_session(session_id: str, joined: PartsDep, caller: SessionCaller) -> None:
    """End a session at once; it may be the one that asks."""
    end_session(joined.database, caller.account_id, read(SESSION, session_id))
