"""Accounts and tokens."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, ValidationError

from judge.actions.sessions import show_session_id
from judge.actions.tokens import NewToken
from judge.api.ids import ACCOUNT, SESSION, TOKEN, show
from judge.api.schemas.base import AnswerModel, Moment, RequestModel, Text
from judge.api.schemas.choices import (
    AskedLocale,
    AskedScope,
    LanguageName,
    LocaleId,
    RoleName,
    ScopeName,
)
from judge.db.queries.accounts import Account, OpenSession, Token


class Registration(RequestModel):
    """What a person says about itself; ``locale`` is by default the one that this call speaks."""

    handle: Annotated[Text, Field(max_length=64)]
    password: Annotated[Text, Field(max_length=1024)]
    email: Annotated[Text, Field(max_length=320)] | None = None
    display_name: Annotated[Text, Field(max_length=320)] = ""
    locale: Annotated[AskedLocale, Field(max_length=16)] | None = None
    time_zone: Annotated[Text, Field(max_length=64)] = "UTC"


class Credentials(RequestModel):
    """Handle and password."""

    handle: Text = Field(max_length=64)
    password: Text = Field(max_length=1024)


class Prefs(RequestModel):
    """How the pages look to somebody; the judge itself is led by nothing of it."""

    theme: Literal["system", "light", "dark"] = "system"
    language: LanguageName = "python"
    editor_font_px: Annotated[int, Field(ge=10, le=32)] = 14
    editor_keys: Literal["default", "vim", "emacs"] = "default"


class ProfilePatch(RequestModel):
    """What becomes of the own account; a field that is missing stays, ``prefs`` comes whole."""

    display_name: Annotated[Text, Field(max_length=320)] | None = None
    email: Annotated[Text, Field(max_length=320)] | None = None
    locale: Annotated[AskedLocale, Field(max_length=16)] | None = None
    time_zone: Annotated[Text, Field(max_length=64)] | None = None
    prefs: Prefs | None = None


class PasswordChange(RequestModel):
    """The present password and the one that takes its place."""

    old: Annotated[Text, Field(max_length=1024)]
    new: Annotated[Text, Field(max_length=1024)]


class SessionAnswer(AnswerModel):
    """A browser that is signed in; its id opens nothing.

    ``seen_at`` is true within an hour, ``network`` the address cut to its network,
    ``browser`` what it called itself.
    """

    id: str
    created_at: Moment
    seen_at: Moment
    expires_at: Moment
    network: str
    browser: str
    is_current: bool


class SessionList(AnswerModel):
    """All browsers in which the account is signed in, at most 50."""

    items: list[SessionAnswer]


class AccountAnswer(AnswerModel):
    """An account as its owner sees it; ``unread`` counts its notices.

    ``erase_after`` is when it will be erased, null unless its owner has asked for that.
    """

    id: str
    handle: str
    display_name: str
    email: str | None
    role: RoleName
    locale: LocaleId
    time_zone: str
    created_at: Moment
    prefs: Prefs
    scopes: list[ScopeName]
    unread: int
    erase_after: Moment | None


class TokenRequest(RequestModel):
    """A token to be made; without ``expires_at`` it lives until it is revoked."""

    name: Annotated[Text, Field(max_length=320)]
    scopes: Annotated[list[Annotated[AskedScope, Field(max_length=64)]], Field(max_length=64)]
    expires_at: AwareDatetime | None = None


class TokenAnswer(AnswerModel):
    """A token; ``token`` is its whole text and is given only when it is made."""

    id: str
    name: str
    prefix: str
    scopes: list[ScopeName]
    created_at: Moment
    expires_at: Moment | None
    last_used_at: Moment | None


class NewTokenAnswer(TokenAnswer):
    """A token with its secret."""

    token: str


class TokenList(AnswerModel):
    """All tokens of the account that are not revoked."""

    items: list[TokenAnswer]


def account_answer(account: Account, scopes: list[str], unread: int) -> AccountAnswer:
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
        prefs=read_prefs(account.prefs),
        scopes=scopes,
        unread=unread,
        erase_after=account.erase_after,
    )


def read_prefs(stored: Mapping[str, object]) -> Prefs:
    """Stored preferences; one that is no longer offered gets its default."""
    try:
        return Prefs.model_validate(dict(stored))
    except ValidationError as error:
        unknown = {one["loc"][0] for one in error.errors() if one["loc"]}
        return Prefs.model_validate(
            {key: value for key, value in stored.items() if key not in unknown}
        )


def session_answer(found: OpenSession, current: str | None) -> SessionAnswer:
    """A session; ``current`` is the hash of the one that asks."""
    return SessionAnswer(
        id=show(SESSION, show_session_id(found.id_hash)),
        created_at=found.created_at,
        seen_at=found.seen_at,
        expires_at=found.expires_at,
        network=found.ip_prefix,
        browser=found.browser,
        is_current=found.id_hash == current,
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


PREFS_EXAMPLE = {
    "theme": "dark",
    "language": "cpp",
    "editor_font_px": 14,
    "editor_keys": "default",
}
ACCOUNT_EXAMPLE = {
    "id": "acc_01990c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "handle": "ada",
    "display_name": "Ada",
    "email": "ada@example.org",
    "role": "learner",
    "locale": "en",
    "time_zone": "Asia/Tokyo",
    "created_at": "2026-09-01T02:03:04.000005Z",
    "prefs": PREFS_EXAMPLE,
    "scopes": ["problems:read", "scores:read", "submissions:read", "submissions:write"],
    "unread": 0,
    "erase_after": None,
}
SESSION_EXAMPLE = {
    "id": "ses_4f8a0c1e5b7f7c3e9a1d2f3b4c5d6e7f",
    "created_at": "2026-09-01T02:03:04.000005Z",
    "seen_at": "2026-09-02T02:03:04.000005Z",
    "expires_at": "2026-09-16T02:03:04.000005Z",
    "network": "192.0.2.0/24",
    "browser": "Mozilla/5.0",
    "is_current": True,
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
