"""Accounts and tokens."""

from pydantic import AwareDatetime, Field

from judge.actions.tokens import NewToken
from judge.api.ids import ACCOUNT, TOKEN, show
from judge.api.schemas.base import AnswerModel, Moment, RequestModel, Text
from judge.db.queries.accounts import Account, Token


class Registration(RequestModel):
    """What a person says about itself; ``locale`` is by default the one that this call speaks."""

    handle: Text
    password: Text
    email: Text | None = None
    display_name: Text = ""
    locale: Text | None = None
    time_zone: Text = "UTC"


class Credentials(RequestModel):
    """Handle and password."""

    handle: Text = Field(max_length=64)
    password: Text = Field(max_length=1024)


class AccountAnswer(AnswerModel):
    """An account as its owner sees it."""

    id: str
    handle: str
    display_name: str
    email: str | None
    role: str
    locale: str
    time_zone: str
    created_at: Moment
    scopes: list[str]


class TokenRequest(RequestModel):
    """A token to be made; without ``expires_at`` it lives until it is revoked."""

    name: Text
    scopes: list[Text]
    expires_at: AwareDatetime | None = None


class TokenAnswer(AnswerModel):
    """A token; ``token`` is its whole text and is given only when it is made."""

    id: str
    name: str
    prefix: str
    scopes: list[str]
    created_at: Moment
    expires_at: Moment | None
    last_used_at: Moment | None


class NewTokenAnswer(TokenAnswer):
    """A token with its secret."""

    token: str


class TokenList(AnswerModel):
    """All tokens of the account that are not revoked."""

    items: list[TokenAnswer]


def account_answer(account: Account, scopes: list[str]) -> AccountAnswer:
    """An account as its owner sees it."""
    return AccountAnswer(
        id=show(ACCOUNT, account.id),
        handle=account.handle,
        display_name=account.display_name,
        email=account.email,
        role=account.role.value,
        locale=account.locale,
        time_zone=account.time_zone,
        created_at=account.created_at,
        scopes=scopes,
    )


def token_answer(token: Token) -> TokenAnswer:
    """A token without its secret."""
    return TokenAnswer(
        id=show(TOKEN, token.id),
        name=token.name,
        prefix=token.prefix,
        scopes=list(token.scopes),
        created_at=token.created_at,
        expires_at=token.expires_at,
        last_used_at=token.last_used_at,
    )


def new_token_answer(new: NewToken) -> NewTokenAnswer:
    """A token with its secret, which is shown this once."""
    return NewTokenAnswer(**token_answer(new.token).model_dump(), token=new.secret)


ACCOUNT_EXAMPLE = {
    "id": "acc_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "handle": "ada",
    "display_name": "Ada",
    "email": "ada@example.org",
    "role": "learner",
    "locale": "en",
    "time_zone": "Asia/Tokyo",
    "created_at": "2026-09-01T02:03:04.000005Z",
    "scopes": ["problems:read", "scores:read", "submissions:read", "submissions:write"],
}
TOKEN_EXAMPLE = {
    "id": "tok_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "name": "my script",
    "prefix": "k3j9x0qa",
    "scopes": ["problems:read", "submissions:write"],
    "created_at": "2026-09-01T02:03:04.000005Z",
    "expires_at": "2027-09-01T00:00:00.000000Z",
    "last_used_at": "2026-09-02T02:03:04.000005Z",
}
