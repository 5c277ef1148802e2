"""What endpoints ask for: the joined parts of the application, and who is calling.

A caller proves itself with ``Authorization: Bearer jt_…`` or with the session cookie. A header that
is there but wrong is refused, it never falls back to the cookie. A cookie with an unsafe method
counts only if the request comes from our own pages (or from a program that sends JSON).
"""

from dataclasses import dataclass, replace
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Query, Request

from judge.actions.sessions import authenticate_session
from judge.actions.tokens import authenticate_token
from judge.api.intake import Intake
from judge.api.locales import choose_locale, remember_account, remember_looking
from judge.api.networks import address_of, network_of
from judge.api.rates import Rates
from judge.api.schemas.choices import LocaleName
from judge.api.sign_in_limit import SignInLimit
from judge.api.texts import TextRenderer
from judge.api.waiting import Waiters
from judge.db.engine import Database
from judge.db.queries.classes import select_ties
from judge.domain.access import Caller, Scope
from judge.errors import Forbidden, Unauthenticated
from judge.queue.wakeup import Bell
from judge.settings import Settings

COOKIE = "judge_session"
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


@dataclass(frozen=True)
class Parts:
    """Everything that lives as long as the application; built by judge.server."""

    settings: Settings
    database: Database
    bell: Bell
    waiters: Waiters
    sign_in_limit: SignInLimit
    rates: Rates
    renderer: TextRenderer
    intake: Intake


def parts(request: Request) -> Parts:
    """The joined parts of the application."""
    joined: Parts = request.app.state.parts
    return joined


PartsDep = Annotated[Parts, Depends(parts)]


def find_caller(request: Request, joined: PartsDep) -> Caller | None:
    """Whoever calls, or None for an anonymous request.

    Raises:
        Unauthenticated: a token was sent that is not good.
        Forbidden: a cookie came with an unsafe request of another site.
    """
    remember_looking(request)
    header = request.headers.get("authorization")
    if header is not None:
        kind, _, token = header.partition(" ")
        caller = authenticate_token(joined.database, token) if kind.lower() == "bearer" else None
        if caller is None:
            raise Unauthenticated("bad-token")
        remember_account(request, caller.locale)
        return _complete(request, joined, caller)
    cookie = request.cookies.get(COOKIE)
    account = authenticate_session(joined.database, cookie) if cookie else None
    if account is None:
        return None
    remember_account(request, account.locale)
    check_same_origin(request, joined.settings)
    caller = Caller(account.id, account.handle, account.role, locale=account.locale)
    return _complete(request, joined, caller)


FoundCaller = Annotated[Caller | None, Depends(find_caller)]


def require_session(caller: FoundCaller) -> Caller:
    """A browser's session: what tokens may not do.

    Raises:
        Unauthenticated: nobody is signed in.
        Forbidden: the caller came with a token.
    """
    signed_in = _signed_in(caller)
    if signed_in.token_scopes is not None:
        raise Forbidden("session-only")
    return signed_in


def require_caller(caller: FoundCaller) -> Caller:
    """Anybody who is known, with whatever scopes.

    Raises:
        Unauthenticated: nobody is signed in.
    """
    return _signed_in(caller)


@dataclass(frozen=True)
class Needs:
    """A dependency: a caller who holds at least one of these scopes."""

    scopes: tuple[Scope, ...]

    def __call__(self, caller: FoundCaller) -> Caller:
        """The caller."""
        signed_in = _signed_in(caller)
        if signed_in.scopes.isdisjoint(self.scopes):
            _check_scope(signed_in, self.scopes[-1])
        return signed_in


@dataclass(frozen=True)
class NeedsIfKnown:
    """A dependency: nobody, or a caller who holds these scopes."""

    scopes: tuple[Scope, ...]

    def __call__(self, caller: FoundCaller) -> Caller | None:
        """The caller, or None for nobody."""
        if caller is not None:
            for scope in self.scopes:
                _check_scope(caller, scope)
        return caller


def require(scope: Scope) -> Needs:
    """A dependency: a caller who holds a scope."""
    return Needs((scope,))


def require_any(*scopes: Scope) -> Needs:
    """A dependency: a caller who holds at least one of these scopes."""
    return Needs(scopes)


def allow_anonymous(scope: Scope) -> NeedsIfKnown:
    """A dependency: nobody, or a caller who holds a scope."""
    return NeedsIfKnown((scope,))


def check_same_origin(request: Request, settings: Settings) -> None:
    """Refuse an unsafe request that another site's page made a browser send.

    Raises:
        Forbidden: ``cross-origin``.
    """
    if request.method in _SAFE_METHODS:
        return
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    if site is None and origin is None:
        # No browser; a form of an old one cannot send this type.
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        is_ours, sender = kind == "application/json", "program"
    else:
        sender = "page"
        is_ours = site in (None, "same-origin") and (
            origin is None or _is_own(origin, request, settings)
        )
    if not is_ours:
        raise Forbidden("cross-origin", variant=sender)


def read_locale(
    request: Request,
    _caller: FoundCaller,
    locale: Annotated[LocaleName | None, Query(description="vi, ja or en.")] = None,
) -> str:
    """The locale that is asked for, else the account's, else the browser's, else English."""
    chosen = locale or choose_locale(request.scope)
    request.state.answer_locale = chosen
    return chosen


ReadLocale = Annotated[str, Depends(read_locale)]


def _complete(request: Request, joined: Parts, caller: Caller) -> Caller:
    with joined.database.read() as connection:
        ties = select_ties(connection, caller.account_id, caller.role)
    return replace(caller, ties=ties, ip_prefix=network_of(address_of(request)))


def _is_own(origin: str, request: Request, settings: Settings) -> bool:
    if settings.public_url and origin == settings.public_url:
        return True
    try:
        return urlsplit(origin).netloc == request.headers.get("host", "") != ""
    except ValueError:
        return False


def _signed_in(caller: Caller | None) -> Caller:
    if caller is None:
        raise Unauthenticated("not-signed-in")
    return caller


def _check_scope(caller: Caller, scope: Scope) -> None:
    if scope not in caller.scopes:
        raise Forbidden(
            "missing-scope",
            needed=[scope.value],
            have=sorted(one.value for one in caller.scopes),
        )
