"""The caller's own account and tokens."""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Response

from judge.actions.change_profile import change_profile, profile_of
from judge.actions.tokens import create_token, revoke_token
from judge.api.address_oracle import told_sparingly
from judge.api.deps import Parts, PartsDep, require_caller, require_session
from judge.api.etags import check_if_match, etag_of, not_changed
from judge.api.ids import TOKEN, read
from judge.api.schemas.accounts import (
    ACCOUNT_EXAMPLE,
    PREFS_EXAMPLE,
    TOKEN_EXAMPLE,
    AccountAnswer,
    NewTokenAnswer,
    ProfilePatch,
    TokenList,
    TokenRequest,
    account_answer,
    new_token_answer,
    token_answer,
)
from judge.api.schemas.base import answers, asks
from judge.db.queries.accounts import Account, list_tokens, select_account
from judge.db.queries.notices import count_unread
from judge.domain.access import Caller

router = APIRouter(prefix="/me", tags=["me"])
SessionCaller = Annotated[Caller, Depends(require_session)]


@router.get("", summary="Who am I", responses=answers(ACCOUNT_EXAMPLE, 200, 401))
def show_me(
    response: Response, joined: PartsDep, caller: Annotated[Caller, Depends(require_caller)]
) -> AccountAnswer:
    """The account behind the cookie or token, and the scopes that this call has.

    The ETag is the account's, and what a change must name.
    """
    with joined.database.read() as connection:
        account = select_account(connection, caller.account_id)
    return _account(joined, account, caller, response)


@router.patch(
    "",
    summary="Change my account",
    responses=answers(ACCOUNT_EXAMPLE, 200, 401, 403, 409, 412, 422, 428, 429),
    openapi_extra=asks({"display_name": "Ada", "time_zone": "Asia/Tokyo", "prefs": PREFS_EXAMPLE}),
)
def change_me(
    body: ProfilePatch,
    response: Response,
    joined: PartsDep,
    caller: SessionCaller,
    if_match: Annotated[str | None, Header(description="The ETag that was read.")] = None,
) -> AccountAnswer:
    """Change name, e-mail address, locale, time zone or preferences.

    An ``email`` of null takes the address away. Another time zone counts from now on: what was
    submitted keeps the day that it had. Handles are not changed.
    """
    with joined.database.read() as connection:
        before = select_account(connection, caller.account_id)
    check_if_match(if_match, _etag(before))
    # Null says something only of the address.
    said = {
        key: value
        for key, value in body.model_dump(exclude_unset=True).items()
        if value is not None or key == "email"
    }
    profile = replace(profile_of(before), **said)
    with (
        told_sparingly(joined.sign_in_limit, body.email, caller.account_id),
        not_changed("account-changed"),
    ):
        changed = change_profile(joined.database, before, profile)
    return _account(joined, changed, caller, response)


@router.get(
    "/tokens",
    summary="List my API tokens",
    responses=answers({"items": [TOKEN_EXAMPLE]}, 200, 401, 403),
)
def list_my_tokens(joined: PartsDep, caller: SessionCaller) -> TokenList:
    """All tokens that are not revoked, without their secrets."""
    with joined.database.read() as connection:
        tokens = list_tokens(connection, caller.account_id)
    return TokenList(items=[token_answer(token) for token in tokens])


@router.post(
    "/tokens",
    status_code=201,
    summary="Create an API token",
    responses=answers(
        {**TOKEN_EXAMPLE, "token": "jt_k3j9x0qa_(43 characters)"}, 201, 401, 403, 409, 422
    ),
    openapi_extra=asks({"name": "my script", "scopes": ["problems:read", "submissions:write"]}),
)
def add_token(body: TokenRequest, joined: PartsDep, caller: SessionCaller) -> NewTokenAnswer:
    """Create a token; its text is given in this answer and never again."""
    new = create_token(
        joined.database, caller.account_id, body.name, body.scopes, body.expires_at, caller
    )
    return new_token_answer(new)


@router.delete(
    "/tokens/{token_id}",
    status_code=204,
    summary="Revoke an API token",
    responses=answers(None, 204, 401, 403, 404),
)
def remove_token(token_id: str, joined: PartsDep, caller: SessionCaller) -> None:
    """Make a token useless at once."""
    revoke_token(joined.database, caller, read(TOKEN, token_id))


def _account(joined: Parts, account: Account, caller: Caller, response: Response) -> AccountAnswer:
    response.headers["ETag"] = _etag(account)
    with joined.database.read() as connection:
        unread = count_unread(connection, account.id)
    return account_answer(account, sorted(scope.value for scope in caller.scopes), unread)


def _etag(account: Account) -> str:
    return etag_of(repr(account))
