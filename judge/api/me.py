"""The caller's own account and tokens."""

from typing import Annotated

from fastapi import APIRouter, Depends

from judge.actions.tokens import create_token, revoke_token
from judge.api.deps import PartsDep, require_caller, require_session
from judge.api.ids import TOKEN, read
from judge.api.schemas.accounts import (
    ACCOUNT_EXAMPLE,
    TOKEN_EXAMPLE,
    AccountAnswer,
    NewTokenAnswer,
    TokenList,
    TokenRequest,
    account_answer,
    new_token_answer,
    token_answer,
)
from judge.api.schemas.base import answers, asks
from judge.db.queries.accounts import list_tokens, select_account
from judge.domain.access import Caller

router = APIRouter(prefix="/me", tags=["me"])
SessionCaller = Annotated[Caller, Depends(require_session)]


@router.get("", summary="Who am I", responses=answers(ACCOUNT_EXAMPLE, 200, 401))
def show_me(joined: PartsDep, caller: Annotated[Caller, Depends(require_caller)]) -> AccountAnswer:
    """The account behind the cookie or token, and the scopes that this call has."""
    with joined.database.read() as connection:
        account = select_account(connection, caller.account_id)
    return account_answer(account, sorted(scope.value for scope in caller.scopes))


@router.get(
    "/tokens",
    summary="List my API tokens",
    responses=answers({"items": [TOKEN_EXAMPLE]}, 200, 401, 403),
)
def show_tokens(joined: PartsDep, caller: SessionCaller) -> TokenList:
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
    new = create_token(joined.database, caller.account_id, body.name, body.scopes, body.expires_at)
    return new_token_answer(new)


@router.delete(
    "/tokens/{token_id}",
    status_code=204,
    summary="Revoke an API token",
    responses=answers(None, 204, 401, 403, 404),
)
def remove_token(token_id: str, joined: PartsDep, caller: SessionCaller) -> None:
    """Make a token useless at once."""
    revoke_token(joined.database, caller.account_id, read(TOKEN, token_id))
